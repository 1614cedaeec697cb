import ModelDescription

/// Which properties of one kind of a destination entity continue which of its source entity, inherited ones included.
public struct PropertyPairing: Hashable, Sendable {
  /// The source property of each destination property that has one.
  public let sourceNames: [String: String]
  /// The source properties that nothing continues, sorted.
  public let removed: [String]
  /// The destination properties that continue nothing, sorted.
  public let added: [String]
  /// The claims that settle nothing.
  public let ambiguities: [PairingAmbiguity]

  init(from sources: [CanonicalPairing.Item], to destinations: [CanonicalPairing.Item], of entity: String) {
    let pairing = CanonicalPairing(from: sources, to: destinations)
    sourceNames = pairing.sourceNames
    let continued = Set(pairing.sourceNames.values)
    removed = sources.map(\.name).filter { !continued.contains($0) }.sorted()
    added = destinations.map(\.name).filter { pairing.sourceNames[$0] == nil }.sorted()
    ambiguities = pairing.conflicts.map { conflict in
      PairingAmbiguity(
        element: .property(entity: entity, name: conflict.destinations.first ?? ""),
        claimedName: conflict.claimedName,
        sources: conflict.sources,
        destinations: conflict.destinations
      )
    }
  }
}

extension PropertyPairing {
  /// The names of the destination's properties by those of the source's that they continue.
  package var destinationNames: [String: String] {
    Dictionary(sourceNames.map { ($0.value, $0.key) }, uniquingKeysWith: min)
  }
}
