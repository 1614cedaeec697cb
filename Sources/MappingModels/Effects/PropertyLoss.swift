/// What is lost of one property, before it is known at which entity it is reported.
struct PropertyLoss: Hashable {
  var kind: DataLoss.Kind
  var otherElement: String?

  init(kind: DataLoss.Kind, otherElement: String? = nil) {
    self.kind = kind
    self.otherElement = otherElement
  }

  func dataLoss(at element: String, of entities: [String]) -> DataLoss {
    DataLoss(element: element, otherElement: otherElement, entities: entities, kind: kind)
  }
}
