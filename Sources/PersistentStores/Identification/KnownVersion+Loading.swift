public import ModelFiles

extension KnownVersion {
  /// Reads every usable version of these bundles.
  ///
  /// - Parameter bundles: the bundles in the order in which they are preferred.
  /// - Returns: the versions in the bundles' order, and the errors of those that cannot be used.
  public static func load(
    from bundles: [ModelBundle]
  ) -> (versions: [KnownVersion], failures: [VersionFailure]) {
    var versions: [KnownVersion] = []
    var failures: [VersionFailure] = []
    for bundle in bundles {
      for version in bundle.versions {
        do {
          let known = try KnownVersion(
            bundle: bundle.path, name: version.name, isCurrent: version.name == bundle.currentVersionName,
            model: version.load().model)
          versions.append(known)
        } catch {
          failures.append(VersionFailure(bundle: bundle.path, version: version.name, reason: "\(error)"))
        }
      }
    }
    return (versions, failures)
  }
}
