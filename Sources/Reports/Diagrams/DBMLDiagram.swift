/// A picture in the Database Markup Language of dbdiagram.io and dbdocs.io.
///
/// The language has tables, columns and references, so an object's identity is a column, a to-one relationship a column
/// that refers to one, and inheritance a reference between identities. Notes say what the language has no words for.
public struct DBMLDiagram: Hashable, Sendable {
  /// The document.
  public let text: String

  /// Renders a picture.
  public init(_ diagram: Diagram) {
    var names = DBMLNames()
    var tables: [String: DBMLTable] = [:]
    for node in diagram.nodes { tables[node.name] = DBMLTable(node, name: names.unique(node.name)) }
    var references: [String] = []
    var linked: Set<Set<String>> = []
    for edge in diagram.edges { references += Self.references(edge, &tables, &linked) }
    let title = "// \(DBMLNames.line(diagram.title)): \(DBMLNames.line(diagram.summary))"
    let blocks = diagram.nodes.compactMap { tables[$0.name]?.text }
    text =
      ([title] + blocks + (references.isEmpty ? [] : [references.joined(separator: "\n")]))
      .joined(separator: "\n\n") + "\n"
  }

  /// The reference of a line; a comment where two columns are linked already, which the language takes once only.
  private static func references(
    _ edge: Diagram.Edge, _ tables: inout [String: DBMLTable], _ linked: inout Set<Set<String>>
  ) -> [String] {
    guard let source = tables[edge.source], let target = tables[edge.target] else { return [] }
    guard edge.kind == .relationship, let there = edge.targetEnd else {
      let isNew = linked.insert([source.identity, target.identity]).inserted
      return ["\(isNew ? "Ref: " : "// inheritance\n// ")\(source.identity) - \(target.identity)"]
    }
    let back = edge.sourceEnd
    let words = edge.words
    // The side that holds one gets the column; where both hold many, identities are linked.
    if there.maximum == 1 {
      let column = tables[edge.source]?.addReference(there, words: words) ?? ""
      return ["Ref: \(column) \(back?.maximum == 1 ? "-" : ">") \(target.identity)"]
    }
    if let back, back.maximum == 1 {
      let column = tables[edge.target]?.addReference(back, words: words) ?? ""
      return ["Ref: \(column) > \(source.identity)"]
    }
    let comment = "// \(DBMLNames.line(words))\n"
    // An identity that is linked with itself would be a reference from a column to the same column.
    guard edge.source != edge.target, linked.insert([source.identity, target.identity]).inserted else {
      return [comment + "// \(source.identity) <> \(target.identity)"]
    }
    return [comment + "Ref: \(source.identity) <> \(target.identity)"]
  }
}
