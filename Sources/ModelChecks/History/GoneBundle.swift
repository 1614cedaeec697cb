/// A bundle that the base has and the working folder has not.
public struct GoneBundle: Hashable, Sendable {
  /// Where it was, as seen from the working folder.
  public let path: String
  /// The versions of it that users have, in their natural order.
  public let releasedVersions: [String]
  /// The bundle here that continues it, nil when none does.
  public let movedTo: String?
  /// The base's name.
  public let base: String
  /// What git finds the base by; nil for a folder.
  public let revision: String?

  /// Makes a gone bundle.
  public init(path: String, releasedVersions: [String], movedTo: String?, base: String, revision: String? = nil) {
    self.path = path
    self.releasedVersions = releasedVersions
    self.movedTo = movedTo
    self.base = base
    self.revision = revision
  }
}
