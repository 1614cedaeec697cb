import Foundation
import ModelDescription
import ModelFiles

extension ProjectLoader {
  /// The bundle that an unusable mapping model is reported with; nil when it may be for one that is not checked, or for
  /// a version that cannot be read.
  func owner(of mapping: UnusableMapping, among readings: [BundleReading]) -> String? {
    if case .drifted(let source, _) = mapping.refusal { return source.bundle }
    if let name = MappingPath.bundleName(of: mapping.path) {
      return readings.first { $0.bundle.name == name }?.bundle.path
    }
    let place = BundlePath.parent(mapping.path)
    func lies(beside bundle: String) -> Bool {
      let folder = BundlePath.parent(bundle)
      return place == folder || place.hasPrefix(folder + "/")
    }
    guard let owner = readings.first(where: { lies(beside: $0.bundle.path) })?.bundle.path else { return nil }
    if case .fitsNoVersions = mapping.refusal {
      guard readings.allSatisfy(\.errors.isEmpty) else { return nil }
      let checked = Set(readings.map { RealPath.of($0.bundle.path) })
      let here = search.files(under: search.project.path).bundles
      guard here.allSatisfy({ checked.contains(RealPath.of($0)) }) else { return nil }
    }
    return owner
  }

  /// True for the name of a folder of mapping files that are for one of these bundles, or for several merged.
  static func isFolder(_ name: String, of bundles: Set<String>) -> Bool {
    bundles.contains(name) || MergedName(name).parts.allSatisfy(bundles.contains)
  }

  /// One note for each unusable mapping model in a folder that is named after several bundles, as no bundle has it.
  func unusableMappingsOfSeveral(_ unusable: [UnusableMapping], _ readings: [BundleReading]) -> [String] {
    let here = Set(readings.map(\.bundle.name))
    return unusable.filter { mapping in
      MappingPath.bundleName(of: mapping.path).map { !here.contains($0) } ?? false
    }.map(ErrorLine.text)
  }

  /// One note for each folder of mapping files that is named after no bundle of the project.
  func mappingsOfNoBundle(_ readings: [BundleReading]) -> [String] {
    let here = Set(readings.map(\.bundle.name))
    let elsewhere = mappingPaths.compactMap { path in MappingPath.bundleName(of: path).map { (name: $0, path: path) } }
      .filter { !here.contains($0.name) }
    guard !elsewhere.isEmpty else { return [] }
    let known = here.union(search.files(under: search.project.path).bundles.map(BundlePath.stem))
    let lost = Dictionary(grouping: elsewhere.filter { !Self.isFolder($0.name, of: known) }, by: \.name)
    return lost.sorted { $0.key < $1.key }.map { name, files in
      let paths = files.map(\.path)
      let nearest = NearNames.clause(Array(NearNames.nearest(to: name, among: known.sorted()).prefix(1)))
      return "\(NameList.text(paths.sorted())) is for a bundle “\(name)”, which is not here\(nearest)"
    }
  }

  /// The files of mapping models that unions of bundles need beside those of the bundles that are checked: of the other
  /// bundles, and of merged models with them.
  func mappingReadingsOfUnions(_ readings: [BundleReading]) -> [MappingReading] {
    guard !configuration.unions.isEmpty else { return [] }
    let here = Set(readings.map(\.bundle.name))
    let places = Set(readings.map { RealPath.of($0.bundle.path) })
    let unions = configuration.unions.map { $0.paths.map(configuration.path) }
    let names = unions.reduce(into: here) { names, paths in
      if paths.contains(where: { places.contains(RealPath.of($0)) }) { names.formUnion(paths.map(BundlePath.stem)) }
    }
    guard names != here else { return [] }
    return MappingReading.all(
      at: mappingPaths.filter { path in
        MappingPath.bundleName(of: path).map { !Self.isFolder($0, of: here) && Self.isFolder($0, of: names) } ?? false
      }, replacing: configuration.policies)
  }

  /// The lock files without a bundle, each with the bundle here that it belongs to now.
  func strayLocks(_ readings: [BundleReading]) -> [(stray: StrayLock, successor: String?)] {
    var open = readings.filter { !FileManager.default.fileExists(atPath: LockFile.path(beside: $0.bundle)) }
    let elsewhere = open.isEmpty || paths.contains(search.project.path) ? [] : [search.project.path]
    let strays = StrayLock.find(under: paths, search)
    let named = Set(strays.map(\.lock.path))
    return
      (strays
      + (elsewhere.isEmpty ? [] : StrayLock.find(under: elsewhere, search).filter { !named.contains($0.lock.path) }))
      .compactMap { stray in
        guard !configuration.excludes(stray.lock.path), !configuration.excludes(stray.bundlePath) else { return nil }
        let successor = open.firstIndex(where: stray.hasVersion) ?? open.firstIndex(where: stray.isOf)
        guard let successor else { return named.contains(stray.lock.path) ? (stray, nil) : nil }
        return (stray, open.remove(at: successor).bundle.path)
      }
  }

  /// What the base and stray lock files say of bundles that are gone, each once.
  func merged(_ gone: [GoneBundle], _ strays: [(stray: StrayLock, successor: String?)]) -> [GoneBundle] {
    let byPath = Dictionary(gone.map { ($0.path, $0) }) { first, _ in first }
    let found = strays.map { stray, successor in
      let known = byPath[stray.bundlePath]
      return GoneBundle(
        path: stray.bundlePath, releasedVersions: known?.releasedVersions ?? stray.releasedVersions,
        movedTo: successor ?? known?.movedTo, base: known?.base ?? BundlePath.lastComponent(stray.lock.path),
        lockLocation: stray.location)
    }
    let paths = Set(found.map(\.path))
    return gone.filter { !paths.contains($0.path) } + found
  }
}
