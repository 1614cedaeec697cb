package import GRDB
package import ModelDescription

/// The links of a store that point to rows that do not exist.
///
/// Migrations and copies of a store leave them out and report their number.
public struct DanglingLinks: Hashable, Sendable {
  /// The dangling links of one relationship.
  public struct Part: Hashable, Sendable {
    /// The relationship; for a join table, the one that names it.
    public let relationship: PropertyAddress
    /// The number of its dangling links.
    public let count: Int
    /// The first keys of the objects that have them, at most five, ascending.
    public let firstKeys: [Int64]
    /// True if the links are rows of a join table.
    package let isOfJoinTable: Bool
  }

  /// The relationships that have any, in the order of the tables.
  public let parts: [Part]

  package init(_ parts: [Part] = []) { self.parts = parts }

  /// How many there are.
  public var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// True if there are no dangling links.
  public var isEmpty: Bool { parts.isEmpty }
}

extension DanglingLinks: CustomStringConvertible {
  /// The number of links that are left out, and their relationships, as a sentence without its full stop.
  public var description: String {
    let places = parts.map { count == 1 ? "\($0.relationship)" : "\($0.count) of \($0.relationship)" }
      .joined(separator: ", ")
    return count == 1
      ? "1 link points to an object that does not exist and is left out: \(places)"
      : "\(count) links point to objects that do not exist and are left out: \(places)"
  }
}

extension DanglingLinks {
  /// Looks for them.
  ///
  /// - Parameters:
  ///   - database: the connection; the indexes of the store are proved.
  ///   - hierarchy: the store's model.
  /// - Throws: `DatabaseError`.
  package static func found(in database: Database, of hierarchy: EntityHierarchy) throws -> DanglingLinks {
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    return try DanglingLinks(
      places(of: hierarchy, snapshot).flatMap { place in
        try RowChecker(place.checks, indexes: snapshot.indexes).questions.flatMap { question in
          try question(database).map { place.part($0.count, $0.primaryKeys) }
        }
      })
  }

  /// Sets dangling references to NULL, and removes dangling rows of join tables, in the open transaction.
  ///
  /// - Returns: the dangling links before the change.
  /// - Throws: `DatabaseError`.
  package static func remove(in database: Database, of hierarchy: EntityHierarchy) throws -> DanglingLinks {
    let found = try found(in: database, of: hierarchy)
    guard !found.isEmpty else { return found }
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    for place in places(of: hierarchy, snapshot) {
      try database.execute(sql: place.statement, arguments: StatementArguments(place.check.arguments))
    }
    return found
  }

  /// One column of references, or a join table.
  private struct LinkColumns {
    let checks: TableChecks
    let check: RowCheck
    /// The columns to set to NULL; empty for a row to remove.
    let columns: [String]

    func part(_ count: Int, _ keys: [Int64]) -> Part {
      Part(
        relationship: PropertyAddress(entity: check.entity, property: check.property ?? ""), count: count,
        firstKeys: keys, isOfJoinTable: columns.isEmpty)
    }

    var statement: String {
      let table = SQLIdentifier(checks.table)
      guard !columns.isEmpty else { return "DELETE FROM \(table) AS t WHERE \(check.condition)" }
      let empty = columns.map { "\(SQLIdentifier($0)) = NULL" }.joined(separator: ", ")
      return "UPDATE \(table) AS t SET \(empty) WHERE \(check.condition)"
    }
  }

  private static func places(of hierarchy: EntityHierarchy, _ snapshot: StoreSnapshot) -> [LinkColumns] {
    let layout = BoundLayout(of: hierarchy, to: snapshot).layout
    let names = snapshot.tables.map { ($0.name.uppercased(), Set($0.columns.map(\.name))) }
    let columns = Dictionary(names) { first, _ in first }
    return RowCheckPlan.tables(of: hierarchy, layout, checkingValues: false).flatMap { checks -> [LinkColumns] in
      guard let table = layout.table(named: checks.table), let known = columns[table.name.uppercased()] else {
        return []
      }
      let references = checks.references.filter {
        known.contains($0.column) && columns[$0.target.uppercased()] != nil
      }
      guard case .join = table.content else {
        return references.compactMap { place($0, in: table, known, checks) }
      }
      return join(references, checks).map { [$0] } ?? []
    }
  }

  private static func dangling(_ reference: ReferenceChecks) -> RowCheck? {
    reference.checks.first { $0.kind == .danglingReference }
  }

  private static func place(
    _ reference: ReferenceChecks, in table: SQLTable, _ known: Set<String>, _ checks: TableChecks
  ) -> LinkColumns? {
    guard let check = dangling(reference) else { return nil }
    let bare = ReferenceChecks(
      column: reference.column, target: reference.target, soundness: "d.Z_PK = t.\(SQLIdentifier(reference.column))",
      checks: [check])
    return LinkColumns(
      checks: TableChecks(table: table.name, keyColumn: checks.keyColumn, checks: [], references: [bare]),
      check: check, columns: self.columns(beside: reference.column, in: table).filter(known.contains))
  }

  /// Counts a row of a join table as one link, even if both ends are missing.
  private static func join(_ references: [ReferenceChecks], _ checks: TableChecks) -> LinkColumns? {
    let found = references.compactMap(dangling)
    guard let first = found.first else { return nil }
    let check = RowCheck(
      condition: found.map { "(\($0.condition))" }.joined(separator: " OR "), arguments: found.flatMap(\.arguments),
      kind: .danglingReference, entity: first.entity, property: first.property,
      columns: found.reduce([]) { $0.union($1.columns) }, sentence: first.sentence)
    return LinkColumns(
      checks: TableChecks(table: checks.table, keyColumn: checks.keyColumn, checks: [check], references: []),
      check: check, columns: [])
  }

  /// The column of a reference, with the columns of its entity number and its order.
  private static func columns(beside name: String, in table: SQLTable) -> [String] {
    let roles: [SQLColumn.Role] =
      switch table.columns.first(where: { $0.name == name })?.role {
      case .toOne(let address): [.toOneEntity(address), .toOneOrder(address)]
      case .toManyOwner(let address): [.toManyOwnerOrder(address)]
      default: []
      }
    return [name] + roles.compactMap { table.column($0)?.name }
  }
}
