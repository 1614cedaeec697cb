import Foundation
import GRDB
import MigrationSQL
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows

/// The rescue of one SQLite store.
struct SQLiteRescue {
  private let rescue: StoreRescue
  private let isInterrupted: @Sendable () -> Bool
  private let source: RescueSource
  private let choice: RescueVersion

  private var version: LoadedVersion { choice.version }
  private var hierarchy: EntityHierarchy { choice.version.hierarchy }

  /// Opens the store and chooses the version.
  init(_ rescue: StoreRescue, isInterrupted: @escaping @Sendable () -> Bool, readsPages: Bool = false) throws {
    (self.rescue, self.isInterrupted) = (rescue, isInterrupted)
    source = try RescueSource(
      rescue.path, busyTimeout: rescue.busyTimeout, isInterrupted: isInterrupted, readsPages: readsPages)
    choice = try RescueVersion(rescue, source)
  }

  func run(to output: String) throws -> RescueOutcome {
    defer { source.close() }
    var tally = RescueTally()
    let (numbers, layout) = try prepare(&tally)
    let causes = try RescueDiagnosis(rescue, source, choice, layout).causes()
    try checkTables(layout, causes)
    var staged: StagedStore?
    do {
      var filled = tally
      try source.read { database in
        // A reading that begins again leaves what it wrote.
        staged?.discard()
        let place = try StagedStore(for: output)
        staged = place
        filled = try fill(place, from: database, layout, numbers, tally)
      }
      guard let staged else { throw RescueError.noVersion(path: rescue.path) }
      let migrated = try rescue.migration?(staged.path, version)
      let result = migrated?.version ?? version
      var outcome = RescueOutcome(
        store: rescue.path, path: rescue.isRehearsal ? nil : output, causes: causes, read: version.name,
        version: result.name, refusal: migrated?.refusal, entities: filled.entities, findings: [])
      if outcome.entities.allSatisfy({ $0.kept == 0 }), let cause = source.damage.first {
        throw RescueError.nothing(path: rescue.path, cause: cause)
      }
      let reader = try StoreReader(path: staged.path, interruption: isInterrupted)
      defer { reader.close() }
      outcome.findings = try reader.verify(
        against: result.hierarchy, references: rescue.references(for: result),
        matching: RegularExpressions().matchesWhole)
      reader.close()
      if rescue.isRehearsal { staged.discard() } else { try staged.publish() }
      return outcome
    } catch {
      staged?.discard()
      throw error
    }
  }

  // MARK: What the store has

  /// Completes the entity numbers, and reads damaged pages.
  ///
  /// - Returns: the numbers that the store has, and its tables.
  private func prepare(_ tally: inout RescueTally) throws -> (numbers: RescueNumbers, layout: BoundLayout) {
    let isSound = source.recovered == nil
    var numbers = try self.numbers { isSound ? try hasRows($0, $1) : true }
    if !isSound {
      let bound = bind(numbers)
      var all = SQLStoreLayout(of: hierarchy, entityNumbers: numbers.numbers)
      let known = Set(bound.layout.tables.map(\.content))
      all.tables = bound.layout.tables + all.tables.filter { !known.contains($0.content) }
      note(try source.fill(all), all, &tally)
      numbers = try self.numbers { try hasRows($0, $1) }
    }
    for entity in numbers.repaired {
      tally.add(.entity, lost: false, entity, "Z_PRIMARYKEY did not have its number", key: nil)
    }
    let bound = bind(numbers)
    for case .missingTable(let name) in bound.deviations { noteMissing(name, numbers, &tally) }
    for difference in bound.layout.differences(from: source.snapshot) {
      switch difference {
      case .extraTable(let name):
        for key in try rowNumbers(ofTable: name) {
          tally.add(
            .unknown, lost: true, "", "rows of table \(name), a table that \(version.name) does not have", key: key)
        }
      case .extraColumn(let table, let column):
        let count = try count("SELECT COUNT(\(SQLIdentifier(column))) FROM \(SQLIdentifier(table))")
        guard count > 0 else { continue }
        tally.add(
          .unknown, lost: true, entity(ofTable: table, bound.layout) ?? "",
          "values of column \(table).\(column), a column that \(version.name) does not have", key: nil, count: count)
      default: continue
      }
    }
    return (numbers, bound)
  }

  /// The numbers of a table's rows; nil for each row of a table without row numbers.
  private func rowNumbers(ofTable name: String) throws -> [Int64?] {
    let table = SQLIdentifier(name).quoted
    return try source.read { database in
      do {
        return try Int64.fetchAll(database, sql: "SELECT rowid FROM \(table) NOT INDEXED")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        return Array(repeating: nil, count: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") ?? 0)
      }
    }
  }

  private func count(_ sql: String) throws -> Int { try source.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

  private func numbers(_ hasRows: (String, Int) throws -> Bool) throws -> RescueNumbers {
    RescueNumbers(of: hierarchy, in: source.snapshot) { (try? hasRows($0, $1)) ?? false }
  }

  private func hasRows(_ entity: String, _ number: Int) throws -> Bool {
    let bound = BoundLayout(of: hierarchy, to: source.snapshot)
    guard let table = bound.layout.table(ofEntity: entity), table.column(.entityNumber) != nil else { return false }
    return try count("SELECT COUNT(*) FROM \(SQLIdentifier(table.name)) NOT INDEXED WHERE Z_ENT = \(number)") > 0
  }

  /// The tables and columns that the store has, by the numbers that its entities have.
  private func bind(_ numbers: RescueNumbers) -> BoundLayout {
    var snapshot = source.snapshot
    let maxima = Dictionary(snapshot.entityRows.map { ($0.name, $0.maximumPrimaryKey) }) { first, _ in first }
    snapshot.entityRows =
      SQLStoreLayout(of: hierarchy, entityNumbers: numbers.numbers).entityNumbers.map { entity in
        StoreSnapshot.EntityRow(
          number: entity.number, name: entity.name, superentityNumber: entity.superentityNumber,
          maximumPrimaryKey: maxima[entity.name] ?? 0)
      } + snapshot.entityRows.filter(\.isService)
    return BoundLayout(of: hierarchy, to: snapshot)
  }

  private func entity(ofTable name: String, _ layout: SQLStoreLayout) -> String? {
    switch layout.tables.first(where: { $0.name.uppercased() == name.uppercased() })?.content {
    case .hierarchy(let root)?: root
    case .join(let naming)?: naming.entity
    case nil: nil
    }
  }

  private func noteMissing(_ name: String, _ numbers: RescueNumbers, _ tally: inout RescueTally) {
    let fresh = SQLStoreLayout(of: hierarchy, entityNumbers: numbers.numbers)
    let entity = entity(ofTable: name, fresh) ?? ""
    let highest = source.snapshot.entityRows.first { $0.name == entity }?.maximumPrimaryKey
    let isEmpty = highest == 0 && fresh.tables.contains { $0.name == name && $0.content == .hierarchy(root: entity) }
    tally.add(
      .table, lost: !isEmpty, entity,
      isEmpty ? "table \(name) was missing, but never had rows" : "table \(name) is missing", key: nil)
  }

  private func note(_ losses: [RecoveredStore.Loss], _ layout: SQLStoreLayout, _ tally: inout RescueTally) {
    for table in source.recovered?.assumedTables.sorted() ?? [] {
      tally.add(
        .table, lost: false, entity(ofTable: table, layout) ?? "",
        "table \(table) is missing in the list of tables; it is read with the columns of \(version.name)", key: nil)
    }
    for loss in losses {
      let entity = loss.table.flatMap { self.entity(ofTable: $0, layout) } ?? ""
      let table = loss.table.map { "table \($0)" } ?? "an unknown table"
      func add(_ kind: RescueItem.Kind, _ sentence: String, key: Int64? = nil, count: Int = 1) {
        guard count > 0 else { return }
        tally.add(kind, lost: true, entity, nil, sentence, key: key, page: loss.page, count: count)
      }
      add(.page, "pages of \(table) cannot be read", count: loss.pages)
      add(.row, "rows of \(table) cannot be read", count: loss.rows)
      for key in loss.unplacedRows {
        add(.unknown, loss.table == nil ? "the row fits no table" : "the row does not fit \(table)", key: key)
      }
      for key in loss.secondRows { add(.secondRow, "another row of \(table) has the same key", key: key) }
      for key in loss.cutRows { add(.value, "a value of the row is cut off", key: key) }
    }
  }

  private func checkTables(_ layout: BoundLayout, _ causes: [RescueCause]) throws {
    guard layout.layout.tables.isEmpty, source.metadata == nil else { return }
    if let damage = source.damage.first { throw RescueError.nothing(path: rescue.path, cause: damage) }
    throw RescueError.foreign(path: rescue.path, tables: source.snapshot.tables.map(\.name))
  }

  // MARK: The new store

  private func fill(
    _ staged: StagedStore, from source: Database, _ bound: BoundLayout, _ numbers: RescueNumbers, _ tally: RescueTally
  ) throws -> RescueTally {
    let creator = try StoreCreator(of: hierarchy, references: rescue.references(for: version))
    try creator.create(in: staged)
    return try StoreError.translating(path: staged.destination) {
      try NewStore.write(staged.path) {
        try write(to: $0, staged, creator.layout, from: source, bound, numbers, tally)
      }
    }
  }

  private func write(
    to database: Database, _ staged: StagedStore, _ layout: SQLStoreLayout, from source: Database,
    _ bound: BoundLayout, _ numbers: RescueNumbers, _ tally: RescueTally
  ) throws -> RescueTally {
    let schema = try PausedSchema(in: database)
    let reading = try RecordReading(of: hierarchy, path: staged.path, in: database, provingIndexes: false)
    var keys: RecordKeys
    var found: RescueTally
    do {
      var rows = try RowRescue(
        source, StoreModel(hierarchy: hierarchy, layout: bound.layout),
        folder: ExternalData.folder(ofStore: rescue.path), to: reading, tally, isInterrupted: isInterrupted)
      try StoreError.translating(path: rescue.path) { try rows.run() }
      (keys, found) = (rows.keys, rows.tally)
    }
    var links = LinkRescue(reading, layout, found)
    try links.run()
    found = links.tally
    try schema.makeIndexes()
    for row in self.source.snapshot.entityRows where hierarchy.rootName(of: row.name) == row.name {
      // A key that no app reaches is damage, and would leave no room for others.
      if hierarchy.entity(named: row.name) != nil, row.maximumPrimaryKey < 1 << 53 {
        keys.raise(row.name, to: row.maximumPrimaryKey)
      }
    }
    let writing = try RecordWriting(reading, files: ExternalFiles(ofStore: staged.path))
    try writing.write(RecordWrites(), keys: keys, author: nil)
    try writing.refreshDerived(keepsMoments: true)
    try schema.makeTriggers()
    try copyServices(to: database, from: source, layout, numbers, &found)
    if let metadata = self.source.metadata {
      try metadata.rewritten(for: version.versionHashes, identifiers: hierarchy.model.versionIdentifiers).ofSQLite
        .write(to: database)
    }
    if let bytes = choice.identification?.cachedContent ?? version.file.cachedContent {
      try database.execute(sql: "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", arguments: [bytes])
    }
    return found
  }

  /// Copies the tables of persistent history and CloudKit mirroring, which refer to entities by number.
  private func copyServices(
    to database: Database, from source: Database, _ layout: SQLStoreLayout, _ numbers: RescueNumbers,
    _ tally: inout RescueTally
  ) throws {
    let statements = self.source.recovered?.indexStatements ?? self.source.snapshot.indexes.compactMap(\.sql)
    let services = ServiceTables(self.source.snapshot, statements: statements)
    guard !services.tables.isEmpty else { return }
    let isSame = layout.entityNumbers.allSatisfy { numbers.numbers[$0.name] == $0.number }
    if isSame {
      try services.copy(from: source, to: database)
    } else {
      tally.add(
        .unknown, lost: true, "",
        "tables of persistent history and CloudKit, because the entities have other numbers in the new store", key: nil,
        count: services.tables.count)
    }
  }
}

/// The tables of persistent history and CloudKit mirroring, which are not in any model, copied unchanged.
private struct ServiceTables {
  private let snapshot: StoreSnapshot
  private let statements: [String]

  /// - Parameter statements: the statements of the store's indexes.
  init(_ snapshot: StoreSnapshot, statements: [String]) {
    self.snapshot = snapshot
    self.statements = statements
  }

  /// The tables that can be copied.
  var tables: [StoreSnapshot.Table] { snapshot.tables.filter { $0.isService && !$0.columns.isEmpty } }

  /// Copies the tables with their rows, their indexes and their rows of `Z_PRIMARYKEY`.
  func copy(from source: Database, to destination: Database) throws {
    for table in tables {
      let key = table.columns.contains { $0.name.uppercased() == "Z_PK" } ? "Z_PK" : nil
      let columns = table.columns.map { column in
        let name = SQLIdentifier(column.name).quoted
        guard column.name.uppercased() != key else { return "\(name) INTEGER PRIMARY KEY" }
        let isType = column.type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "(),".contains($0)) }
        return isType ? "\(name) \(column.type)" : name
      }
      let names = table.columns.map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
      let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
      let name = SQLIdentifier(table.name).quoted
      try destination.execute(sql: "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))")
      let insertion = try destination.makeStatement(sql: "INSERT OR IGNORE INTO \(name) (\(names)) VALUES (\(marks))")
      let rows = try Row.fetchCursor(source, sql: "SELECT \(names) FROM \(name) NOT INDEXED")
      while let row = try rows.next() {
        try insertion.execute(arguments: StatementArguments(row.databaseValues))
      }
    }
    let names = Set(tables.map { $0.name.uppercased() })
    for sql in statements {
      let words = sql.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).map { $0.uppercased() }
      guard let on = words.firstIndex(of: "ON"), on + 1 < words.count, names.contains(words[on + 1]) else { continue }
      // An index that rows or columns forbid is made by Core Data again.
      try? destination.makeStatement(sql: sql).execute()
    }
    for entity in snapshot.entityRows where entity.isService {
      try destination.execute(
        sql: "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        arguments: [entity.number, entity.name, entity.superentityNumber, entity.maximumPrimaryKey])
    }
  }
}
