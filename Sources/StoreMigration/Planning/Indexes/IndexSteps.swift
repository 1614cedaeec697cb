import MigrationSQL
import PersistentStores

/// Drops the indexes, triggers and spatial tables that do not fit the destination and makes those that are missing.
struct IndexSteps {
  private let context: PlanningContext
  private let origins: IndexOrigins
  private let feeders: [String: [TableTransfer.Feeder]]
  /// The columns of every copied table.
  private let copies: [String: Set<String>]
  private let sourceTables: Set<String>
  private(set) var clearing: [PlanStep] = []
  private(set) var making: [PlanStep] = []
  /// The places of unique indexes among those that are made.
  private var uniquePositions: Set<Int> = []
  private(set) var notes: [PlanNote] = []

  init(for tables: TableFates, in context: PlanningContext) {
    self.context = context
    sourceTables = Set(context.source.layout.tables.map(\.name))
    feeders = Dictionary(
      tables.copies.map { ($0.destination.name, $0.feeders) }, uniquingKeysWith: { first, _ in first })
    copies = Dictionary(
      tables.copies.map { copy in
        (copy.destination.name, Set(copy.destination.columns.map(\.name) + context.extraColumns(of: copy).map(\.name)))
      }, uniquingKeysWith: { first, _ in first })
    let kept = tables.names
    origins = IndexOrigins(context, kept: kept, copies: copies)
    planIndexes(kept)
    planTriggers(kept: kept)
    planViews()
  }

  /// The indexes to create, without the unique indexes.
  var makingPlain: [PlanStep] { making.indices.filter { !uniquePositions.contains($0) }.map { making[$0] } }

  var makingUnique: [PlanStep] { uniquePositions.sorted().map { making[$0] } }

  private mutating func planIndexes(_ kept: [String: IndexOrigins.KeptTable]) {
    let wanted = context.destination.layout.indexes
    let wantedForms = Dictionary(wanted.map { (IndexForm($0), $0.name) }, uniquingKeysWith: { first, _ in first })
    let wantedNames = Set(wanted.map { $0.name.uppercased() })
    // What is on other tables, of persistent history or the app's own, stays with them.
    for index in context.snapshot.indexes where kept[index.table] == nil && sourceTables.contains(index.table) {
      planIndexOfCopy(index)
    }
    let present = context.snapshot.indexes.filter { kept[$0.table] != nil }
    let forms = present.map { origins.newForm(of: $0) }
    let matching = IndexMatching(wanted: wanted, actual: present.indices.map { (present[$0].name, forms[$0]) })
    for position in matching.surplus.sorted() where !present[position].isInline {
      let index = present[position]
      let isOurs = origins.isCoreDatas(index)
      if !isOurs, origins.keepsColumns(of: index) { continue }
      if isOurs {
        let same = forms[position].flatMap { wantedForms[$0] }
        if let same {
          let step = drop(index.name, because: .indexReplaced(by: same))
          clearing.append(context.about(index: same, in: context.destination.hierarchy, step))
        } else if wantedNames.contains(index.name.uppercased()) {
          clearing.append(drop(index.name, because: .indexOfSameNameReplaced))
        } else {
          let step = drop(index.name, because: .indexNotInModel)
          clearing.append(context.about(index: index.name, in: context.source.hierarchy, step))
        }
      } else {
        clearing.append(drop(index.name, because: .indexOfAppGoes))
        notes.append(.indexGoes(index.name, withTable: false))
      }
    }
    let missing = missing(wanted, matching, present)
    let sources = Dictionary(kept.map { ($0.value.name, $0.key) }, uniquingKeysWith: { first, _ in first })
    for index in missing {
      let sources = sources[index.table].map { [$0] } ?? self.sources(of: index.table)
      var step = PlanStep(
        SQLStatement(verbatim: index.createStatement), cause: .indexMade,
        cost: sources.contains(where: context.mayHaveRows(inTable:)) ? .rows : .schema,
        rows: sources.reduce(0) { $0 + context.rowCount(ofTable: $1) })
      step.writing = .nothing
      if index.isUnique { uniquePositions.insert(making.count) }
      making.append(context.about(index, step))
    }
  }

  /// The indexes to make: those that the store lacks, and those whose present name one of these needs.
  private mutating func missing(
    _ wanted: [SQLIndex], _ matching: IndexMatching, _ present: [StoreSnapshot.Index]
  ) -> [SQLIndex] {
    var missing = wanted.indices.filter { matching.matches[$0] == nil }
    var surviving: [String: Int] = [:]
    for (position, match) in matching.matches.enumerated() {
      if let match { surviving[present[match].name.uppercased()] = position }
    }
    var next = 0
    while next < missing.count {
      if let position = surviving.removeValue(forKey: wanted[missing[next]].name.uppercased()),
        let match = matching.matches[position]
      {
        clearing.append(drop(present[match].name, because: .indexNameNeeded))
        missing.append(position)
      }
      next += 1
    }
    return missing.map { wanted[$0] }
  }

  /// An index that the app made on a table that is copied under its own name is created again there.
  private mutating func planIndexOfCopy(_ index: StoreSnapshot.Index) {
    guard !index.isInline, !origins.isCoreDatas(index), let sql = index.sql else { return }
    guard copies[index.table] != nil, origins.keepsColumns(of: index) else {
      notes.append(.indexGoes(index.name, withTable: true))
      return
    }
    making.append(
      PlanStep(
        SQLStatement(verbatim: sql), cause: .indexOfAppMade,
        rows: context.rowCount(ofTable: index.table), writing: .nothing))
  }

  private func drop(_ name: String, because cause: PlanCause) -> PlanStep {
    PlanStep("DROP INDEX \(name: name)", cause: cause)
  }

  /// The source tables that a destination table's rows are copied from.
  private func sources(of table: String) -> [String] { (feeders[table] ?? []).map(\.table.name) }

  private mutating func planTriggers(kept: [String: IndexOrigins.KeptTable]) {
    let wanted = context.destination.layout.triggers
    let spatial = context.destination.layout.spatialIndexes
    for trigger in context.snapshot.triggers {
      if context.isCoreDataTrigger(trigger.name) {
        clearing.append(PlanStep("DROP TRIGGER \(name: trigger.name)", cause: .madeAnew))
      } else if kept[trigger.table] == nil, copies[trigger.table] == nil, sourceTables.contains(trigger.table) {
        notes.append(.triggerGoes(trigger.name))
      }
    }
    for table in context.snapshot.virtualTables where table.hasPrefix("Z_RT_") {
      clearing.append(PlanStep("DROP TABLE \(name: table)", cause: .madeAnew))
    }
    for index in spatial {
      making += [PlanStep(SQLStatement(verbatim: index.sql), cause: .spatialIndexMade), fill(index)].map {
        context.about(index: index.name, in: context.destination.hierarchy, $0)
      }
    }
    for trigger in wanted {
      making.append(PlanStep(SQLStatement(verbatim: trigger.sql), cause: .triggerMade))
    }
    for trigger in context.snapshot.triggers where !context.isCoreDataTrigger(trigger.name) {
      guard kept[trigger.table] == nil, copies[trigger.table] != nil else { continue }
      making.append(PlanStep(SQLStatement(verbatim: trigger.sql), cause: .triggerOfAppMade))
    }
  }

  /// An unreadable view would prevent SQLite from renaming anything, so it is dropped and created again later.
  private mutating func planViews() {
    let broken = context.snapshot.views.filter { $0.error != nil }
    guard !broken.isEmpty else { return }
    notes += broken.map { .viewUnreadable($0.name, error: $0.error ?? "") }
    clearing += broken.map { PlanStep("DROP VIEW \(name: $0.name)", cause: .unreadableViewDropped) }
    making += broken.map { PlanStep(SQLStatement(verbatim: $0.sql), cause: .unreadableViewMade) }
    let names = Set(broken.map(\.name))
    making += context.snapshot.triggers.filter { names.contains($0.table) }.map { trigger in
      PlanStep(SQLStatement(verbatim: trigger.sql), cause: .triggerOfAppMade)
    }
  }

  private func fill(_ index: SQLSpatialIndex) -> PlanStep {
    let bounds = index.columns.flatMap { ["\(name: $0)", "\(name: $0)"] as [SQLStatement] }
    let rows = sources(of: index.table).reduce(0) { $0 + context.rowCount(ofTable: $1) }
    let conditions = index.columns.map { "\(name: $0) IS NOT NULL" as SQLStatement }
    return PlanStep(
      """
      INSERT INTO \(name: index.name) SELECT \((["\(name: "Z_PK")"] + bounds).joined()) FROM \(name: index.table) \
      WHERE \(conditions.joined(" AND "))
      """, cause: .spatialIndexMade, rows: rows, writing: .nothing)
  }
}

extension PlanningContext {
  /// True for a trigger that Core Data keeps for a derived attribute or a spatial index.
  func isCoreDataTrigger(_ name: String) -> Bool {
    name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_") || source.layout.triggers.contains { $0.name == name }
  }
}

/// The origin of each index of a store, by its purpose in the source's layout or by the form of its name, and its
/// counterpart in the destination.
struct IndexOrigins {
  /// A table that is altered in place: its new name and the new names of its columns.
  typealias KeptTable = (name: String, columns: [String: String])

  private let predicted: Set<IndexForm>
  /// The indexes of the source's model that the store has, by their names.
  private let definitions: [String: IndexForm]
  private let entities: Set<Substring>
  /// The upper-cased names that tables which stay, and their columns, have in the destination.
  private let names: [String: KeptTable]
  /// The upper-cased names of the columns that go.
  private let gone: [String: Set<String>]

  /// Looks at the indexes of a store.
  init(_ context: PlanningContext, kept: [String: KeptTable], copies: [String: Set<String>]) {
    names = kept.mapValues { table in
      let columns = table.columns.map { ($0.key.uppercased(), $0.value.uppercased()) }
      return (table.name.uppercased(), Dictionary(columns, uniquingKeysWith: { first, _ in first }))
    }
    gone = Dictionary(
      context.source.layout.tables.compactMap { table in
        kept[table.name].map { kept in
          (table.name, Set(table.columns.filter { kept.columns[$0.name] == nil }.map { $0.name.uppercased() }))
        }
      }
        + context.snapshot.tables.compactMap { table in
          copies[table.name].map { columns in
            (table.name, Set(table.columns.filter { !columns.contains($0.name) }.map { $0.name.uppercased() }))
          }
        }, uniquingKeysWith: { first, _ in first })
    let indexes = context.source.layout.indexes
    predicted = Set(indexes.map { IndexForm($0) })
    definitions = Dictionary(indexes.map { ($0.name, IndexForm($0)) }, uniquingKeysWith: { first, _ in first })
    entities = Set(
      (context.source.layout.entityNumbers + context.destination.layout.entityNumbers).map { Substring($0.name) })
  }

  /// The form of a store's index, with the source model's condition where its own is not understood.
  func form(of index: StoreSnapshot.Index) -> IndexForm? {
    guard var form = IndexForm(index) else { return nil }
    if form.rows == .unreadable, let known = definitions[index.name] { form.rows = known.rows }
    return form
  }

  /// The form of a store's index in the destination; nil if no model defines it, or if one of its columns is removed.
  func newForm(of index: StoreSnapshot.Index) -> IndexForm? {
    guard var form = form(of: index), let table = names[index.table] else { return nil }
    let columns = form.columns.compactMap { table.columns[$0] }
    guard columns.count == form.columns.count else { return nil }
    form.table = table.name
    form.columns = columns
    if case .condition(let condition) = form.rows {
      guard let renamed = condition.renamed({ table.columns[$0] }) else { return nil }
      form.rows = .condition(renamed)
    }
    return form
  }

  /// True if an index, including its expressions and its condition, uses no column that is removed.
  func keepsColumns(of index: StoreSnapshot.Index) -> Bool {
    guard let sql = index.sql, let gone = gone[index.table], !gone.isEmpty else { return true }
    return !sql.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }
      .contains { gone.contains(String($0)) }
  }

  func isCoreDatas(_ index: StoreSnapshot.Index) -> Bool {
    if let form = form(of: index), predicted.contains(form) { return true }
    if index.name.hasPrefix("Z"), index.name.hasSuffix("_INDEX") { return true }
    if index.name.hasPrefix(index.table + "_") { return true }
    guard index.name.hasPrefix("Z_") else { return false }
    let rest = index.name.dropFirst(2)
    return rest.indices.contains { rest[$0] == "_" && entities.contains(rest[..<$0]) }
  }
}
