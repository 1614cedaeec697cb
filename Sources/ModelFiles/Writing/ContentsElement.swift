/// An element of a `contents` file as a value: what is written of it but for the form of the text.
struct ContentsElement: Hashable, Sendable {
  /// An attribute in the file's order.
  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [ContentsElement] = []

  init(_ name: String, children: [ContentsElement] = []) {
    (self.name, self.children) = (name, children)
  }

  /// Takes an element of a document; the reader has bounded its depth.
  init(_ node: MarkupNode) {
    name = node.name
    attributes = node.attributes.map { Attribute(name: $0.name, value: $0.value) }
    children = node.children.map(ContentsElement.init)
  }

  /// The value of an attribute.
  subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// Adds an attribute behind the others; one without a value is not written.
  mutating func set(_ attribute: String, _ value: String?) {
    if let value { attributes.append(Attribute(name: attribute, value: value)) }
  }

  /// Adds an attribute that means nothing when it is empty.
  mutating func set(_ attribute: String, filled value: String?) {
    set(attribute, value.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// Adds an attribute that is written only when it is true.
  mutating func set(_ attribute: String, flag: Bool) { set(attribute, flag ? "YES" : nil) }

  /// The same with its attributes in the order in which Xcode writes them.
  func inEditorOrder() -> ContentsElement {
    var ordered = self
    ordered.attributes = attributes.enumerated().sorted { first, second in
      let ranks = [first, second].map { EditorOrder.rank(ofAttribute: $0.element.name, in: name) ?? .max }
      return (ranks[0], first.offset) < (ranks[1], second.offset)
    }.map(\.element)
    return ordered
  }
}
