/// An element of a document together with the bytes it is written in.
struct MarkupNode {
  /// An attribute with its place.
  struct Attribute {
    let name: String
    /// The value as a reader sees it.
    let value: String
    /// From the name to the closing quotation mark.
    let range: Range<Int>
    /// The bytes between the quotation marks.
    let valueRange: Range<Int>
  }

  let name: String
  let attributes: [Attribute]
  let children: [MarkupNode]
  /// From `<` to the last `>`.
  let range: Range<Int>
  /// From the first `<` to where attributes end.
  let head: Range<Int>
  /// The bytes between the tags; nil for an element that is closed at once.
  let content: Range<Int>?

  /// The value of an attribute.
  subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// An attribute's value, nil when it is empty.
  func filled(_ attribute: String) -> String? { self[attribute].flatMap { $0.isEmpty ? nil : $0 } }

  /// What an entity or property is known by in every version: its identifier, else its name.
  var canonicalName: String? { filled("renamingIdentifier") ?? filled("elementID") ?? filled("name") }
}
