/// An element of an XML document with its place.
package struct MarkupElement: Hashable, Sendable {
  /// An attribute as written.
  package struct Attribute: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  /// The element's local name.
  package var name: String
  /// Its attributes in the file's order.
  package var attributes: [Attribute]
  /// The elements directly inside.
  package var children: [MarkupElement] = []
  /// The text directly inside.
  package var text = ""
  /// The place of the start tag's `<`.
  package var location: SourceLocation

  /// The value of an attribute.
  package subscript(attribute attribute: String) -> String? {
    attributes.first { $0.name.utf8.count == attribute.utf8.count && $0.name == attribute }?.value
  }

  /// The elements of this name directly inside.
  package func children(named name: String) -> [MarkupElement] {
    children.filter { $0.name == name }
  }
}
