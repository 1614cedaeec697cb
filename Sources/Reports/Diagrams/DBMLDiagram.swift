/// A diagram in the Database Markup Language of dbdiagram.io and dbdocs.io.
///
/// The language has tables, columns and references. The identity of an object is a column, a to-one relationship is a
/// column that refers to an identity, and inheritance is a reference between identities. Notes describe all other
/// settings.
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

  /// The reference of a line; a comment if the columns already have a reference, because the language allows only one.
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

/// A table of a DBML document, in which references may add columns.
struct DBMLTable {
  private let name: String
  private let notes: [String]
  private var columns: [String] = []
  private var names = DBMLNames()
  /// The column of the object's identity, with its table.
  let identity: String

  init(_ node: Diagram.Node, name: String) {
    self.name = name
    let known = name == node.name ? [] : ["entity \(node.name)"]
    notes = known + node.remarks + [node.omission].compactMap { $0 }
    var names = DBMLNames()
    let taken = node.rows.map { (names.unique($0.name), $0) }
    let key = names.unique("objectID")
    identity = "\(DBMLNames.quoted(name)).\(DBMLNames.quoted(key))"
    columns = ["\(DBMLNames.quoted(key)) ObjectID [pk]"]
    columns += taken.map { name, row in
      let note = [name == row.name ? nil : "attribute \(row.name)", row.note ?? row.mark?.rawValue].compactMap { $0 }
      return Self.column(name, row.type, isOptional: row.isOptional, note: note.joined(separator: "; "))
    }
    self.names = names
  }

  mutating func addReference(_ end: Diagram.End, words: String) -> String {
    let column = names.unique(end.name)
    columns.append(Self.column(column, "ObjectID", isOptional: end.minimum == 0, note: words))
    return "\(DBMLNames.quoted(name)).\(DBMLNames.quoted(column))"
  }

  var text: String {
    let note = notes.isEmpty ? [] : ["", "Note: \(DBMLNames.string(notes.joined(separator: "; ")))"]
    let lines = (columns + note).map { $0.isEmpty ? "" : "  \($0)" }
    return "Table \(DBMLNames.quoted(name)) {\n\(lines.joined(separator: "\n"))\n}"
  }

  private static func column(_ name: String, _ type: String, isOptional: Bool, note: String) -> String {
    let settings = [isOptional ? "null" : "not null"] + (note.isEmpty ? [] : ["note: \(DBMLNames.string(note))"])
    return "\(DBMLNames.quoted(name)) \(DBMLNames.quoted(type)) [\(settings.joined(separator: ", "))]"
  }
}

/// Names and texts for DBML; each name is unique in its scope.
///
/// DBML parsers differ in the characters that they accept in quoted names. All characters except letters, digits,
/// spaces and hyphens are replaced by underscores, and a note gives the exact name.
struct DBMLNames {
  private var taken: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// A name that is unique in the scope.
  mutating func unique(_ name: String) -> String {
    let plain = Self.plain(name)
    var candidate = plain
    while !taken.insert(candidate).inserted {
      numbers[plain, default: 1] += 1
      candidate = "\(plain)_\(numbers[plain, default: 2])"
    }
    return candidate
  }

  static func quoted(_ name: String) -> String { "\"\(plain(name))\"" }

  /// A text between single quotation marks.
  static func string(_ text: String) -> String {
    "'\(line(text).replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }

  static func line(_ text: String) -> String { PrintableText.line(text) }

  private static func plain(_ name: String) -> String {
    let plain = name.map { character in
      character.isLetter || character.isNumber || character == " " || character == "-" ? character : "_"
    }
    return plain.isEmpty ? "unnamed" : String(plain)
  }
}
