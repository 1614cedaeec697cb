import ModelDescription

extension DataLoss {
  /// The loss as a sentence, without its full stop.
  public var sentence: String {
    switch cause {
    case .models: sentenceOfModels
    case .noEntityMapping: "no entity mapping reads the entity \(element)"
    case .removed(let mapping): "the entity mapping \(mapping) removes the entity \(element)"
    case .unread:
      kind == .relationshipRemoved
        ? "no look-up follows the links of \(element)" : "no expression reads the \(kind.content) of \(element)"
    case .filtered:
      kind == .entityRemoved
        ? "objects of \(element) that match no filter are not migrated"
        : "the \(kind.content) of \(element) are not read in rows that match no filter of their mappings"
    case .notFound: "links of \(element) point to objects that no look-up finds"
    case .unordered(let destination): "the order of \(element) is lost, because \(destination) is not ordered"
    case .duplicates(let entity):
      """
      links of \(element) to duplicate rows of \(entity) are lost, because a one-to-one link does not move to the row that \
      is kept; the choice to remove duplicates allows this loss
      """
    }
  }

  private var sentenceOfModels: String {
    switch kind {
    case .entityRemoved: "the entity \(element) and all its objects are deleted"
    case .attributeRemoved: "the attribute \(element) and all its values are deleted"
    case .relationshipRemoved: "the relationship \(element) and all its links are deleted"
    case .attributeBecameRelationship: "\(element) becomes a relationship, and its values are deleted"
    case .relationshipBecameAttribute: "\(element) becomes an attribute, and its links are deleted"
    case .orderLost: "the order of \(element) is lost"
    case .narrowing(let conversions):
      "values of \(element) that do not fit \(conversions.map(\.to.name).joined(separator: ", then ")) change"
    case .linksDropped: "links of \(element) to objects that it can no longer hold are deleted"
    }
  }
}

extension DataLoss.Kind {
  /// The amount that is lost, such as `3 rows`.
  package func amount(_ count: Int) -> String {
    switch self {
    case .entityRemoved: count == 1 ? "1 row" : "\(count) rows"
    case .orderLost: count == 1 ? "1 list" : "\(count) lists"
    case .relationshipRemoved, .relationshipBecameAttribute, .linksDropped: count == 1 ? "1 link" : "\(count) links"
    case .attributeRemoved, .attributeBecameRelationship, .narrowing: count == 1 ? "1 value" : "\(count) values"
    }
  }

  /// The plural noun for the content of a property.
  fileprivate var content: String {
    switch self {
    case .relationshipRemoved, .relationshipBecameAttribute, .linksDropped, .orderLost: "links"
    case .entityRemoved, .attributeRemoved, .attributeBecameRelationship, .narrowing: "values"
    }
  }
}
