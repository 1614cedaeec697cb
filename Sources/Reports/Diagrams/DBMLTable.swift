/// A table of a DBML document, in which references may add columns.
struct DBMLTable {
  private let name: String
  private let notes: [String]
  private var columns: [String] = []
  private var names = DBMLNames()
  /// The column that stands for the object itself, with its table.
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

  /// Adds a column for a to-one relationship.
  ///
  /// - Parameters:
  ///   - end: what the relationship leads to.
  ///   - words: what the line between the tables says.
  /// - Returns: the column with its table.
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
