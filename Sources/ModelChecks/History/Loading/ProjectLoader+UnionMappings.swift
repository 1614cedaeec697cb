import ModelFiles

extension ProjectLoader {
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
      })
  }
}
