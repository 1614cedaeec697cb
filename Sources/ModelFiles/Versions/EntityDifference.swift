/// How one entity of a store differs from a model version.
public struct EntityDifference: Hashable, Sendable {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// The version has no entity of that name.
    case onlyInStore
    /// The store has no entity of that name.
    case onlyInVersion
    /// The store's entity is the version's under another name.
    case renamed(inVersion: String)
    /// These edits of the version's entity give exactly the store's hash.
    case edited([ModelEdit])
    /// The store's entity is that of another version, more than two edits away.
    case asIn(version: String)
    /// The difference comes from the parent alone.
    case inherited(from: String)
    /// The difference comes from the new name of an entity that a relationship points at.
    case renamedDestination
    /// The hashes differ by more than two edits.
    case unexplained
  }

  /// The entity's name in the store.
  public let entity: String
  /// What differs.
  public let kind: Kind

  /// Makes a difference.
  public init(entity: String, kind: Kind) {
    self.entity = entity
    self.kind = kind
  }
}

extension EntityDifference.Kind {
  /// How many edits tell the difference; what follows from an edit elsewhere is none.
  var editCount: Int {
    switch self {
    case .inherited, .renamedDestination: 0
    case .onlyInStore, .onlyInVersion, .renamed, .asIn: 1
    case .edited(let edits): edits.count
    case .unexplained: 3
    }
  }
}

extension EntityDifference: CustomStringConvertible {
  /// The difference in one sentence, as seen from the time when the store was written.
  public var description: String {
    switch kind {
    case .onlyInStore: "\(entity) is only in the store"
    case .onlyInVersion: "\(entity) was not there"
    case .renamed(let name): "\(name) was still named \(entity)"
    case .edited(let edits): edits.map(\.description).joined(separator: ", and ")
    case .asIn(let version): "\(entity) was still as in \(version)"
    case .inherited(let parent): "\(entity) differs only by its parent \(parent)"
    case .renamedDestination: "\(entity) differs only by the name of the entity it points at"
    case .unexplained: "\(entity) differs by more than two edits"
    }
  }
}
