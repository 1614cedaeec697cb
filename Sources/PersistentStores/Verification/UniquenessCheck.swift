import GRDB
import ModelDescription

/// Whether rows break a uniqueness constraint that no unique index of the store enforces.
struct UniquenessCheck {
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let snapshot: StoreSnapshot

  func problems(in database: Database, within scope: VerificationScope? = nil) throws -> [StoreFinding] {
    var problems: [StoreFinding] = []
    for entity in hierarchy.numberedEntities {
      guard let table = layout.table(ofEntity: entity.name) else { continue }
      for constraint in entity.uniquenessConstraints {
        let columns = constraint.compactMap { column(of: $0, in: entity.name) }
        guard !columns.isEmpty, columns.count == constraint.count, !isEnforced(columns, in: table.name),
          scope?.holds(table.name, Set(columns + ["Z_ENT"])) ?? true
        else { continue }
        let (count, keys) = try duplicates(of: columns, entity: entity.name, in: table.name, database)
        guard count > 0 else { continue }
        problems.append(
          StoreFinding(
            .duplicate, entity: entity.name, property: constraint.joined(separator: ", "), count: count,
            primaryKeys: keys, sentence: "rows share values that the uniqueness constraint forbids to share"))
      }
    }
    return problems
  }

  private func column(of property: String, in entity: String) -> String? {
    let address = PropertyAddress(entity: entity, property: property)
    if let column = layout.column(ofAttribute: address) { return column.name }
    guard case .toOne(_, let column, _, _)? = layout.storage(ofRelationship: address, in: hierarchy) else { return nil }
    return column
  }

  private func isEnforced(_ columns: [String], in table: String) -> Bool {
    snapshot.indexes.contains { index in
      index.isUnique && index.table == table && index.columns.map { $0.uppercased() } == columns.map { $0.uppercased() }
    }
  }

  /// The rows that share their values with another row; a NULL is never shared.
  private func duplicates(
    of columns: [String], entity: String, in table: String, _ database: Database
  ) throws -> (count: Int, keys: [Int64]) {
    let names = columns.map { SQLIdentifier($0).quoted }
    let numbers = layout.numbers(ofFamily: entity)
    let rows =
      "SELECT Z_PK, COUNT(*) OVER (PARTITION BY \(names.joined(separator: ", "))) AS n FROM \(SQLIdentifier(table)) "
      + "WHERE Z_ENT IN (\(numbers.map { _ in "?" }.joined(separator: ", ")))"
      + names.map { " AND \($0) IS NOT NULL" }.joined()
    let arguments = StatementArguments(numbers)
    let count = try Row.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(rows)) WHERE n > 1", arguments: arguments)
    guard let count = count?.integer(0), count > 0 else { return (0, []) }
    let keys = try Row.fetchAll(
      database, sql: "SELECT Z_PK FROM (\(rows)) WHERE n > 1 ORDER BY Z_PK LIMIT ?",
      arguments: arguments + [RowChecker.keyLimit])
    return (Int(count), keys.compactMap { $0.integer(0) })
  }
}
