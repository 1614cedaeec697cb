public import ModelFiles
import VersionHashing

extension KnownVersion {
  /// Reads every usable version of these bundles, on all cores.
  ///
  /// - Parameter bundles: the bundles in the order in which they are preferred.
  /// - Returns: the versions in the bundles' order, and the errors of those that cannot be used.
  public static func load(
    from bundles: [ModelBundle]
  ) -> (versions: [KnownVersion], failures: [VersionFailure]) {
    var versions: [KnownVersion] = []
    var failures: [VersionFailure] = []
    let named = bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle, version: $0) } }
    let memory = EntityHashMemory()
    let results = named.concurrentMap { bundle, version in
      Result {
        try KnownVersion(
          bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName,
          model: version.load().model, sharing: memory)
      }
    }
    for ((bundle, version), result) in zip(named, results) {
      switch result {
      case .success(let known): versions.append(known)
      case .failure(let error):
        failures.append(VersionFailure(bundle: bundle.path, version: version.name, reason: "\(error)"))
      }
    }
    return (versions, failures)
  }
}
