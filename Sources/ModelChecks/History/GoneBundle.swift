public import ModelFiles

/// A bundle that is not there any more, or left out now, as the base or an orphaned lock file has it.
public struct GoneBundle: Hashable, Sendable {
  /// Where it was, as seen from the working folder.
  public let path: String
  /// The versions of it that users have, in their natural order.
  public let releasedVersions: [String]
  /// The bundle here that continues it, nil when none does.
  public let movedTo: String?
  /// The name of the base, or of the lock file.
  public let base: String
  /// What git finds the base by; nil for a folder.
  public let revision: String?
  /// Its path in a folder that is the base.
  var copy: String?
  /// Where the lock file that stayed behind names its versions, nil when none did.
  public let lockLocation: SourceLocation?
  /// The configuration that leaves it out now, nil when it is not there any more.
  public let excludedBy: String?

  /// Makes a gone bundle.
  public init(
    path: String, releasedVersions: [String], movedTo: String?, base: String, revision: String? = nil,
    lockLocation: SourceLocation? = nil, excludedBy: String? = nil
  ) {
    (self.path, self.releasedVersions, self.movedTo, self.base) = (path, releasedVersions, movedTo, base)
    (self.revision, self.lockLocation, self.excludedBy) = (revision, lockLocation, excludedBy)
  }
}
