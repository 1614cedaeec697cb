import MigrationSQL
import ModelDescription
import PersistentStores

/// Takes away the rows of removed entities and every reference that leads nowhere then, on the source's tables.
struct RowRemoval {
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext, altering alterations: [TableAlteration]) {
    self.context = context
    for table in context.source.layout.tables {
      switch table.content {
      case .join(let address): clearJoin(table, address)
      case .hierarchy: clearReferences(in: table)
      }
    }
    for alteration in alterations where alteration.transfer != nil { deleteRows(of: alteration.source) }
  }

  /// Selects the rows that a relationship may point at now and will not afterwards, nil if there are none.
  private func lostRows(of address: PropertyAddress) -> SQLStatement? {
    guard let target = context.source.relationship(address)?.destinationEntityName,
      let table = context.source.table(ofEntity: target)
    else { return nil }
    let numbers = context.lostTargets(of: address).filter { context.mayHaveRows(ofNumber: $0, inTable: table.name) }
    guard !numbers.isEmpty else { return nil }
    return "SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(numbers)))"
  }

  private mutating func clearReferences(in table: SQLTable) {
    for column in table.columns {
      switch column.role {
      case .toOne(let address):
        guard let rows = lostRows(of: address) else { continue }
        let more = [SQLColumn.Role.toOneEntity(address), .toOneOrder(address)].compactMap {
          context.source.place($0)?.column
        }
        empty([column] + more, of: table, pointingAt: rows, address)
      case .toManyOwner(let address):
        guard let owners = lostOwners(of: address) else { continue }
        empty([column], of: table, pointingAt: owners, address)
      default: continue
      }
    }
  }

  /// Selects the rows that own others through a to-many without inverse and will not, because their entity is removed
  /// or has left the hierarchy of the relationship.
  private func lostOwners(of address: PropertyAddress) -> SQLStatement? {
    guard let table = context.source.table(ofEntity: address.entity) else { return nil }
    let numbers = context.lostOwners(of: address)
    guard !numbers.isEmpty else { return nil }
    return "SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(numbers)))"
  }

  private mutating func empty(
    _ columns: [SQLColumn], of table: SQLTable, pointingAt rows: SQLStatement, _ address: PropertyAddress
  ) {
    guard let link = columns.first else { return }
    let assignments = columns.map { "\(name: $0.name) = NULL" as SQLStatement }
    steps.append(
      PlanStep(
        "UPDATE \(name: table.name) SET \(assignments.joined()) WHERE \(name: link.name) IN (\(rows))",
        cause: .linksToRemovedRowsEmptied(address),
        rows: context.rowCount(ofTable: table.name), writing: .columns(columns.map(\.name), of: table.name)
      ).about(context.subject(ofLinks: address)))
  }

  private mutating func clearJoin(_ table: SQLTable, _ address: PropertyAddress) {
    var ends = [(SQLColumn.Role.joinDestination(address), address)]
    if let inverse = context.source.inverse(of: address) { ends.append((.joinSource(address), inverse)) }
    for (role, pointing) in ends {
      guard let column = table.column(role), let rows = lostRows(of: pointing) else { continue }
      steps.append(
        PlanStep(
          "DELETE FROM \(name: table.name) WHERE \(name: column.name) IN (\(rows))",
          cause: .linksToRemovedRowsRemoved(pointing),
          rows: context.rowCount(ofTable: table.name), writing: .rows(of: table.name)
        ).about(context.subject(ofLinks: pointing)))
    }
  }

  private mutating func deleteRows(of table: SQLTable) {
    let gone = context.removedEntities.filter { entity in
      guard context.source.table(ofEntity: entity)?.name == table.name, let number = context.source.number(of: entity)
      else { return false }
      return context.mayHaveRows(ofNumber: number, inTable: table.name)
    }
    guard !gone.isEmpty else { return }
    let rows = gone.reduce(0) { $0 + context.rowCount(ofSourceEntity: $1) }
    let numbers = gone.compactMap(context.source.number(of:))
    steps.append(
      PlanStep(
        "DELETE FROM \(name: table.name) WHERE \(name: "Z_ENT") IN (\(.list(numbers)))",
        cause: .rowsOfEntitiesRemoved(gone), rows: rows, writing: .rows(of: table.name)
      ).about(Set(gone.map { .entity($0) })))
  }
}

/// The rows of entities alone in their table that have another entity number, which Core Data never asks for there.
///
/// They belong to that entity anyway, and get its number before any other step.
struct MisnumberedRows {
  private struct Table {
    let name: String
    let number: Int
    let count: Int
    let total: Int
  }

  private let tables: [Table]

  /// Finds them in a store whose rows were counted by entity number; 0 is for rows without a number.
  init(_ source: StoreModel, in snapshot: StoreSnapshot) {
    tables = source.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content, source.hierarchy.isAlone(root),
        let number = source.number(of: root), let counts = snapshot.rowCounts[table.name]
      else { return nil }
      let total = counts.values.reduce(0, +)
      let count = total - counts[number, default: 0]
      return count > 0 ? Table(name: table.name, number: number, count: count, total: total) : nil
    }
  }

  /// The content of the store after the rows get their number.
  func numbered(_ snapshot: StoreSnapshot) -> StoreSnapshot {
    var snapshot = snapshot
    for table in tables { snapshot.rowCounts[table.name] = [table.number: table.total] }
    return snapshot
  }

  /// Lets a plan begin with giving them their number.
  func number(in plan: inout MigrationPlan) {
    let column: SQLStatement = "\(name: "Z_ENT")"
    let steps = tables.map { table in
      PlanStep(
        """
        UPDATE \(name: table.name) SET \(column) = \(.number(table.number)) \
        WHERE \(column) IS NOT \(.number(table.number))
        """, cause: .misnumberedRowsNumbered, rows: table.count,
        writing: .columns(["Z_ENT"], of: table.name))
    }
    guard !steps.isEmpty else { return }
    plan.scope = nil
    plan.phases.insert(PlanPhase(steps: steps), at: 0)
  }
}

extension EntityHierarchy {
  /// True for an entity without parent and sub-entities, whose table holds no other's rows.
  func isAlone(_ entity: String) -> Bool { superentity(of: entity) == nil && subentities(of: entity).isEmpty }
}
