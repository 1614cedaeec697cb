/// The columns of a table by its `CREATE TABLE` statement, which is read and never run.
struct SchemaColumns: Hashable {
  struct Column: Hashable {
    let name: String
    /// The declared type, upper-cased.
    let type: String
  }

  /// The table's name.
  let name: String
  let columns: [Column]
  /// The position of the column that is an alias of the row ID; records do not store it.
  let rowNumber: Int?

  /// Creates the columns of a known table.
  init(_ table: SQLTable) {
    name = table.name
    columns = table.columns.map { Column(name: $0.name, type: $0.type.valueType) }
    rowNumber = table.columns.firstIndex { $0.type == .integerPrimaryKey }
  }

  /// Parses a statement; nil for another statement, and for a table without row IDs.
  init?(_ sql: String) {
    var words = Words(sql)
    guard words.next()?.uppercased() == "CREATE" else { return nil }
    var word = words.next()
    if ["TEMP", "TEMPORARY"].contains(word?.uppercased()) { word = words.next() }
    guard word?.uppercased() == "TABLE" else { return nil }
    var name = ""
    while let next = words.next(), next != "(" { name = Self.unquoted(next) }
    var columns: [Column] = []
    var number: Int?
    var part: [String] = []
    var depth = 1
    while depth > 0 {
      guard let word = words.next() else { break }
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      guard depth == 0 || depth == 1 && word == "," else {
        part.append(word)
        continue
      }
      let keywords = part.map { $0.uppercased() }
      let ends = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
      if let name = part.first, !ends.contains(keywords[0]) {
        let rest = keywords.dropFirst()
        let type = rest.prefix { !(ends + ["NOT", "NULL", "DEFAULT", "COLLATE", "REFERENCES", "AS"]).contains($0) }
        if type == ["INTEGER"], rest.dropFirst().starts(with: ["PRIMARY", "KEY"]) { number = columns.count }
        columns.append(Column(name: Self.unquoted(name), type: type.joined()))
      }
      part = []
    }
    while let word = words.next() { if word.uppercased() == "WITHOUT" { return nil } }
    guard !columns.isEmpty else { return nil }
    // In a statement that is damaged behind it, Core Data's key is the row's number all the same.
    number = number ?? columns.firstIndex { $0.name.uppercased() == "Z_PK" }
    (self.name, self.columns, rowNumber) = (name, columns, number)
  }

  private static func unquoted(_ name: String) -> String {
    guard let first = name.first, let last = name.last, name.count >= 2 else { return name }
    switch (first, last) {
    case ("\"", "\""), ("'", "'"), ("`", "`"):
      return String(name.dropFirst().dropLast().replacing("\(first)\(first)", with: "\(first)"))
    case ("[", "]"): return String(name.dropFirst().dropLast())
    default: return name
    }
  }

  /// The words, quoted names and signs of a statement.
  private struct Words {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> String? {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first else { return nil }
      let closing: Character? = first == "[" ? "]" : ["\"", "'", "`"].contains(first) ? first : nil
      if let closing {
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex {
          guard rest[end] == closing else {
            end = rest.index(after: end)
            continue
          }
          end = rest.index(after: end)
          // A doubled quotation mark is one character of the name.
          guard closing != "]", end < rest.endIndex, rest[end] == closing else { break }
          end = rest.index(after: end)
        }
        defer { rest = rest[end...] }
        return String(rest[..<end])
      }
      guard first.isLetter || first.isNumber || first == "_" || first == "$" else {
        rest = rest.dropFirst()
        return String(first)
      }
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
      rest = rest.dropFirst(word.count)
      return String(word)
    }
  }
}
