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

  /// True for what only follows from another change.
  package var isConsequence: Bool {
    switch kind {
    case .followsRename, .followsAncestor: true
    default: false
    }
  }
}
