import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import PersistentStores

/// Deletes all but one of several rows with equal values and redirects references to the row that is kept.
struct Deduplication {
  /// The rows that go under one constraint.
  struct Removal {
    let entity: String
    /// The temporary table that lists the rows.
    let name: String
    /// Selects every row to delete as `gone` with the row that is kept for it as `stays`, before anything is changed.
    let query: SQLStatement
    /// The numbers of the entities whose rows may go.
    let numbers: Set<Int>
    /// The tables whose rows may go.
    let tables: Set<String>
  }

  let context: PlanningContext
  private(set) var removals: [Removal] = []
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext) {
    self.context = context
    for requirement in context.requirements {
      guard case .unique(let entity, let properties) = requirement,
        let policy = context.options.duplicatePolicies[entity],
        let values = context.uniqueValues(of: entity, properties)
      else { continue }
      remove(entity, values.keys, values.query, policy)
    }
  }

  private mutating func remove(
    _ entity: String, _ keys: SQLStatement, _ query: SQLStatement, _ policy: MigrationOptions.DuplicatePolicy
  ) {
    let chosen: SQLStatement = policy == .keepNewest ? "MAX(pk)" : "MIN(pk)"
    let members = context.destination.hierarchy.family(of: entity).compactMap { context.mapping(of: $0.name)?.source }
    let removal = Removal(
      entity: entity, name: TemporaryName.duplicates(of: entity, steps.count),
      query: """
        SELECT pk AS gone, stays FROM (SELECT pk, \(chosen) OVER (PARTITION BY \(keys)) AS stays FROM (\(query))) \
        WHERE pk <> stays
        """, numbers: Set(members.compactMap(context.source.number(of:))),
      tables: Set(members.compactMap { context.source.table(ofEntity: $0)?.name }))
    removals.append(removal)
    let rows = members.reduce(0) { $0 + context.rowCount(ofSourceEntity: $1) }
    let cause = PlanCause.duplicatesRemoved(entity: entity, policy: policy)
    func step(_ statement: SQLStatement, _ writing: PlanStep.Writing) {
      steps.append(
        PlanStep(statement, cause: cause, rows: rows, writing: writing)
          .about([.entity(entity)], [.uniquenessConstraints]))
    }
    let name = removal.name
    step("CREATE TEMP TABLE \(name: name) AS \(removal.query)", .nothing)
    step("CREATE UNIQUE INDEX \(name: "temp").\(name: name + "_index") ON \(name: name) (\(name: "gone"))", .nothing)
    for table in context.source.layout.tables {
      for column in table.columns where leads(column, into: removal) {
        lead(column, of: table, by: name, step)
      }
    }
    for table in removal.tables.sorted() {
      step(
        "DELETE FROM \(name: table) WHERE \(name: "Z_PK") IN (SELECT \(name: "gone") FROM \(name: name))",
        .rows(of: table))
    }
  }

  /// True for a column with keys of rows that may go.
  func leads(_ column: SQLColumn, into removal: Removal) -> Bool {
    target(of: column).flatMap(context.source.table(ofEntity:)).map { removal.tables.contains($0.name) } ?? false
  }

  /// The source entity whose rows, and those of the entities below it, a column refers to.
  func target(of column: SQLColumn) -> String? {
    switch column.role {
    case .toOne(let address), .joinDestination(let address): context.source.relationship(address)?.destinationEntityName
    case .toManyOwner(let address), .joinSource(let address): address.entity
    default: nil
    }
  }

  /// References are redirected to the row that is kept.
  ///
  /// They are removed if an object would get two partners in a
  /// one-to-one relationship, or the same link twice.
  private func lead(
    _ column: SQLColumn, of table: SQLTable, by name: String, _ step: (SQLStatement, PlanStep.Writing) -> Void
  ) {
    let (tableName, columnName): (SQLStatement, SQLStatement) = ("\(name: table.name)", "\(name: column.name)")
    let stays: SQLStatement =
      "(SELECT stays FROM \(name: name) WHERE \(name: "gone") = \(tableName).\(columnName))"
    let isGone: SQLStatement = "\(columnName) IN (SELECT \(name: "gone") FROM \(name: name))"
    let writing = PlanStep.Writing.rows(of: table.name)
    if case .toOne(let address) = column.role, isOneToOne(address) {
      let columns = [column, table.column(.toOneEntity(address))].compactMap { $0 }
      let assignments = columns.map { "\(name: $0.name) = NULL" as SQLStatement }
      step("UPDATE \(tableName) SET \(assignments.joined()) WHERE \(isGone)", writing)
      return
    }
    var assignments: [SQLStatement] = ["\(columnName) = \(stays)"]
    if let order = order(beside: column, of: table) {
      let places = "\(name)_\(table.name)_\(column.name)"
      step(append(order, beside: column, of: table, by: name, as: places), .nothing)
      let index = "\(places)_index"
      step("CREATE UNIQUE INDEX \(name: "temp").\(name: index) ON \(name: places) (\(name: "row"))", .nothing)
      assignments.append(
        """
        \(name: order.name) = (SELECT \(name: "place") FROM \(name: places) \
        WHERE \(name: "row") = \(tableName).\(name: "rowid"))
        """)
    }
    switch column.role {
    case .joinSource, .joinDestination:
      step("UPDATE OR IGNORE \(tableName) SET \(assignments.joined()) WHERE \(isGone)", writing)
      step("DELETE FROM \(tableName) WHERE \(isGone)", writing)
    case .toOne(let address):
      if let companion = table.column(.toOneEntity(address)), let target = target(of: column),
        let targetTable = context.source.table(ofEntity: target)
      {
        assignments.append(
          """
          \(name: companion.name) = (SELECT \(name: "Z_ENT") FROM \(name: targetTable.name) AS target \
          WHERE target.\(name: "Z_PK") = \(stays))
          """)
      }
      step("UPDATE \(tableName) SET \(assignments.joined()) WHERE \(isGone)", writing)
    default: step("UPDATE \(tableName) SET \(assignments.joined()) WHERE \(isGone)", writing)
    }
  }

  /// The column with the places of rows in the list of the object that a column leads to.
  private func order(beside column: SQLColumn, of table: SQLTable) -> SQLColumn? {
    switch column.role {
    case .toOne(let address): table.column(.toOneOrder(address))
    case .toManyOwner(let address): table.column(.toManyOwnerOrder(address))
    case .joinSource(let address): table.column(.joinDestinationOrder(address))
    case .joinDestination(let address): table.column(.joinSourceOrder(address))
    default: nil
    }
  }

  /// Lists the places that links get after those that the object has already, list by list in their own order.
  private func append(
    _ order: SQLColumn, beside column: SQLColumn, of table: SQLTable, by name: String, as places: String
  ) -> SQLStatement {
    let (link, place): (SQLStatement, SQLStatement) = ("\(name: column.name)", "\(name: order.name)")
    let number: SQLStatement =
      "row_number() OVER (PARTITION BY stays ORDER BY gone, moved.\(place), moved.\(name: "rowid"))"
    return """
      CREATE TEMP TABLE \(name: places) AS SELECT moved.\(name: "rowid") AS \(name: "row"), \
      \(SQLStatement.place(ofElement: number, after: "own.last")) AS \(name: "place") FROM \(name: table.name) AS moved \
      JOIN \(name: name) ON gone = moved.\(link) LEFT JOIN (SELECT \(link) AS owner, MAX(\(place)) AS last \
      FROM \(name: table.name) GROUP BY \(link)) AS own ON own.owner = stays
      """
  }

  /// True for a relationship of which each side has one object at the most.
  func isOneToOne(_ address: PropertyAddress) -> Bool {
    context.source.inverse(of: address).flatMap(context.source.relationship).map { !$0.isToMany } ?? false
  }
}
