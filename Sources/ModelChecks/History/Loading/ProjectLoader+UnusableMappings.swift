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
    }.map(\.description)
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
      let nearest = NearNames.nearest(to: name, among: known.sorted()).first.map { "; did you mean “\($0)”?" } ?? ""
      return "\(NameList.text(paths.sorted())) is for a bundle “\(name)”, which is not here\(nearest)"
    }
  }
}
