import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The constraints that the rows of a store satisfy, checked before the dump starts.
extension RelationalPlanning {
  /// Asks the rows of a table about all its columns at once.
  func ask(_ table: inout RelationalTable) throws {
    var selected: [SQLStatement] = []
    for column in table.columns {
      let value = column.source
      let missing: SQLStatement = column.isMandatory ? "TOTAL(\(value) IS NULL)" : "0"
      switch column.content {
      case .value(.integer16, _), .value(.integer32, _), .value(.integer64, _), .value(.date, _):
        selected += [missing, "MIN(\(value))", "MAX(\(value))"]
      case .value(.string, _), .value(.uri, _):
        let hasNUL: SQLStatement = dialect == .postgresql ? "MAX(INSTR(CAST(\(value) AS BLOB), X'00'))" : "0"
        selected += [missing, hasNUL, dialect == .postgresql ? "MAX(LENGTH(CAST(\(value) AS BLOB)))" : "0"]
      default: selected += [missing, "NULL", "NULL"]
      }
    }
    // SQLite gives at most 2000 columns at once.
    for start in stride(from: 0, to: table.columns.count, by: 600) {
      let end = min(start + 600, table.columns.count)
      let sql: SQLStatement = "SELECT \(selected[start * 3..<end * 3].joined()), COUNT(*) \(table.rows)"
      guard let row = try Row.fetchOne(reading.database, sql: sql.text, arguments: sql.databaseArguments) else {
        continue
      }
      table.count = row[(end - start) * 3]
      for position in start..<end {
        let first = (position - start) * 3
        try take(row[first], row[first + 1], row[first + 2], position, &table)
      }
    }
  }

  private func take(
    _ missing: DatabaseValue, _ second: DatabaseValue, _ third: DatabaseValue, _ position: Int,
    _ table: inout RelationalTable
  ) throws {
    let column = table.columns[position]
    if let count = Double.fromDatabaseValue(missing), count > 0 {
      table.columns[position].isMandatory = false
      table.remarks.append("\(column.name) is not declared NOT NULL: rows without a value: \(Int(count))")
    }
    switch column.content {
    case .value(.date, _):
      guard dialect == .postgresql, let least = Double.fromDatabaseValue(second),
        let greatest = Double.fromDatabaseValue(third)
      else { return }
      let isOutside = [least, greatest].contains { $0.isFinite && !SQLDialect.moments.contains($0) }
      guard isOutside else { return }
      (table.columns[position].content, table.columns[position].type) = (.seconds, SQLDialect.double)
      table.remarks.append(
        "\(column.name) is in seconds since 2001: some of its dates do not fit PostgreSQL's timestamptz")
    case .value(let type, _) where [.integer16, .integer32, .integer64].contains(type):
      guard let least = Int64.fromDatabaseValue(second), let greatest = Int64.fromDatabaseValue(third) else { return }
      let fitting = dialect.type(of: type, from: least, to: greatest)
      guard fitting != column.type else { return }
      table.columns[position].type = fitting
      table.remarks.append("\(column.name) is wider than the model's \(type.name): its numbers are")
    case .value(.string, _), .value(.uri, _):
      table.columns[position].longest = Int.fromDatabaseValue(third) ?? 0
      if dialect == .postgresql, let place = Int.fromDatabaseValue(second), place > 0 {
        throw try nul(in: column, of: table)
      }
    default: break
    }
  }

  private func nul(in column: RelationalColumn, of table: RelationalTable) throws -> DumpError {
    let rows = rows(of: table, where: "INSTR(CAST(\(column.source) AS BLOB), X'00') > 0")
    let sql: SQLStatement = "SELECT \(self.column("Z_PK")), \(self.column("Z_ENT")) \(rows) ORDER BY 1 LIMIT 1"
    let row = try Row.fetchOne(reading.database, sql: sql.text, arguments: sql.databaseArguments)
    let key = row.flatMap { Int64.fromDatabaseValue($0[0]) } ?? 0
    let entity = row.flatMap { Int.fromDatabaseValue($0[1]) }.flatMap(store.layout.entity(number:)) ?? table.root ?? ""
    return DumpError.nul(object: RecordID(entity: entity, key: key).description, property: column.property)
  }

  // MARK: Indexes

  /// Adds the indexes of foreign keys, uniqueness constraints and the model's fetch indexes.
  mutating func addIndexes(to table: inout RelationalTable) throws {
    guard let root = table.root else { return }
    var known: Set<[String]> = [table.key]
    for entity in hierarchy.family(of: root) {
      for constraint in entity.uniquenessConstraints {
        guard let found = found(constraint, of: entity.name, in: table), !found.isEmpty else { continue }
        let names = found.map(\.name)
        let title = names.joined(separator: ", ")
        let isRounded =
          dialect == .postgresql && found.contains { if case .value(.date, _) = $0.content { true } else { false } }
        if isRounded {
          table.remarks.append("\(title) is not UNIQUE: PostgreSQL rounds dates to microseconds")
        } else if try hasDuplicates(found, of: entity.name, in: table) {
          table.remarks.append("\(title) is not UNIQUE: rows have equal values")
        } else if isTooLong(found) {
          table.remarks.append("\(title) is not UNIQUE: its texts are too long for a PostgreSQL index")
        } else {
          let isPart = entity.name != root
          if !isPart { known.insert(names) }
          let members = hierarchy.family(of: entity.name).filter { !$0.isAbstract }.map(\.name)
          table.indexes.append(
            .init(
              name: self.names.claim("\(table.name)_\(names.joined(separator: "_"))_unique"),
              columns: names.map { ($0, true) }, isUnique: true, entities: isPart ? members : []))
        }
      }
    }
    var wished = table.columns.filter { $0.reference != nil }.map { [($0.name, true)] }
    for entity in hierarchy.family(of: root) {
      for index in entity.allFetchIndexes where index.partialIndexPredicate == nil {
        let elements = index.elements.compactMap { element -> (String, Bool)? in
          guard case .property(let property) = element.subject, element.kind == .binary,
            let column = found([property], of: entity.name, in: table)?.first
          else { return nil }
          return (column.name, element.isAscending)
        }
        if elements.count == index.elements.count, !elements.isEmpty { wished.append(elements) }
      }
    }
    for elements in wished where known.insert(elements.map(\.0)).inserted {
      let columns = elements.compactMap { element in table.columns.first { $0.name == element.0 } }
      let title = elements.map(\.0)
      if isTooLong(columns) {
        table.remarks.append(
          "\(title.joined(separator: ", ")) is not indexed: its texts are too long for a PostgreSQL index")
      } else {
        table.indexes.append(
          .init(
            name: self.names.claim("\(table.name)_\(title.joined(separator: "_"))_index"),
            columns: elements.map { (name: $0.0, isAscending: $0.1) }))
      }
    }
  }

  /// The columns of properties; nil if a property does not have one.
  private func found(_ properties: [String], of entity: String, in table: RelationalTable) -> [RelationalColumn]? {
    let found = properties.compactMap { property -> RelationalColumn? in
      guard
        let address = store.address(ofAttribute: property, in: entity)
          ?? store.address(ofRelationship: property, in: entity),
        let name = columns[address]
      else { return nil }
      return table.columns.first { $0.name == name }
    }
    return found.count == properties.count ? found : nil
  }

  private func isTooLong(_ columns: [RelationalColumn]) -> Bool {
    guard dialect == .postgresql else { return false }
    let hasData = columns.contains { column in
      switch column.content {
      case .value(.binary, _), .value(.transformable, _): true
      default: false
      }
    }
    return hasData || columns.reduce(0) { $0 + $1.longest } > SQLDialect.longestKey
  }

  private func hasDuplicates(_ found: [RelationalColumn], of entity: String, in table: RelationalTable) throws -> Bool {
    let numbers = SQLStatement.list(store.familyNumbers(of: entity))
    let isPart = entity != table.root
    let present =
      found.map { "\($0.source) IS NOT NULL" as SQLStatement } + (isPart ? ["\(column("Z_ENT")) IN (\(numbers))"] : [])
    let sql: SQLStatement = """
      SELECT EXISTS (SELECT 1 \(rows(of: table, where: present.joined(" AND "))) \
      GROUP BY \(found.map(\.source).joined()) HAVING COUNT(*) > 1)
      """
    return try Bool.fetchOne(sql, in: reading) ?? false
  }
}
