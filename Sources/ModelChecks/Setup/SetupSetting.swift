/// A key of git's configuration that a clone is to have.
public struct SetupSetting: Hashable, Sendable {
  /// What becomes of it, as of files.
  public let state: SetupFile.State
  /// The key.
  public let key: String
  /// The value that it gets, or has.
  public let value: String
}
