public import ModelDescription

/// One thing that changed between two versions.
public struct Change: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    case added
    case removed
    /// The element is continued under another name.
    case renamed(from: String, to: String)
    /// The property is declared by another entity of the hierarchy.
    case moved(from: String, to: String)
    case attributeBecameRelationship
    case relationshipBecameAttribute
    case changed(Aspect, from: AspectValue, to: AspectValue)
    /// A name changed only because what it names was renamed.
    case followsRename(Aspect, from: String, to: String)
    /// Nothing of the entity itself changed, but an ancestor did, whose hash is part of this entity's.
    case followsAncestor(String)
  }

  /// The element in the destination; in the source when it is removed.
  public let element: ModelElement
  /// The element in the source, nil when it is added.
  public let sourceElement: ModelElement?
  /// What happened.
  public let kind: Kind
  /// True when the change alone gives an entity another version hash.
  public let changesHash: Bool
  /// Whether Core Data infers a migration across it.
  public let inferability: Inferability
  /// What happens to the rows.
  public let effect: DataEffect
}

extension Change {
  /// True for what only follows from another change.
  package var isConsequence: Bool {
    switch kind {
    case .followsRename, .followsAncestor: true
    default: false
    }
  }

  /// The same change where it leaves every hash.
  var withoutHash: Change {
    Change(
      element: element, sourceElement: sourceElement, kind: kind, changesHash: false, inferability: inferability,
      effect: effect)
  }

  /// The same change where the whole of what changed leaves every hash.
  var withoutMigration: Change {
    Change(
      element: element, sourceElement: sourceElement, kind: kind, changesHash: false, inferability: .noMigration,
      effect: .columnKeepsItsName)
  }
}
