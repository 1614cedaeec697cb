/// A model version that stores cannot be held against, and why.
public struct VersionFailure: Hashable, Sendable {
  /// The path of its bundle.
  public let bundle: String
  /// The version's name.
  public let version: String
  /// What is wrong with it.
  public let reason: String
}
