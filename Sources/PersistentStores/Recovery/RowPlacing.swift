/// Says which table a row is of: by the tree that it was found in, by its entity number, or by its shape.
struct RowPlacing {
  private struct Candidate {
    let name: String
    let columns: SchemaColumns
    /// The position of the entity number; nil for a table without entity numbers.
    let number: Int?
    let isJoin: Bool
    /// False for a table of the schema only.
    let isOfVersion: Bool
    /// False for a table whose columns are known only from the version.
    let isOfSchema: Bool
    /// True for a table that may have rows in pages outside all trees.
    let isSuspect: Bool
  }

  private var candidates: [Candidate] = []
  private var byName: [String: Int] = [:]
  /// The tables by the position of the entity number, and by the number.
  private var byNumber: [Int: [Int64: Int]] = [:]

  /// Creates the value from the tables of a version, with the columns of the store's schema, and from the tables that
  /// only the schema has.
  ///
  /// - Parameters:
  ///   - incomplete: the tables with unreadable pages.
  ///   - isWhole: false if tables may be missing from the schema.
  init(_ layout: SQLStoreLayout, columns: [String: SchemaColumns], incomplete: Set<String>, isWhole: Bool) {
    let entities = Dictionary(grouping: layout.entityNumbers) { layout.lineage(of: $0.name).last }
    for table in layout.tables {
      let own = columns[table.name]
      let found = own ?? SchemaColumns(table)
      var number: Int?
      var isJoin = true
      if case .hierarchy(let root) = table.content {
        isJoin = false
        let name = table.column(.entityNumber)?.name.uppercased() ?? "Z_ENT"
        number = found.columns.firstIndex { $0.name.uppercased() == name }
        if let number {
          for entity in entities[root] ?? [] { byNumber[number, default: [:]][Int64(entity.number)] = candidates.count }
        }
      }
      byName[table.name] = candidates.count
      candidates.append(
        Candidate(
          name: table.name, columns: found, number: number, isJoin: isJoin, isOfVersion: true, isOfSchema: own != nil,
          isSuspect: incomplete.contains(table.name) || own == nil && !isWhole))
    }
    for (name, found) in columns.sorted(by: { $0.key < $1.key }) where byName[name] == nil {
      guard SystemTable(rawValue: name.uppercased()) == nil else { continue }
      byName[name] = candidates.count
      candidates.append(
        Candidate(
          name: name, columns: found, number: nil, isJoin: false, isOfVersion: false, isOfSchema: true,
          isSuspect: incomplete.contains(name)))
    }
  }

  /// The columns of each table.
  var columns: [String: SchemaColumns] {
    Dictionary(candidates.map { ($0.name, $0.columns) }) { first, _ in first }
  }

  /// The table of a row in the tree of a table; nil if the row fits no table.
  func table(of row: RecoveredRow, inTree tree: String) -> String? {
    let said = numberedTable(of: row)
    guard let own = byName[tree].map({ candidates[$0] }) else { return said ?? tree }
    if own.isJoin { return row.values.allSatisfy(\.isKey) ? own.name : said }
    guard let said, said != own.name else { return own.name }
    if let position = own.number {
      let other = row.integer(position).flatMap { byNumber[position]?[$0] }
      return other.map { candidates[$0].name == own.name } ?? true ? own.name : said
    }
    // A table whose name is damaged has the rows of one that is missing.
    let isMisnamed = !own.isOfVersion && candidates.contains { $0.name == said && !$0.isOfSchema }
    return isMisnamed || !fits(row, own) ? said : own.name
  }

  /// The table of a row by its entity number and the types of its values; nil if no table or several tables match.
  func numberedTable(of row: RecoveredRow) -> String? {
    var found: Int?
    for (position, numbers) in byNumber {
      guard let number = row.integer(position), let candidate = numbers[number], candidate != found,
        fits(row, candidates[candidate])
      else { continue }
      guard found == nil else { return nil }
      found = candidate
    }
    return found.map { candidates[$0].name }
  }

  /// The table of a row in a page outside all trees, if its entity number does not determine it.
  ///
  /// - Parameter owner: the table that owns the page, if it is known.
  /// - Returns: nil if the row fits no table or several tables.
  func table(of row: RecoveredRow, ownedBy owner: String?) -> String? {
    if let candidate = owner.flatMap({ byName[$0] }).map({ candidates[$0] }), mayHold(row, candidate) {
      return candidate.name
    }
    let fitting = candidates.filter { candidate in
      guard fits(row, candidate), candidate.isOfSchema || isFull(row, candidate) else { return false }
      guard let position = candidate.number, let said = row.integer(position) else { return true }
      // The number of another entity, or of one of Core Data's own, is that of a row of another table.
      return byNumber[position]?[said] == nil && said <= 16_000
    }
    if !fitting.isEmpty { return Self.only(fitting)?.name }
    let numbered = Set(byNumber.compactMap { position, numbers in row.integer(position).flatMap { numbers[$0] } })
    guard numbered.count == 1, let candidate = numbered.first.map({ candidates[$0] }), candidate.isOfSchema,
      isFull(row, candidate),
      mayHold(row, candidate)
    else { return nil }
    return candidate.name
  }

  /// The only table in a list, or the only one with missing rows.
  private static func only(_ candidates: [Candidate]) -> Candidate? {
    guard candidates.count != 1 else { return candidates[0] }
    let suspects = candidates.filter(\.isSuspect)
    return suspects.count == 1 ? suspects[0] : nil
  }

  private func isFull(_ row: RecoveredRow, _ candidate: Candidate) -> Bool {
    row.values.count == candidate.columns.columns.count
  }

  /// True if a table can have the row, regardless of the types of its values.
  private func mayHold(_ row: RecoveredRow, _ candidate: Candidate) -> Bool {
    guard !candidate.isJoin else { return row.values.allSatisfy(\.isKey) && isFull(row, candidate) }
    let number = candidate.columns.rowNumber
    return row.values.count <= candidate.columns.columns.count
      && number.map { $0 < row.values.count && row.values[$0] == .null } ?? true
  }

  /// True if the row's values have the types of the table's columns.
  private func fits(_ row: RecoveredRow, _ candidate: Candidate) -> Bool {
    guard mayHold(row, candidate), row.values.count >= min(3, candidate.columns.columns.count) else { return false }
    guard !candidate.isJoin else { return row.integer(0) != nil && row.integer(1) != nil }
    return zip(row.values, candidate.columns.columns).allSatisfy { value, column in
      switch (value, column.type) {
      case (.null, _), (.lost, _), (.integer, "INTEGER"), (.integer, "FLOAT"), (.integer, "TIMESTAMP"),
        (.integer, "DECIMAL"), (.real, "FLOAT"), (.real, "TIMESTAMP"), (.real, "DECIMAL"), (.text, "DECIMAL"),
        (.text, "VARCHAR"), (.blob, "BLOB"):
        true
      default: false
      }
    }
  }
}

extension SystemTable {
  /// The table that has rows of the same shape.
  init?(_ row: RecoveredRow) {
    guard let table = Self.allCases.first(where: { $0.fits(row) }) else { return nil }
    self = table
  }

  /// True for a row of the shape that the rows of the table have.
  func fits(_ row: RecoveredRow) -> Bool {
    let values = row.values
    switch self {
    case .primaryKey:
      return values.count == 4 && values[0] == .null && values[1].isText && row.integer(2) != nil
        && values[3].isKey && row.rowid > 0
    case .metadata: return values.count == 3 && values[0] == .null && values[1].isText && values[2].isBlob
    case .modelCache: return values.count == 1 && values[0].isBlob
    }
  }
}
