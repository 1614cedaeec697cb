public import ModelFiles

extension KnownMapping {
  /// Reads mapping models and finds the versions they are between.
  ///
  /// Xcode's and compiled mapping models are recognised by hashes, ours by the names they state.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - versions: the versions there are.
  /// - Returns: the mappings in the files' order, one for each pair of versions, and the files that cannot be used.
  public static func load(
    from paths: [String], among versions: [KnownVersion]
  ) -> (mappings: [KnownMapping], failures: [UnusableMapping]) {
    let loader = MappingLoader(versions: versions)
    var mappings: [KnownMapping] = []
    var failures: [UnusableMapping] = []
    for path in paths {
      switch loader.load(path) {
      case .success(let found): mappings += found
      case .failure(let failure): failures.append(failure)
      }
    }
    return (mappings, failures)
  }

  /// Reads one mapping model and finds the two versions it is between.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - versions: the versions there are.
  /// - Returns: the mapping, of the first bundle that it fits.
  /// - Throws: ``UnusableMapping``.
  public static func only(at path: String, among versions: [KnownVersion]) throws(UnusableMapping) -> KnownMapping {
    let found = try MappingLoader(versions: versions).load(path).get()
    guard let first = found.first else {
      throw UnusableMapping(path: path, fault: .fitsNoVersions, reason: "\(path): its versions are not in one bundle")
    }
    return first
  }

  /// The versions that an Xcode mapping model is meant for: those with the hashes of its models, else those it names.
  ///
  /// - Parameters:
  ///   - file: the mapping model.
  ///   - versions: the versions there are.
  /// - Returns: the two versions, as far as they are here.
  public static func versions(
    mappedBy file: XcodeMappingModel, among versions: [KnownVersion]
  ) -> (source: KnownVersion?, destination: KnownVersion?) {
    func version(_ snapshot: MappingModelSnapshot) -> KnownVersion? {
      versions.first { $0.versionHashes == snapshot.hashes } ?? versions.first(where: snapshot.isNamed)
    }
    return (version(file.source), version(file.destination))
  }

  /// The versions that one of our files names.
  ///
  /// - Parameters:
  ///   - file: the mapping file.
  ///   - versions: the versions there are.
  /// - Returns: the two versions, of the first bundle that has both.
  /// - Throws: ``UnusableMapping``.
  public static func versions(
    namedBy file: MappingFile, among versions: [KnownVersion]
  ) throws(UnusableMapping) -> (source: KnownVersion, destination: KnownVersion) {
    let pairs = try MappingLoader(versions: versions).pairs(namedBy: file).get()
    guard let first = pairs.first else {
      throw UnusableMapping(
        path: file.path, fault: .fitsNoVersions, reason: "\(file.path): its versions are not in one bundle")
    }
    return (first.source, first.destination)
  }
}
