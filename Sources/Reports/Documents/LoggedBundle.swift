import ModelChecks
public import ModelDescription
public import ModelFiles

/// A bundle with the models of its versions, for its history.
public struct LoggedBundle: Sendable {
  /// The bundle, its versions in order.
  public let bundle: ModelBundle
  /// The models of its versions.
  public let models: [Result<EntityHierarchy, any Error>]
  /// The versions that its lock file records as released.
  public let released: Set<String>

  /// Reads the models of a bundle.
  ///
  /// - Parameter bundle: the bundle, its versions in order.
  /// - Returns: the bundle with them; a lock file that cannot be read says nothing.
  public static func load(_ bundle: ModelBundle) -> LoggedBundle {
    let models = bundle.versions.concurrentMap { version in
      Result { try EntityHierarchy(try version.load().model) }
    }
    let lock = (try? LockFile.read(beside: bundle)) ?? nil
    let released = lock?.entries.filter { $0.value.state == .released }.keys
    return LoggedBundle(bundle: bundle, models: models, released: Set(released.map(Array.init) ?? []))
  }
}
