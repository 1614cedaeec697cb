public import ModelDescription

/// Several entities or properties that claim to be one another's former selves, so that none can be chosen.
public struct PairingAmbiguity: Hashable, Sendable {
  /// The first destination that makes the claim.
  public let element: ModelElement
  /// The name by which they claim each other.
  public let claimedName: String
  /// The names in the source that are claimed.
  public let sources: [String]
  /// The names in the destination that claim them.
  public let destinations: [String]
}
