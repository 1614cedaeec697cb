extension KnownMapping {
  /// Reads mapping models on all cores and finds the versions they are between.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - versions: the versions there are.
  /// - Returns: the mappings in the files' order, one for each pair of versions, and the files that cannot be used.
  public static func load(
    from paths: [String], among versions: [LoadedVersion]
  ) -> (mappings: [KnownMapping], failures: [UnusableMapping]) {
    find(in: MappingReading.all(at: paths), among: VersionIndex(versions))
  }

  /// Finds the versions that mapping models are between.
  ///
  /// Xcode's and compiled mapping models are recognised by hashes, ours by the names they state.
  ///
  /// - Parameters:
  ///   - readings: the files.
  ///   - index: the versions there are.
  /// - Returns: the mappings in the files' order, one for each pair of versions, and the files that cannot be used.
  public static func find(
    in readings: [MappingReading], among index: @autoclosure () -> VersionIndex
  ) -> (mappings: [KnownMapping], failures: [UnusableMapping]) {
    guard !readings.isEmpty else { return ([], []) }
    let loader = MappingLoader(index: index())
    var mappings: [KnownMapping] = []
    var failures: [UnusableMapping] = []
    for reading in readings {
      switch loader.load(reading) {
      case .success(let found): mappings += found
      case .failure(let failure): failures.append(failure)
      }
    }
    return (mappings, failures)
  }

  /// Finds the two versions that one mapping model is between.
  ///
  /// - Parameters:
  ///   - reading: the file.
  ///   - index: the versions there are.
  /// - Returns: the mapping, of the first bundle that it fits.
  /// - Throws: ``UnusableMapping``.
  public static func only(in reading: MappingReading, among index: VersionIndex) throws(UnusableMapping) -> KnownMapping
  {
    let found = try MappingLoader(index: index).load(reading).get()
    guard let first = found.first else {
      throw UnusableMapping(
        path: reading.path, refusal: .fitsNoVersions, cause: .severalBundles)
    }
    return first
  }

  /// The versions that an Xcode mapping model is meant for: those with the hashes of its models, else those it names.
  ///
  /// - Parameters:
  ///   - file: the mapping model.
  ///   - index: the versions there are.
  /// - Returns: the two versions, as far as they are here.
  public static func versions(
    mappedBy file: XcodeMappingModel, among index: VersionIndex
  ) -> (source: LoadedVersion?, destination: LoadedVersion?) {
    func version(_ snapshot: MappingModelSnapshot) -> LoadedVersion? {
      index.versions(with: snapshot.hashes).first ?? index.versions(named: snapshot).first
    }
    return (version(file.source), version(file.destination))
  }

  /// The versions that one of our files names.
  ///
  /// - Parameters:
  ///   - file: the mapping file.
  ///   - index: the versions there are.
  /// - Returns: the two versions, of the first bundle that has both.
  /// - Throws: ``UnusableMapping``.
  public static func versions(
    namedBy file: MappingFile, among index: VersionIndex
  ) throws(UnusableMapping) -> (source: LoadedVersion, destination: LoadedVersion) {
    let pairs = try MappingLoader(index: index).pairs(namedBy: file).get()
    guard let first = pairs.first else {
      throw UnusableMapping(
        path: file.path, refusal: .fitsNoVersions, cause: .severalBundles)
    }
    return (first.source, first.destination)
  }
}
