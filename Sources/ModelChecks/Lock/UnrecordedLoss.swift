/// What is lost on the way to a version, and not recorded as meant.
public struct UnrecordedLoss: Hashable, Sendable {
  /// The entity, or `Entity.property`, that consents to it.
  public let name: String
  /// What goes, in a sentence without its full stop.
  public let sentence: String
}
