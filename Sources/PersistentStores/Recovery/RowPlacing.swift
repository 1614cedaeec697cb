/// Says which table a row is of: by the tree that it was found in, by its entity number, or by its shape.
struct RowPlacing {
  private struct Place {
    let name: String
    let columns: SchemaColumns
    let numbers: Set<Int64>
    let isJoin: Bool
  }

  private var places: [Place] = []
  private var byName: [String: Int] = [:]
  private var byNumber: [Int64: Int] = [:]

  /// Takes the tables of a version, with the columns that the store's own schema gives them.
  init(_ layout: SQLStoreLayout, columns: [String: SchemaColumns]) {
    for table in layout.tables {
      var numbers: Set<Int64> = []
      var isJoin = true
      if case .hierarchy(let root) = table.content {
        isJoin = false
        numbers = Set(
          layout.entityNumbers.filter { layout.lineage(of: $0.name).last == root }.map { Int64($0.number) })
      }
      for number in numbers { byNumber[number] = places.count }
      byName[table.name] = places.count
      places.append(
        Place(
          name: table.name, columns: columns[table.name] ?? SchemaColumns(table), numbers: numbers, isJoin: isJoin))
    }
  }

  /// The columns of each table.
  var columns: [String: SchemaColumns] {
    Dictionary(places.map { ($0.name, $0.columns) }) { first, _ in first }
  }

  /// The table of a row.
  ///
  /// - Parameter tree: the table in whose tree it was found; nil for a page that no tree leads to.
  /// - Returns: nil for a row that fits no table.
  func table(of row: RecoveredRow, inTree tree: String?) -> String? {
    let own = tree.flatMap { byName[$0] }.map { places[$0] }
    // A table that the version does not have is read as it is.
    if let tree, own == nil { return tree }
    if let own, own.isJoin, row.values.allSatisfy(\.isKey) { return own.name }
    let number = row.integer(1)
    if let own, !own.isJoin, number.map({ own.numbers.contains($0) || byNumber[$0] == nil }) ?? true {
      return own.name
    }
    if let place = number.flatMap({ byNumber[$0] }).map({ places[$0] }), row.values.first == .null,
      fits(row, place.columns)
    {
      return place.name
    }
    if let own { return own.isJoin ? nil : own.name }
    let joins = places.filter { $0.isJoin && $0.columns.columns.count == row.values.count }
    guard joins.count == 1, row.integer(0) != nil, row.integer(1) != nil, row.values.allSatisfy(\.isKey) else {
      return nil
    }
    return joins[0].name
  }

  private func fits(_ row: RecoveredRow, _ columns: SchemaColumns) -> Bool {
    guard row.values.count >= 3, row.values.count <= columns.columns.count else { return false }
    return zip(row.values, columns.columns).allSatisfy { value, column in
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
