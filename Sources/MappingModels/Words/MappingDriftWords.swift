import ModelComparison

extension MappingDrift: CustomStringConvertible {
  /// The sentence.
  public var description: String { sentence }

  /// The change as a sentence, without its full stop.
  public var sentence: String {
    switch (cause, property) {
    case (.change(let change), let property?):
      "\(side) entity \(entity): \(isAttribute ? "attribute" : "relationship") \(property) \(predicate(change))"
    case (.change(let change), nil): "\(side) entity \(entity): it \(predicate(change))"
    case (.unexplained, _): "\(side) entity \(entity): its version hash has changed since the mapping was made"
    }
  }

  private static let then = "when the mapping was made"

  private func predicate(_ change: Change) -> String {
    switch change.kind {
    case .added: return "did not exist \(Self.then) and exists now"
    case .removed: return "existed \(Self.then) and is removed now"
    case .renamed(let from, let to): return "was named \(from) \(Self.then) and is named \(to) now"
    case .moved(let from, let to): return "was declared by \(from) \(Self.then) and is declared by \(to) now"
    case .attributeBecameRelationship: return "was an attribute \(Self.then) and is a relationship now"
    case .relationshipBecameAttribute: return "was a relationship \(Self.then) and is an attribute now"
    case .changed(.type, let from, let to): return "was \(from) \(Self.then) and is \(to) now"
    case .changed(let aspect, .flag(let from), .flag(let to)):
      let word = Self.adjectives[aspect] ?? aspect.rawValue
      return "was \(from ? "" : "not ")\(word) \(Self.then) and is \(to ? "" : "not ")\(word) now"
    case .changed(let aspect, let from, let to): return "had \(noun(aspect)) \(from) \(Self.then) and has \(to) now"
    case .followsRename(let aspect, let from, let to):
      return "had \(noun(aspect)) \(from) \(Self.then), and \(from) is named \(to) now"
    case .followsAncestor(let ancestor): return "has a different hash because its ancestor \(ancestor) changed"
    }
  }

  private func noun(_ aspect: Aspect) -> String { "the \(Self.nouns[aspect] ?? aspect.rawValue)" }

  private static let adjectives: [Aspect: String] = [
    .optional: "optional", .transient: "transient", .externalStorage: "stored externally",
    .preservedInHistory: "preserved in history", .ordered: "ordered", .toMany: "to-many", .abstract: "abstract",
  ]

  private static let nouns: [Aspect: String] = [
    .destination: "destination", .inverse: "inverse", .minCount: "minimum count", .maxCount: "maximum count",
    .versionHashModifier: "version hash modifier", .superentity: "parent",
    .uniquenessConstraints: "uniqueness constraints", .derivation: "derivation",
    .derivationFilter: "filter of the derivation", .elements: "elements", .composite: "composite type",
  ]
}
