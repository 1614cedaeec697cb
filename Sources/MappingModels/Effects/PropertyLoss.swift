import ModelDescription

/// What is lost of one property, before it is known at which entity it is told.
struct PropertyLoss: Hashable {
  var kind: DataLoss.Kind
  var otherElement: String?

  init(kind: DataLoss.Kind, otherElement: String? = nil) {
    self.kind = kind
    self.otherElement = otherElement
  }

  func dataLoss(at element: String) -> DataLoss {
    DataLoss(element: element, otherElement: otherElement, kind: kind, sentence: sentence(at: element))
  }

  private func sentence(at element: String) -> String {
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
