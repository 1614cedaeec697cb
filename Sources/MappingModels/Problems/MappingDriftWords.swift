import ModelComparison
import ModelDescription

/// Puts changes of a model since a mapping was made into words.
struct MappingDriftWords {
  let side: MappingSide
  let snapshot: EntityHierarchy
  let model: EntityHierarchy

  private static let then = "when the mapping was made"

  /// True when a drift tells that the entity goes on under another name.
  func isFormerName(_ entity: String, of drifts: [MappingDrift]) -> Bool {
    drifts.contains { drift in
      if case .change(let change) = drift.cause, change.formerElement == .entity(entity) { true } else { false }
    }
  }

  func sentence(_ change: Change) -> String {
    switch change.element {
    case .property(let entity, let name):
      "\(side) entity \(entity): \(kind(of: name, entity)) \(name) \(predicate(change))"
    case .entity(let name), .uniquenessConstraint(let name, _): "\(side) entity \(name): it \(predicate(change))"
    default: "\(side) model: \(change.element) \(predicate(change))"
    }
  }

  private func kind(of property: String, _ entity: String) -> String {
    let isAttribute = [model, snapshot].contains { $0.allAttributes(of: entity)[property] != nil }
    return isAttribute ? "attribute" : "relationship"
  }

  private func predicate(_ change: Change) -> String {
    switch change.kind {
    case .added: return "was not there \(Self.then) and is now"
    case .removed: return "was there \(Self.then) and is gone now"
    case .renamed(let from, let to): return "was named \(from) \(Self.then) and is named \(to) now"
    case .moved(let from, let to): return "was declared by \(from) \(Self.then) and is declared by \(to) now"
    case .attributeBecameRelationship: return "was an attribute \(Self.then) and is a relationship now"
    case .relationshipBecameAttribute: return "was a relationship \(Self.then) and is an attribute now"
    case .changed(.type, let from, let to): return "was \(from) \(Self.then) and is \(to) now"
    case .changed(let aspect, .flag(let from), .flag(let to)):
      let word = Self.adjectives[aspect] ?? aspect.rawValue
      return "was \(from ? "" : "not ")\(word) \(Self.then) and is \(to ? "" : "not ")\(word) now"
    case .changed(let aspect, let from, let to):
      return "had \(noun(aspect)) \(from) \(Self.then) and has \(to) now"
    case .followsRename(let aspect, let from, let to):
      return "had \(noun(aspect)) \(from) \(Self.then), which is named \(to) now"
    case .followsAncestor(let ancestor): return "has another hash because \(ancestor), which it inherits from, changed"
    }
  }

  private func noun(_ aspect: Aspect) -> String { "the \(Self.nouns[aspect] ?? aspect.rawValue)" }

  private static let adjectives: [Aspect: String] = [
    .optional: "optional", .transient: "transient", .externalStorage: "stored externally",
    .preservedInHistory: "preserved in history", .ordered: "ordered", .toMany: "to-many", .abstract: "abstract",
  ]

  private static let nouns: [Aspect: String] = [
    .destination: "destination", .inverse: "inverse", .minCount: "least count", .maxCount: "greatest count",
    .versionHashModifier: "version hash modifier", .superentity: "parent",
    .uniquenessConstraints: "uniqueness constraints", .derivation: "derivation",
    .derivationFilter: "filter of the derivation", .elements: "elements", .composite: "composite type",
  ]
}
