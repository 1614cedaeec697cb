import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

extension PlanningContext {
  private static let history: Set<String> = [HistorySteps.table, "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// Refuses a store whose tables of other kinds refer to entity numbers or keys that change.
  ///
  /// - Parameter rowsChange: true when rows go or get other keys whatever the entity numbers do.
  /// - Throws: ``MigrationRefusal``.
  func refuseUnknownReferences(rowsChange: Bool = false) throws(MigrationRefusal) {
    let renumbered = rowsChange || renumbers || !removedEntities.isEmpty
    guard renumbered, !options.isForced else { return }
    let others = snapshot.tables.map(\.name).filter { $0.hasPrefix("A") && !Self.history.contains($0) }
    let cloudKit = others.filter { $0.hasPrefix("ANSCK") }
    if !cloudKit.isEmpty { throw .cloudKitTables(cloudKit) }
    if !others.isEmpty { throw .unknownTables(others) }
    let known = Set(source.layout.entityNumbers.map(\.number))
    let taken = Set(destination.layout.entityNumbers.map(\.number))
    let foreign = snapshot.entityRows.filter { !known.contains($0.number) && taken.contains($0.number) }
    if !foreign.isEmpty { throw .foreignEntityNumbers(foreign.map(\.name)) }
  }

  /// Refuses a store in which something of the app's own has a name that a table or column gets.
  ///
  /// - Parameter tables: the fate of every table.
  /// - Throws: ``MigrationRefusal/nameTaken(table:column:)``.
  func refuseTakenNames(_ tables: TableFates) throws(MigrationRefusal) {
    let sourceTables = Set(source.layout.tables.map(\.name))
    let others = snapshot.tables.map(\.name) + snapshot.virtualTables + snapshot.views.map(\.name)
    let wanted = Set(destination.layout.tables.map { $0.name.lowercased() })
    for name in others where !sourceTables.contains(name) && wanted.contains(name.lowercased()) {
      throw .nameTaken(table: name, column: nil)
    }
    for transfer in tables.transfers {
      let wanted = Set(transfer.destination.columns.map { $0.name.lowercased() })
      for table in transfer.feeders.map(\.table.name) {
        for column in unknownColumns(ofTable: table) where wanted.contains(column.name.lowercased()) {
          throw .nameTaken(table: table, column: column.name)
        }
      }
    }
  }

  /// In place while few rows are touched, else in a copy.
  func strategy(for steps: [PlanStep], makesRows: Bool) -> (MigrationStrategy, StrategyReason) {
    if let strategy = options.strategy { return (strategy, .asked) }
    if makesRows { return (.clone, .rowsMadeAnew) }
    let touched = steps.filter(\.touchesObjects).reduce(0) { $0 + $1.rows }
    guard touched > 0 else { return (.inPlace, .noRowsTouched) }
    let all = snapshot.tables.reduce(0) { $0 + $1.rowCount }
    let few = max(10_000, all / 10)
    return touched <= few ? (.inPlace, .fewRowsTouched(touched)) : (.clone, .manyRowsTouched(touched))
  }

  /// Rows whose entity number no entity has would be left behind where a table is copied, and miscounted elsewhere.
  func strayRowChecks() -> [PlanCheck] {
    source.layout.tables.compactMap { table in
      guard case .hierarchy(let root) = table.content, !source.hierarchy.isAlone(root) else { return nil }
      guard mayHaveRows(inTable: table.name) else { return nil }
      let numbers = source.familyNumbers(of: root)
      guard !isCounted(table.name, withNoneBeyond: numbers) else { return nil }
      let number: SQLStatement = "\(name: "Z_ENT")"
      return PlanCheck(
        blocker: .rowsOfNoEntity(root: root, table: table.name),
        query: """
          SELECT \(name: "Z_PK") FROM \(name: table.name) WHERE \(number) IS NULL OR typeof(\(number)) <> 'integer' \
          OR \(number) NOT IN (\(.list(numbers))) ORDER BY \(name: "Z_PK")
          """)
    }
  }

  /// True when the rows were counted by entity number and all belong to known ones; 0 stands for rows without a number.
  private func isCounted(_ table: String, withNoneBeyond numbers: [Int]) -> Bool {
    guard let counts = snapshot.rowCounts[table], !numbers.contains(0) else { return false }
    return counts.keys.allSatisfy(numbers.contains)
  }
}
