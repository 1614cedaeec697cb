import PersistentStores

/// Drops the indexes, triggers and spatial tables that do not fit the destination and makes those that are missing.
struct IndexSteps {
  private let context: PlanningContext
  private let feeders: [String: [TableTransfer.Feeder]]
  /// The columns of every copied table.
  private let copies: [String: Set<String>]
  private(set) var clearing: [PlanStep] = []
  private(set) var making: [PlanStep] = []
  /// The places of unique indexes among those that are made.
  private var uniquePositions: Set<Int> = []
  private(set) var notes: [String] = []

  init(for planning: TablePlanning, in context: PlanningContext) {
    self.context = context
    feeders = Dictionary(
      planning.copies.map { ($0.destination.name, $0.feeders) }, uniquingKeysWith: { first, _ in first })
    copies = Dictionary(
      planning.copies.map { copy in
        (copy.destination.name, Set(copy.destination.columns.map(\.name) + context.extraColumns(of: copy).map(\.name)))
      }, uniquingKeysWith: { first, _ in first })
    planIndexes(planning.keptTables)
    planTriggers(kept: planning.keptTables)
    planViews()
  }

  /// What is made, without the unique indexes.
  var makingPlain: [PlanStep] { making.indices.filter { !uniquePositions.contains($0) }.map { making[$0] } }

  /// The unique indexes that are made.
  var makingUnique: [PlanStep] { uniquePositions.sorted().map { making[$0] } }

  private mutating func planIndexes(_ kept: [String: KeptTable]) {
    var missing = context.destination.layout.indexes
    var surviving: [(name: String, index: SQLIndex)] = []
    var unmatched: [StoreSnapshot.Index] = []
    for index in context.snapshot.indexes {
      guard let table = kept[index.table] else {
        planIndexOfCopy(index)
        continue
      }
      guard let wanted = missing.firstIndex(where: { $0.name == index.name && fits(index, $0, table) }) else {
        unmatched.append(index)
        continue
      }
      surviving.append((index.name, missing.remove(at: wanted)))
    }
    for index in unmatched {
      guard let table = kept[index.table] else { continue }
      if let position = missing.firstIndex(where: { fits(index, $0, table) }) {
        surviving.append((index.name, missing.remove(at: position)))
      } else if !index.isInline {
        let isOurs = context.isCoreDataIndex(index)
        if !isOurs, columns(of: index, in: table).count == index.columns.count { continue }
        clearing.append(drop(index, because: isOurs ? reason(index, table) : "its columns go"))
        if !isOurs { notes.append("index \(index.name), which the app made itself, goes with its columns") }
      }
    }
    while let clash = surviving.firstIndex(where: { survivor in missing.contains { $0.name == survivor.name } }) {
      let survivor = surviving.remove(at: clash)
      clearing.append(PlanStep("DROP INDEX \(name: survivor.name)", cause: "its name is needed for another index"))
      missing.append(survivor.index)
    }
    for index in missing {
      let sources = sources(of: index.table, kept)
      var step = PlanStep(
        SQLStatement(verbatim: index.createStatement), cause: "an index of the new model",
        cost: sources.contains(where: context.mayHaveRows(inTable:)) ? .rows : .schema,
        rows: sources.reduce(0) { $0 + context.rowCount(ofTable: $1) })
      step.writing = .nothing
      if index.isUnique { uniquePositions.insert(making.count) }
      making.append(step)
    }
  }

  private typealias KeptTable = (name: String, columns: [String: String])

  /// The columns of a store's index under their new names, without those that go.
  private func columns(of index: StoreSnapshot.Index, in table: KeptTable) -> [String] {
    let unknown = Set(context.unknownColumns(ofTable: index.table).map(\.name))
    return index.columns.compactMap { table.columns[$0] ?? (unknown.contains($0) ? $0 : nil) }
  }

  /// True when a store's index does what an index of the new model does, whatever its name.
  private func fits(_ index: StoreSnapshot.Index, _ wanted: SQLIndex, _ table: KeptTable) -> Bool {
    wanted.table == table.name && wanted.isUnique == index.isUnique && wanted.columns.count == index.columns.count
      && (wanted.condition != nil) == index.isPartial && wanted.columns.map(\.name) == columns(of: index, in: table)
  }

  /// Why an index that Core Data made goes.
  private func reason(_ index: StoreSnapshot.Index, _ table: KeptTable) -> String {
    let wanted = context.destination.layout.indexes
    if let same = wanted.first(where: { fits(index, $0, table) }) {
      return "the new model has one index of its columns, \(same.name)"
    }
    return wanted.contains { $0.name == index.name }
      ? "the new model has another index of its name" : "it is not in the new model"
  }

  /// An index that the app made on a table that is copied under its own name is made again there.
  private mutating func planIndexOfCopy(_ index: StoreSnapshot.Index) {
    guard !index.isInline, !context.isCoreDataIndex(index), let sql = index.sql else { return }
    guard let columns = copies[index.table], index.columns.allSatisfy(columns.contains) else {
      notes.append("index \(index.name), which the app made itself, goes with its table or columns")
      return
    }
    making.append(
      PlanStep(
        SQLStatement(verbatim: sql), cause: "an index that the app made itself",
        rows: context.rowCount(ofTable: index.table), writing: .nothing))
  }

  private func drop(_ index: StoreSnapshot.Index, because cause: String) -> PlanStep {
    PlanStep("DROP INDEX \(name: index.name)", cause: cause)
  }

  /// The source tables whose rows a destination table has.
  private func sources(of table: String, _ kept: [String: KeptTable]) -> [String] {
    if let source = kept.first(where: { $0.value.name == table })?.key { return [source] }
    return (feeders[table] ?? []).map(\.table.name)
  }

  private mutating func planTriggers(kept: [String: KeptTable]) {
    let wanted = context.destination.layout.triggers
    let spatial = context.destination.layout.spatialIndexes
    let formerTables = Set(context.source.layout.tables.map(\.name))
    for trigger in context.snapshot.triggers {
      if context.isCoreDataTrigger(trigger.name) {
        clearing.append(PlanStep("DROP TRIGGER \(name: trigger.name)", cause: "it is made anew for the new model"))
      } else if kept[trigger.table] == nil, copies[trigger.table] == nil, formerTables.contains(trigger.table) {
        notes.append("trigger \(trigger.name), which the app made itself, goes with its table")
      }
    }
    for table in context.snapshot.virtualTables where table.hasPrefix("Z_RT_") {
      clearing.append(PlanStep("DROP TABLE \(name: table)", cause: "it is made anew for the new model"))
    }
    for index in spatial {
      making.append(PlanStep(SQLStatement(verbatim: index.sql), cause: "a spatial index of the new model"))
      making.append(fill(index))
    }
    for trigger in wanted {
      making.append(PlanStep(SQLStatement(verbatim: trigger.sql), cause: "it keeps derived values and spatial indexes"))
    }
    for trigger in context.snapshot.triggers where !context.isCoreDataTrigger(trigger.name) {
      guard kept[trigger.table] == nil, copies[trigger.table] != nil else { continue }
      making.append(PlanStep(SQLStatement(verbatim: trigger.sql), cause: "a trigger that the app made itself"))
    }
  }

  /// A view that cannot be read before would keep SQLite from renaming anything, so it stands aside meanwhile.
  private mutating func planViews() {
    let broken = context.snapshot.views.filter { $0.fault != nil }
    guard !broken.isEmpty else { return }
    let cause = "it cannot be read, and would keep SQLite from renaming columns"
    notes += broken.map { view in
      "view \(view.name), which the app made itself, cannot be read (\(view.fault ?? "")) and stays word for word"
    }
    clearing += broken.map { PlanStep("DROP VIEW \(name: $0.name)", cause: cause) }
    let back = "a view that the app made itself, as it was"
    making += broken.map { PlanStep(SQLStatement(verbatim: $0.sql), cause: back) }
    let names = Set(broken.map(\.name))
    making += context.snapshot.triggers.filter { names.contains($0.table) }.map { trigger in
      PlanStep(SQLStatement(verbatim: trigger.sql), cause: "a trigger that the app made itself")
    }
  }

  private func fill(_ index: SQLSpatialIndex) -> PlanStep {
    let bounds = index.columns.flatMap { ["\(name: $0)", "\(name: $0)"] as [SQLStatement] }
    let rows = sources(of: index.table, [:]).reduce(0) { $0 + context.rowCount(ofTable: $1) }
    let conditions = index.columns.map { "\(name: $0) IS NOT NULL" as SQLStatement }
    return PlanStep(
      """
      INSERT INTO \(name: index.name) SELECT \((["\(name: "Z_PK")"] + bounds).joined()) FROM \(name: index.table) \
      WHERE \(conditions.joined(" AND "))
      """, cause: "a spatial index of the new model", rows: rows, writing: .nothing)
  }
}

extension PlanningContext {
  /// True for an index that Core Data made, by its purpose in the source's layout or by the form of its name.
  func isCoreDataIndex(_ index: StoreSnapshot.Index) -> Bool {
    let isPredicted = source.layout.indexes.contains { predicted in
      predicted.table == index.table && predicted.columns.map(\.name) == index.columns
        && predicted.isUnique == index.isUnique
    }
    if isPredicted || (index.name.hasPrefix("Z") && index.name.hasSuffix("_INDEX")) { return true }
    if index.name.hasPrefix(index.table + "_") { return true }
    let entities = source.layout.entityNumbers + destination.layout.entityNumbers
    return entities.contains { index.name.hasPrefix("Z_\($0.name)_") }
  }

  /// True for a trigger that Core Data keeps for a derived attribute or a spatial index.
  func isCoreDataTrigger(_ name: String) -> Bool {
    name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_") || source.layout.triggers.contains { $0.name == name }
  }
}
