import MappingModels
import ModelDescription
import PersistentStores

/// Removes all but one of several rows with equal values and leads references to the one that stays.
struct Deduplication {
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext) {
    self.context = context
    for requirement in context.mapping.requirements(
      source: context.source.hierarchy, destination: context.destination.hierarchy)
    {
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
    let name = "modelctl_duplicates_\(entity)_\(steps.count)"
    let chosen: SQLStatement = policy == .keepNewest ? "MAX(pk)" : "MIN(pk)"
    let members = context.destination.hierarchy.family(of: entity).compactMap { context.mapping(of: $0.name)?.source }
    let rows = members.reduce(0) { $0 + context.rowCount(ofSourceEntity: $1) }
    let cause = "of \(entity) rows with equal values one stays (\(policy.rawValue))"
    func step(_ statement: SQLStatement, _ writing: PlanStep.Writing) {
      steps.append(PlanStep(statement, cause: cause, rows: rows, writing: writing))
    }
    step(
      """
      CREATE TEMP TABLE \(name: name) AS SELECT pk AS gone, stays FROM (SELECT pk, \(chosen) OVER (PARTITION BY \(keys)) \
      AS stays FROM (\(query))) WHERE pk <> stays
      """, .nothing)
    step("CREATE UNIQUE INDEX \(name: "temp").\(name: name + "_index") ON \(name: name) (\(name: "gone"))", .nothing)
    let tables = Set(members.compactMap { context.source.table(ofEntity: $0)?.name })
    for table in context.source.layout.tables {
      for column in table.columns where pointsAt(tables, column) {
        lead(column, of: table, by: name) { step($0, .rows(of: table.name)) }
      }
    }
    for table in tables.sorted() {
      step(
        "DELETE FROM \(name: table) WHERE \(name: "Z_PK") IN (SELECT \(name: "gone") FROM \(name: name))",
        .rows(of: table))
    }
  }

  private func pointsAt(_ tables: Set<String>, _ column: SQLColumn) -> Bool {
    let entity: String? =
      switch column.role {
      case .toOne(let address), .joinDestination(let address):
        context.source.relationship(address)?.destinationEntityName
      case .toManyOwner(let address), .joinSource(let address): address.entity
      default: nil
      }
    return entity.flatMap(context.source.table(ofEntity:)).map { tables.contains($0.name) } ?? false
  }

  /// References lead to the row that stays; where that would give one object two partners of a one-to-one, or one link
  /// twice, they are removed.
  private func lead(
    _ column: SQLColumn, of table: SQLTable, by name: String, _ step: (SQLStatement) -> Void
  ) {
    let (tableName, columnName): (SQLStatement, SQLStatement) = ("\(name: table.name)", "\(name: column.name)")
    let stays: SQLStatement =
      "(SELECT stays FROM \(name: name) WHERE \(name: "gone") = \(tableName).\(columnName))"
    let isGone: SQLStatement = "\(columnName) IN (SELECT \(name: "gone") FROM \(name: name))"
    switch column.role {
    case .toOne(let address) where isOneToOne(address):
      let columns = [column, table.column(.toOneEntity(address))].compactMap { $0 }
      let assignments = columns.map { "\(name: $0.name) = NULL" as SQLStatement }
      step("UPDATE \(tableName) SET \(assignments.joined()) WHERE \(isGone)")
    case .toOne(let address) where table.column(.toOneEntity(address)) != nil:
      guard let companion = table.column(.toOneEntity(address)), let target = target(of: address) else { return }
      let number: SQLStatement =
        "(SELECT \(name: "Z_ENT") FROM \(name: target.name) AS target WHERE target.\(name: "Z_PK") = \(stays))"
      step(
        "UPDATE \(tableName) SET \(columnName) = \(stays), \(name: companion.name) = \(number) WHERE \(isGone)")
    case .joinSource, .joinDestination:
      step("UPDATE OR IGNORE \(tableName) SET \(columnName) = \(stays) WHERE \(isGone)")
      step("DELETE FROM \(tableName) WHERE \(isGone)")
    default:
      step("UPDATE \(tableName) SET \(columnName) = \(stays) WHERE \(isGone)")
    }
  }

  private func target(of address: PropertyAddress) -> SQLTable? {
    context.source.relationship(address)?.destinationEntityName.flatMap(context.source.table(ofEntity:))
  }

  private func isOneToOne(_ address: PropertyAddress) -> Bool {
    context.source.inverse(of: address).flatMap(context.source.relationship).map { !$0.isToMany } ?? false
  }
}
