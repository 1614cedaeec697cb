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
  ///   - metadata: the property list of the destination's metadata, complete.
  ///   - cachedModel: the bytes of a cached model of the destination; nil if no store with one is known.
  ///   - feeding: the source roots whose rows a destination root's table gets, where rows get new keys; nil if all
  ///     keep theirs and come from the entity that continues in them.
  init(_ context: PlanningContext, metadata: [UInt8], cachedModel: [UInt8]?, feeding: [String: Set<String>]? = nil) {
    (self.context, self.feeding) = (context, feeding)
    steps += HistorySteps(context).steps
    renumberHistory()
    rewriteEntityNumbers()
    steps.append(
      PlanStep("UPDATE \(name: "Z_METADATA") SET \(name: "Z_PLIST") = \(.blob(metadata))", cause: .hashesRecorded))
    if has("Z_MODELCACHE") {
      steps.append(PlanStep("DELETE FROM \(name: "Z_MODELCACHE")", cause: .cachedModelStale))
      if let cachedModel {
        let row = StoreMetadata.cachedModelRow(ofGuessedNames: context.destination.layout.hasGuessedNames)
        steps.append(
          PlanStep(
            """
            INSERT INTO \(name: "Z_MODELCACHE") (\(name: "rowid"), \(name: "Z_CONTENT")) \
            VALUES (\(.number(row)), \(.blob(cachedModel)))
            """, cause: .cachedModelKnown))
      }
    }
  }

  private func has(_ table: String) -> Bool { context.snapshot.tables.contains { $0.name == table } }

  private mutating func renumberHistory() {
    renumber(HistorySteps.table, "ZENTITY", cause: .historyRenumbered)
    if context.options.allowsCloudKit { renumber("ANSCKRECORDMETADATA", "ZENTITYID", cause: .cloudKitRenumbered) }
  }

  private mutating func renumber(_ table: String, _ column: String, cause: PlanCause) {
    guard has(table), context.mayHaveRows(inTable: table) else { return }
    let rows = context.rowCount(ofTable: table)
    let removed = context.removedEntities.compactMap(context.source.number(of:))
    if !removed.isEmpty {
      steps.append(
        PlanStep(
          "DELETE FROM \(name: table) WHERE \(name: column) IN (\(.list(removed)))",
          cause: .historyOfRemovedEntities, rows: rows, writing: .rows(of: table)
        ).about(context.renumberedEntities))
    }
    let changed = context.renumbering.filter { $0.key != $0.value }
    guard !changed.isEmpty else { return }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: table) SET \(name: column) = \(ColumnOrigin.renumbered("\(name: column)", changed)) \
        WHERE \(name: column) IN (\(.list(changed.keys)))
        """, cause: cause, rows: rows, writing: .columns([column], of: table)
      ).about(context.renumberedEntities))
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
    // What a stage before this one makes of the keys is in the rows that the new ones take the place of.
    let isLater = context.snapshot.isOfSchemaOnly
    let movesRows = wanted.contains { !sourceNumbers(of: $0).allSatisfy([$0.number].contains) }
    guard feeding != nil || known != wanted || isLater && movesRows else { return }
    let isOfKeys = known.map { [$0.name, "\($0.number)"] } == wanted.map { [$0.name, "\($0.number)"] }
    let cause: PlanCause = isOfKeys ? .keysContinue : .entityNumbers
    let subject = isOfKeys ? [] : context.renumberedEntities
    if !isLater { deleteEntityNumbers(old.map(\.number), cause, about: subject) }
    let rows = wanted.map { row -> SQLStatement in
      let values: [SQLStatement] = [
        "\(.number(row.number))", "\(.text(row.name))", "\(.number(row.superentityNumber))",
        maximum(of: row),
      ]
      return "(\(values.joined()))"
    }
    if !rows.isEmpty {
      let making: SQLStatement = isLater ? "INSERT OR REPLACE INTO" : "INSERT INTO"
      steps.append(
        PlanStep(
          """
          \(making) \(name: "Z_PRIMARYKEY") (\(.names(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]))) VALUES \(rows.joined())
          """, cause: cause
        ).about(subject))
    }
    let gone = Set(old.map(\.number)).subtracting(wanted.map(\.number))
    if isLater, !gone.isEmpty { deleteEntityNumbers(gone.sorted(), cause, about: subject) }
  }

  private mutating func deleteEntityNumbers(
    _ numbers: [Int], _ cause: PlanCause, about subject: Set<ModelElement>
  ) {
    steps.append(
      PlanStep("DELETE FROM \(name: "Z_PRIMARYKEY") WHERE \(name: "Z_ENT") IN (\(.list(numbers)))", cause: cause)
        .about(subject))
  }

  /// The highest `Z_PK` of a row in `Z_PRIMARYKEY`: no less than what a stage before this one gave out, and where rows get
  /// new keys no less than theirs.
  private func maximum(of row: StoreSnapshot.EntityRow) -> SQLStatement {
    var candidates: [SQLStatement] = ["\(.integer(row.maximumPrimaryKey))"]
    if row.superentityNumber == 0 {
      let roots = sourceNumbers(of: row)
      if context.snapshot.isOfSchemaOnly, !roots.isEmpty {
        candidates.append(
          """
          COALESCE((SELECT MAX(\(name: "Z_MAX")) FROM \(name: "Z_PRIMARYKEY") WHERE \(name: "Z_ENT") IN (\(.list(roots)))), 0)
          """)
      }
      if feeding != nil, let table = context.destination.table(ofEntity: row.name) {
        candidates.append("COALESCE((SELECT MAX(\(name: "Z_PK")) FROM \(name: table.name)), 0)")
      }
    }
    return candidates.count == 1 ? candidates[0] : "MAX(\(candidates.joined()))"
  }

  /// The numbers of the source roots whose rows a root's table gets; none for what is no root.
  private func sourceNumbers(of row: StoreSnapshot.EntityRow) -> [Int] {
    guard row.superentityNumber == 0 else { return [] }
    return sourceRoots(of: row.name).compactMap(context.source.number(of:)).sorted()
  }

  /// The source roots whose rows a root's table gets.
  private func sourceRoots(of root: String) -> Set<String> {
    if let feeding { return feeding[root] ?? [] }
    let sources = context.destination.hierarchy.family(of: root).compactMap { context.mapping(of: $0.name)?.source }
    return Set(sources.map(context.source.hierarchy.rootName(of:)))
  }

  /// The highest `Z_PK` ever given out in the tables whose rows a root's table gets, and no less than any in use.
  private func maximumPrimaryKey(of root: String) -> Int64 {
    let names = sourceRoots(of: root)
    let roots = Set(names.compactMap(context.source.number(of:)))
    let given = context.snapshot.entityRows.filter { roots.contains($0.number) }.map(\.maximumPrimaryKey)
    let tables = Set(names.compactMap { context.source.table(ofEntity: $0)?.name })
    let used = context.snapshot.tables.filter { tables.contains($0.name) }.compactMap(\.highestPrimaryKey)
    return (given + used).max() ?? 0
  }
}

/// Computes the values of derived attributes whose sources changed, on the destination's tables.
struct DerivedSteps {
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []
  private(set) var notes: [PlanNote] = []

  init(for transfers: [TableTransfer], in context: PlanningContext) {
    self.context = context
    for transfer in transfers {
      for column in transfer.destination.columns {
        guard case .attribute(let address) = column.role else { continue }
        let stale = transfer.origins(of: column).filter { $0.value.base == .later }.keys
        if !stale.isEmpty { compute(column, address, of: transfer, for: stale.sorted()) }
      }
    }
  }

  private mutating func compute(
    _ column: SQLColumn, _ address: PropertyAddress, of transfer: TableTransfer, for entities: [String]
  ) {
    guard let declared = context.destination.hierarchy.allAttributes(of: address.entity)[address.property]?.property,
      let derivation = declared.derivation,
      let value = DerivedValue(
        derivation, of: address.entity, table: transfer.destination.name, in: context.destination)
    else {
      notes.append(.derivedLater(address))
      return
    }
    let table = transfer.destination.name
    let numbers = entities.compactMap(context.destination.number(of:))
    let rows = transfer.feeders.reduce(0) { $0 + context.rowCount(ofTable: $1.table.name) }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(value.expression) \
        WHERE \(name: "Z_ENT") IN (\(.list(numbers)))
        """, cause: .derivedValues(address), rows: rows, writing: .columns([column.name], of: table)
      ).about(context.subject(ofProperty: address)))
  }
}
