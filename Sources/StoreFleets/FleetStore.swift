/// One of many stores that are to be migrated.
public struct FleetStore: Hashable, Sendable {
  /// The path, as somebody names the store who named its folder as the command did.
  public let path: String
  /// Its name in the journal.
  let key: String
  /// True when it was named itself, so that it must be a store; false when it was found in a folder.
  public let isNamed: Bool
  /// Which attempt this is, from 1.
  public let attempt: Int
  /// False when it is known that no crash left a copy of it behind, so that nobody need look.
  public let mayHaveLeftovers: Bool
}
