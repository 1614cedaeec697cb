public import Foundation
public import ModelDescription

/// Edits the text of a `contents` file in place: every byte that is not asked about stays.
public struct ContentsEditor: Sendable {
  /// A renaming identifier that was given to an element.
  public struct GivenIdentifier: Hashable, Sendable {
    /// The entity or property.
    public let element: ModelElement
    /// The identifier.
    public let identifier: String
  }

  private static let identifiable: Set<String> = ["attribute", "relationship"]

  /// Gives entities, attributes and relationships without a renaming identifier one, where Xcode writes it.
  ///
  /// An element's own name is what it is known by anyway, so that one changes no hash and pairs nothing anew; it makes a
  /// later rename keep its data.
  ///
  /// - Parameters:
  ///   - data: the file's bytes.
  ///   - path: the path that messages name.
  ///   - renames: the identifiers of elements that were renamed.
  ///   - givesOwnNames: whether the others get their own name.
  /// - Returns: the bytes with the identifiers, and which were given, in the file's order.
  /// - Throws: ``ModelFileError``.
  public static func addingIdentifiers(
    to data: Data, path: String, renames: [ModelElement: String] = [:], givesOwnNames: Bool = true
  ) throws(ModelFileError) -> (data: Data, given: [GivenIdentifier]) {
    _ = try ContentsReader.read(data, path: path)
    let source = try MarkupSource(data, path: path)
    var edits: [ByteEdit] = []
    var given: [GivenIdentifier] = []
    func add(to node: MarkupNode, _ element: ModelElement) {
      guard node.filled("elementID") == nil, node.filled("renamingIdentifier") == nil, let name = node.filled("name"),
        let identifier = renames[element] ?? (givesOwnNames ? name : nil)
      else { return }
      edits.append(edit(of: node, identifier: identifier))
      given.append(GivenIdentifier(element: element, identifier: identifier))
    }
    for entity in source.root.children where entity.name == "entity" {
      guard let entityName = entity.filled("name") else { continue }
      add(to: entity, .entity(entityName))
      for property in entity.children where identifiable.contains(property.name) {
        guard let name = property.filled("name") else { continue }
        add(to: property, .property(entity: entityName, name: name))
      }
    }
    return (Data(ByteEdit.apply(edits, to: source.bytes)), given)
  }

  /// Puts ` elementID="…"` where Xcode writes it, in place of an empty one.
  private static func edit(of node: MarkupNode, identifier: String) -> ByteEdit {
    let text = "elementID=\"\(XMLText.attribute(identifier))\""
    if let empty = node.attributes.first(where: { $0.name == "elementID" }) {
      return ByteEdit(empty.range, text.utf8)
    }
    let position = EditorOrder.position(of: "elementID", among: node.attributes.map(\.name), in: node.name)
    let offset =
      position > 0 ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
    return ByteEdit(offset..<offset, " \(text)".utf8)
  }
}
