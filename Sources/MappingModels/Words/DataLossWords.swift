import ModelDescription

extension DataLoss {
  /// The loss in one sentence, without its full stop.
  public var sentence: String {
    switch cause {
    case .models: sentenceOfModels
    case .noEntityMapping: "entity \(element) is in no entity mapping"
    case .removed(let mapping): "entity \(element) is removed by the entity mapping \(mapping)"
    case .unread:
      kind == .relationshipRemoved
        ? "no look-up follows the links of \(element)" : "nothing reads the \(kind.content) of \(element)"
    case .filtered:
      kind == .entityRemoved
        ? "objects of \(element) that no filter takes are not carried over"
        : "the \(kind.content) of \(element) are not read on the rows that no filter of their mappings takes"
    case .notFound: "links of \(element) lead to objects that no look-up finds"
    case .unordered(let destination): "the order of \(element) is lost, because \(destination) keeps none"
    case .duplicates(let entity):
      """
      links of \(element) to rows of \(entity) that go as duplicates are emptied, because a one-to-one link does not \
      move to the one that stays (--dedupe consents to it)
      """
    }
  }

  private var sentenceOfModels: String {
    switch kind {
    case .entityRemoved: "the entity \(element) goes with all its objects"
    case .attributeRemoved: "the attribute \(element) goes with all its values"
    case .relationshipRemoved: "the relationship \(element) goes with all its links"
    case .attributeBecameRelationship: "\(element) becomes a relationship and its values go"
    case .relationshipBecameAttribute: "\(element) becomes an attribute and its links go"
    case .orderLost: "the order of \(element) goes"
    case .narrowing(let conversions):
      "values of \(element) that do not fit \(conversions.map(\.to.name).joined(separator: ", then ")) change"
    case .linksDropped: "links of \(element) to objects that it no longer leads to go"
    }
  }
}

extension DataLoss.Kind {
  /// How much is lost, such as `3 rows`.
  package func amount(_ count: Int) -> String {
    switch self {
    case .entityRemoved: count == 1 ? "1 row" : "\(count) rows"
    case .orderLost: count == 1 ? "1 list" : "\(count) lists"
    case .relationshipRemoved, .relationshipBecameAttribute, .linksDropped: count == 1 ? "1 link" : "\(count) links"
    case .attributeRemoved, .attributeBecameRelationship, .narrowing: count == 1 ? "1 value" : "\(count) values"
    }
  }

  /// What a property held that is lost.
  fileprivate var content: String {
    switch self {
    case .relationshipRemoved, .relationshipBecameAttribute, .linksDropped, .orderLost: "links"
    case .entityRemoved, .attributeRemoved, .attributeBecameRelationship, .narrowing: "values"
    }
  }
}
