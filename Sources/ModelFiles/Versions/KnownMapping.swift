public import MappingModels

/// A written mapping model together with the two versions it maps.
public struct KnownMapping: Sendable {
  /// The path of its file.
  public let path: String
  /// The version whose stores it migrates.
  public let source: LoadedVersion
  /// The version they get.
  public let destination: LoadedVersion
  /// The mapping model.
  public let model: MappingModel

  /// True for a mapping file, which Core Data does not read.
  public var isMappingFile: Bool { MappingPath.form(of: path) == .document }

  /// Makes a mapping between two versions.
  public init(path: String, source: LoadedVersion, destination: LoadedVersion, model: MappingModel) {
    (self.path, self.source, self.destination, self.model) = (path, source, destination, model)
  }

  /// The origin of the mapping model.
  public var origin: ModelStep.Origin {
    if path.isEmpty { return .code }
    return [".xcmappingmodel", ".cdm"].contains { path.hasSuffix($0) } ? .compiled : .file
  }

  /// Reads mapping models on all cores and finds the versions they are between.
  ///
  /// - Returns: the mappings in the files' order, one for each pair of versions, and the files that cannot be used.
  public static func load(
    from paths: [String], among versions: [LoadedVersion], replacing replacements: PolicyReplacements = .init()
  ) -> (mappings: [KnownMapping], failures: [UnusableMapping]) {
    find(in: UnmatchedMappingModel.all(at: paths, replacing: replacements), among: VersionIndex(versions))
  }

  /// Finds the versions that mapping models are between.
  ///
  /// Xcode's and compiled mapping models are recognised by hashes, ours by the names they state.
  ///
  /// - Returns: the mappings in the files' order, one for each pair of versions, and the files that cannot be used.
  public static func find(
    in readings: [UnmatchedMappingModel], among index: @autoclosure () -> VersionIndex
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
  public static func only(in reading: UnmatchedMappingModel, among index: VersionIndex) throws(UnusableMapping)
    -> KnownMapping
  {
    let found = try MappingLoader(index: index).load(reading).get()
    guard let first = found.first else {
      throw UnusableMapping(path: reading.path, refusal: .fitsNoVersions, cause: .severalBundles)
    }
    return first
  }

  /// The versions of an Xcode mapping model: those with the hashes of its models, or the versions that it names.
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
  /// - Returns: the two versions, of the first bundle that has both.
  public static func versions(
    namedBy file: MappingFile, among index: VersionIndex
  ) throws(UnusableMapping) -> (source: LoadedVersion, destination: LoadedVersion) {
    let pairs = try MappingLoader(index: index).pairs(namedBy: file).get()
    guard let first = pairs.first else {
      throw UnusableMapping(path: file.path, refusal: .fitsNoVersions, cause: .severalBundles)
    }
    return (first.source, first.destination)
  }
}
