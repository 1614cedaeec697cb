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
}
