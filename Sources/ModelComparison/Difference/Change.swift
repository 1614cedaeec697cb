public import ModelDescription

/// A change between two versions.
public struct Change: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: Hashable, Sendable {
    case added
    case removed
    /// The element has a different name in the destination.
    case renamed(from: String, to: String)
    /// A different entity of the hierarchy declares the property.
    case moved(from: String, to: String)
    case attributeBecameRelationship
    case relationshipBecameAttribute
    case changed(Aspect, from: AspectValue, to: AspectValue)
    /// A name changed only because its element was renamed.
    case followsRename(Aspect, from: String, to: String)
    /// Only an ancestor of the entity changed, and the hash of the entity includes the ancestor's hash.
    case followsAncestor(String)
  }

  /// The element in the destination, or in the source if it is removed.
  public let element: ModelElement
  /// The element in the source; nil if it is added.
  public let sourceElement: ModelElement?
  /// The kind of the change.
  public let kind: Kind
  /// True if the change alone changes the version hash of an entity.
  public let changesHash: Bool

  /// True for a consequence of a different change.
  package var isConsequence: Bool {
    switch kind {
    case .followsRename, .followsAncestor: true
    default: false
    }
  }
}
