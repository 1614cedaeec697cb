import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Brings the system tables up to date: history, entity numbers, metadata, cached model.
struct FinishingSteps {
  private let context: PlanningContext
  private let feeding: [String: Set<String>]?
  private(set) var steps: [PlanStep] = []

  /// - Parameters:
  ///   - context: what the plan is computed from.
  ///   - metadata: the property list of the destination's metadata, complete.
  ///   - feeding: the source roots whose rows a destination root's table gets, where rows get new keys; nil where all
  ///     keep theirs and come from the entity that continues in them.
  init(_ context: PlanningContext, metadata: [UInt8], feeding: [String: Set<String>]? = nil) {
    self.context = context
    self.feeding = feeding
    renumberHistory()
    rewriteEntityNumbers()
    steps.append(
      PlanStep(
        "UPDATE \(name: "Z_METADATA") SET \(name: "Z_PLIST") = \(.blob(metadata))",
        cause: .hashesRecorded))
    if has("Z_MODELCACHE") {
      steps.append(
        PlanStep("DELETE FROM \(name: "Z_MODELCACHE")", cause: .cachedModelStale))
    }
  }

  private func has(_ table: String) -> Bool { context.snapshot.tables.contains { $0.name == table } }

  private mutating func renumberHistory() {
    renumber("ACHANGE", "ZENTITY", cause: .historyRenumbered)
    if context.options.isForced {
      renumber("ANSCKRECORDMETADATA", "ZENTITYID", cause: .cloudKitRenumbered)
    }
  }

  private mutating func renumber(_ table: String, _ column: String, cause: PlanCause) {
    guard has(table), context.mayHaveRows(inTable: table) else { return }
    let rows = context.rowCount(ofTable: table)
    let removed = context.removedEntities.compactMap(context.source.number(of:))
    if !removed.isEmpty {
      steps.append(
        PlanStep(
          "DELETE FROM \(name: table) WHERE \(name: column) IN (\(.list(removed)))",
          cause: .historyOfRemovedEntities, rows: rows,
          writing: .rows(of: table)))
    }
    let changed = context.renumbering.filter { $0.key != $0.value }
    guard !changed.isEmpty else { return }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: table) SET \(name: column) = \(ColumnOrigin.renumbered("\(name: column)", changed)) \
        WHERE \(name: column) IN (\(.list(changed.keys)))
        """, cause: cause, rows: rows, writing: .columns([column], of: table)))
  }

  private mutating func rewriteEntityNumbers() {
    let numbers = Set(context.source.layout.entityNumbers.map(\.number))
    let old = context.snapshot.entityRows.filter { numbers.contains($0.number) }
    let wanted = context.destination.layout.entityNumbers.map { entity in
      StoreSnapshot.EntityRow(
        number: entity.number, name: entity.name, superentityNumber: entity.superentityNumber,
        maximumPrimaryKey: entity.superentityNumber == 0 ? maximumPrimaryKey(of: entity.name) : 0)
    }
    let known = old.sorted { $0.number < $1.number }
    guard feeding != nil || known != wanted else { return }
    let isOfKeys = known.map { [$0.name, "\($0.number)"] } == wanted.map { [$0.name, "\($0.number)"] }
    let cause: PlanCause = isOfKeys ? .keysContinue : .entityNumbers
    steps.append(
      PlanStep(
        "DELETE FROM \(name: "Z_PRIMARYKEY") WHERE \(name: "Z_ENT") IN (\(.list(old.map(\.number))))", cause: cause))
    let rows = wanted.map { row -> SQLStatement in
      let values: [SQLStatement] = [
        "\(.number(row.number))", "\(.text(row.name))", "\(.number(row.superentityNumber))",
        maximum(of: row),
      ]
      return "(\(values.joined()))"
    }
    guard !rows.isEmpty else { return }
    steps.append(
      PlanStep(
        """
        INSERT INTO \(name: "Z_PRIMARYKEY") (\(.names(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]))) VALUES \(rows.joined())
        """, cause: cause))
  }

  /// The highest `Z_PK` of a row in `Z_PRIMARYKEY`; where rows get new keys, no less than theirs.
  private func maximum(of row: StoreSnapshot.EntityRow) -> SQLStatement {
    let stored: SQLStatement = "\(.integer(row.maximumPrimaryKey))"
    guard feeding != nil, row.superentityNumber == 0, let table = context.destination.table(ofEntity: row.name) else {
      return stored
    }
    return "MAX(\(stored), COALESCE((SELECT MAX(\(name: "Z_PK")) FROM \(name: table.name)), 0))"
  }

  /// The highest `Z_PK` ever given out in the tables whose rows a root's table gets, and no less than any in use.
  private func maximumPrimaryKey(of root: String) -> Int64 {
    let sources = context.destination.hierarchy.family(of: root).compactMap { context.mapping(of: $0.name)?.source }
    let names = feeding.map { $0[root] ?? [] } ?? Set(sources.map(context.source.hierarchy.rootName(of:)))
    let roots = Set(names.compactMap(context.source.number(of:)))
    let given = context.snapshot.entityRows.filter { roots.contains($0.number) }.map(\.maximumPrimaryKey)
    let tables = Set(names.compactMap { context.source.table(ofEntity: $0)?.name })
    let used = context.snapshot.tables.filter { tables.contains($0.name) }.compactMap(\.highestPrimaryKey)
    return (given + used).max() ?? 0
  }
}
