public import ModelDescription

/// Several entities or properties of both versions that claim each other, so that none can be chosen.
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

extension PairingAmbiguity {
  /// The claimants and the claimed, each listed as far as somebody reads on.
  package func words(separator: String = ", ") -> (destinations: String, sources: String) {
    (Self.list(destinations, separator), Self.list(sources, separator))
  }

  /// Names that all claim each other are listed once for each of them, so that long lists would multiply.
  private static func list(_ names: [String], _ separator: String) -> String {
    let listed = names.prefix(10).joined(separator: separator)
    return names.count > 10 ? "\(listed) and \(names.count - 10) more" : listed
  }
}
