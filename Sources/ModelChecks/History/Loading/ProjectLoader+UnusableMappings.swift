import Foundation
import ModelDescription
import ModelFiles

extension ProjectLoader {
  /// The bundle with which an unusable mapping model is reported.
  ///
  /// Nil if the mapping model may be for a bundle that is not checked, or for a version that cannot be read.
  func owner(of mapping: UnusableMapping, among readings: [ReadBundle]) -> String? {
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

  /// True for the name of a folder of mapping files for one of these bundles, or for several merged bundles.
  static func isFolder(_ name: String, of bundles: Set<String>) -> Bool {
    bundles.contains(name) || MergedName(name).parts.allSatisfy(bundles.contains)
  }

  /// One note for each unusable mapping model in a folder that is named after several bundles.
  func unusableMappingsOfSeveral(_ unusable: [UnusableMapping], _ readings: [ReadBundle]) -> [String] {
    let here = Set(readings.map(\.bundle.name))
    return unusable.filter { mapping in
      MappingPath.bundleName(of: mapping.path).map { !here.contains($0) } ?? false
    }.map { $0.sentence }
  }

  /// One note for each folder of mapping files without a bundle of its name in the project.
  func mappingsOfNoBundle(_ readings: [ReadBundle]) -> [String] {
    let here = Set(readings.map(\.bundle.name))
    let elsewhere = mappingPaths.compactMap { path in MappingPath.bundleName(of: path).map { (name: $0, path: path) } }
      .filter { !here.contains($0.name) }
    guard !elsewhere.isEmpty else { return [] }
    let known = here.union(search.files(under: search.project.path).bundles.map(BundlePath.stem))
    let lost = Dictionary(grouping: elsewhere.filter { !Self.isFolder($0.name, of: known) }, by: \.name)
    return lost.sorted { $0.key < $1.key }.map { name, files in
      let paths = files.map(\.path)
      let nearest = NearNames.clause(Array(NearNames.nearest(to: name, among: known.sorted()).prefix(1)))
      return "\(NameList.text(paths.sorted())) is for the bundle “\(name)”, which is not in this project\(nearest)"
    }
  }

  /// The additional files of mapping models that unions need: of unchecked bundles, and of models merged with them.
  func mappingReadingsOfUnions(_ readings: [ReadBundle]) -> [UnmatchedMappingModel] {
    guard !configuration.unions.isEmpty else { return [] }
    let here = Set(readings.map(\.bundle.name))
    let places = Set(readings.map { RealPath.of($0.bundle.path) })
    let unions = configuration.unions.map { $0.paths.map(configuration.path) }
    let names = unions.reduce(into: here) { names, paths in
      if paths.contains(where: { places.contains(RealPath.of($0)) }) { names.formUnion(paths.map(BundlePath.stem)) }
    }
    guard names != here else { return [] }
    return UnmatchedMappingModel.all(
      at: mappingPaths.filter { path in
        MappingPath.bundleName(of: path).map { !Self.isFolder($0, of: here) && Self.isFolder($0, of: names) } ?? false
      }, replacing: configuration.policies)
  }

  /// The orphaned lock files, each with the bundle here that it now belongs to.
  func orphanedLocks(_ readings: [ReadBundle]) -> [(orphan: OrphanedLock, successor: String?)] {
    var open = readings.filter { !FileManager.default.fileExists(atPath: LockFile.path(beside: $0.bundle)) }
    let elsewhere = open.isEmpty || paths.contains(search.project.path) ? [] : [search.project.path]
    let orphans = OrphanedLock.find(under: paths, search)
    let named = Set(orphans.map(\.lock.path))
    return
      (orphans
      + (elsewhere.isEmpty ? [] : OrphanedLock.find(under: elsewhere, search).filter { !named.contains($0.lock.path) }))
      .compactMap { orphan in
        guard !configuration.excludes(orphan.lock.path), !configuration.excludes(orphan.bundlePath) else { return nil }
        let successor = open.firstIndex(where: orphan.hasVersion) ?? open.firstIndex(where: orphan.isOf)
        guard let successor else { return named.contains(orphan.lock.path) ? (orphan, nil) : nil }
        return (orphan, open.remove(at: successor).bundle.path)
      }
  }

  /// The deleted and moved bundles of the base and of orphaned lock files, each once.
  func merged(_ gone: [DeletedBundle], _ orphans: [(orphan: OrphanedLock, successor: String?)]) -> [DeletedBundle] {
    let byPath = Dictionary(gone.map { ($0.path, $0) }) { first, _ in first }
    let found = orphans.map { orphan, successor in
      let known = byPath[orphan.bundlePath]
      return DeletedBundle(
        path: orphan.bundlePath, releasedVersions: known?.releasedVersions ?? orphan.releasedVersions,
        movedTo: successor ?? known?.movedTo, base: known?.base ?? BundlePath.lastComponent(orphan.lock.path),
        lockLocation: orphan.location)
    }
    let paths = Set(found.map(\.path))
    return gone.filter { !paths.contains($0.path) } + found
  }
}
