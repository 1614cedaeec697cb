import ModelComparison
import ModelDescription

extension Change {
  /// What happened, as it stands behind the element's name.
  var clause: String {
    switch kind {
    case .added: "was added"
    case .removed: "was removed"
    case .renamed(let from, _): "was renamed from \(from)"
    case .moved(let from, let to): "was moved from \(from) to \(to)"
    case .attributeBecameRelationship: "was an attribute and is a relationship"
    case .relationshipBecameAttribute: "was a relationship and is an attribute"
    case .changed(let aspect, from: .flag, to: .flag(let isSet)) where aspect.isAdjective:
      isSet ? "is \(aspect.adjective) now" : "is not \(aspect.adjective) any more"
    case .changed(let aspect, let from, let to): "has \(aspect.rawValue) \(to) instead of \(from)"
    case .followsRename(let aspect, let from, let to): "has \(aspect.rawValue) \(to) instead of \(from)"
    case .followsAncestor(let ancestor): "inherits the change of \(ancestor)"
    }
  }

  /// True for what only follows from another change.
  var isConsequence: Bool {
    switch kind {
    case .followsRename, .followsAncestor: true
    default: false
    }
  }
}

extension Aspect {
  /// True for a setting whose name says what something is.
  fileprivate var isAdjective: Bool {
    switch self {
    case .optional, .transient, .indexed, .ordered, .abstract, .toMany: true
    default: false
    }
  }

  fileprivate var adjective: String { self == .toMany ? "to-many" : rawValue }
}
