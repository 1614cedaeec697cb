import Foundation
package import GRDB
import GRDBSQLite
import ModelFiles

/// The rows of a store that SQLite refuses, read page by page into a new SQLite file.
///
/// The store is copied first, with its log and its journal, and only the copy is read. The rows are in tables with the
/// names of the schema, without indexes, with each value as it is in the page.
package final class RecoveredStore {
  /// The unreadable pages and rows of a single table, or of one page outside all trees.
  package struct Loss: Hashable, Sendable {
    /// The table; nil for rows whose table is unknown.
    package let table: String?
    /// The page; nil for the pages in the table's tree.
    package let page: Int?
    /// How many of its pages cannot be read.
    package var pages = 0
    /// The number of unreadable rows in readable pages.
    package var rows = 0
    /// The numbers of the rows that fit no table.
    package var unplacedRows: [Int64] = []
    /// The keys that a second row had too.
    package var secondRows: [Int64] = []
    /// The keys of rows with a truncated value.
    package var cutRows: [Int64] = []
  }

  /// The SQLite file with the rows.
  package let path: String
  /// The connection to it.
  package let queue: DatabaseQueue
  /// The frames of the write-ahead log, and how many of them can be read; nil without a log.
  package var log: (frames: Int, readable: Int)? { trees.file.log }
  /// False if the header or the schema is damaged.
  package var isWholeSchema: Bool { trees.file.hasHeader && trees.hasWholeSchema }
  /// The names of the indexes and triggers that the schema has.
  package var indexStatements: [String] { trees.indexes }

  private let folder: TemporaryStoreFolder
  private let trees: TableTrees
  private let isInterrupted: @Sendable () -> Bool
  /// The tables that the recovered schema lacks, created with the columns of the version.
  package private(set) var assumedTables: Set<String> = []
  private var columns: [String: SchemaColumns] = [:]

  /// Copies a store and reads its schema, its metadata, its entity numbers and its cached model.
  ///
  /// - Returns: nil if no page size fits the file.
  /// - Throws: `StoreError`, `DatabaseError`.
  package init?(of store: String, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws {
    folder = try TemporaryStoreFolder()
    self.isInterrupted = isInterrupted
    let copy = folder.path(of: "store")
    try Self.copy(store, to: copy)
    guard let file = PageFile(path: copy) else { return nil }
    trees = TableTrees(file)
    guard !trees.tables.isEmpty || !trees.orphans.isEmpty else { return nil }
    path = folder.path(of: "recovered.sqlite")
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      for setting in ["journal_mode = OFF", "synchronous = OFF", "trusted_schema = 0"] {
        _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)")
      }
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try makeTables(in: $0) }
  }

  deinit { try? queue.close() }

  /// Copies the files of a store, and reverts an unfinished transaction with the journal.
  private static func copy(_ store: String, to copy: String) throws {
    let place = RealPath.of(store)
    do {
      try FileManager.default.copyItem(atPath: place, toPath: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
      if let journal = FileStatus(place + "-journal"), journal.kind == .file, journal.size > 0 {
        try FileManager.default.copyItem(atPath: place + "-journal", toPath: copy + "-journal")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + "-journal")
        let queue = try? DatabaseQueue(path: copy)
        _ = try? queue?.read { try Row.fetchOne($0, sql: "SELECT 1 FROM sqlite_master") }
        try? queue?.close()
      }
      if let log = FileStatus(place + "-wal"), log.kind == .file, log.size > 0 {
        try? FileManager.default.removeItem(atPath: copy + "-wal")
        try FileManager.default.copyItem(atPath: place + "-wal", toPath: copy + "-wal")
      }
    } catch let error where StoreError.lacksRoom(error, in: FileManager.default.temporaryDirectory.path) {
      throw StoreError.fullTemporaryFolder
    } catch {
      throw StoreError(error, copying: store)
    }
  }

  // MARK: Tables

  private func makeTables(in database: Database) throws {
    try database.execute(sql: "BEGIN")
    for table in trees.tables where !table.name.lowercased().hasPrefix("sqlite_") {
      guard let found = SchemaColumns(table.sql) else { continue }
      try make(table.name, found, in: database)
    }
    for table in trees.tables where SystemTable(rawValue: table.name.uppercased()) != nil {
      var filling = Filling()
      for page in table.leaves { _ = try insert(page, in: database, &filling) { _, _ in .table(table.name) } }
    }
    for table in SystemTable.allCases { try findRows(of: table, in: database) }
    try database.execute(sql: "COMMIT")
  }

  private func make(_ name: String, _ found: SchemaColumns, in database: Database) throws {
    let list = found.columns.enumerated().map { position, column in
      let name = SQLIdentifier(column.name).quoted
      let type = column.type.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "(),".contains($0)) }
      return position == found.rowNumber ? "\(name) INTEGER PRIMARY KEY" : "\(name) \(type ? column.type : "")"
    }
    do {
      try database.execute(sql: "CREATE TABLE \(SQLIdentifier(name).quoted) (\(list.joined(separator: ", ")))")
      columns[name] = found
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A hostile schema may name a table or a column a second time.
    }
  }

  /// Finds the rows of one of Core Data's own tables in pages outside all trees.
  private func findRows(of table: SystemTable, in database: Database) throws {
    let name = columns.keys.first { $0.uppercased() == table.rawValue } ?? table.rawValue
    if columns[name] == nil {
      guard let found = SchemaColumns(table.createStatement) else { return }
      try make(name, found, in: database)
    }
    guard try Row.fetchOne(database, sql: "SELECT 1 FROM \(SQLIdentifier(name).quoted) LIMIT 1") == nil else { return }
    var filling = Filling()
    for page in trees.orphans {
      _ = try insert(page, in: database, &filling) { row, _ in table.fits(row) ? .table(name) : .passed }
    }
  }

  // MARK: Rows

  /// Reads all rows into their tables.
  ///
  /// - Parameters:
  ///   - layout: the tables of the version that wrote the store, with the store's names if it has them.
  /// - Returns: the losses.
  package func fill(_ layout: SQLStoreLayout) throws -> [Loss] {
    try queue.inDatabase { database in
      try database.execute(sql: "BEGIN")
      let placing = RowPlacing(
        layout, columns: columns, incomplete: Set(trees.tables.filter { $0.lostPages > 0 }.map(\.name)),
        isWhole: isWholeSchema)
      var losses: [Loss] = []
      for table in trees.tables
      where !isOfSQLite(table.name) && (columns[table.name] != nil || !table.leaves.isEmpty) {
        var filling = Filling()
        var lost = 0
        for page in table.leaves {
          lost += try insert(page, in: database, &filling) { row, _ in
            try placed(placing.table(of: row, inTree: table.name), placing, in: database).map { .table($0) }
              ?? .unplaced(table.name)
          }
        }
        filling.note(table.name) { ($0.pages, $0.rows) = (table.lostPages, lost) }
        losses += filling.found
      }
      for page in trees.orphans { losses += try fill(from: page, placing, in: database) }
      try database.execute(sql: "COMMIT")
      return losses
    }
  }

  /// True for a table of SQLite or Core Data, whose rows are read before all others.
  private func isOfSQLite(_ table: String) -> Bool {
    SystemTable(rawValue: table.uppercased()) != nil || table.lowercased().hasPrefix("sqlite_")
  }

  /// Reads the rows of a page outside all trees: first rows that identify their table, then the other rows by the owner
  /// of the page.
  private func fill(from page: Int, _ placing: RowPlacing, in database: Database) throws -> [Loss] {
    var filling = Filling(page: page)
    var said: Set<String> = []
    var silent: Set<Int> = []
    let lost = try insert(page, in: database, &filling) { row, position in
      guard let name = try placed(placing.numberedTable(of: row), placing, in: database) else {
        silent.insert(position)
        return .passed
      }
      said.insert(name)
      return .table(name)
    }
    let owner = trees.owner(ofPage: page) ?? (said.count == 1 ? said.first : nil)
    filling.note(owner) { $0.rows = lost }
    guard !silent.isEmpty else { return filling.found }
    _ = try insert(page, in: database, &filling) { row, position in
      guard silent.contains(position), !(owner.map(isOfSQLite) ?? (row.isOfSchema || SystemTable(row) != nil)) else {
        return .passed
      }
      return try placed(placing.table(of: row, ownedBy: owner), placing, in: database).map { .table($0) }
        ?? .unplaced(owner)
    }
    return filling.found
  }

  /// Creates the table of a row if the recovered schema lacks it.
  private func placed(_ name: String?, _ placing: RowPlacing, in database: Database) throws -> String? {
    guard let name, columns[name] == nil else { return name }
    guard let found = placing.columns[name] else { return nil }
    try make(name, found, in: database)
    guard columns[name] != nil else { return nil }
    assumedTables.insert(name)
    return name
  }

  /// Reads the rows of a page into tables.
  ///
  /// - Returns: how many of them cannot be read.
  private func insert(
    _ page: Int, in database: Database, _ filling: inout Filling,
    _ place: (_ row: RecoveredRow, _ position: Int) throws -> Filling.Location
  ) throws -> Int {
    if isInterrupted() { throw StoreError.interrupted(path: path) }
    var position = 0
    return try trees.forEachRow(ofPage: page) { row in
      defer { position += 1 }
      switch try place(row, position) {
      case .passed: return
      case .unplaced(let table): filling.note(table) { $0.unplacedRows.append(row.rowid) }
      case .table(let name):
        guard let found = columns[name] else { return }
        let insertion = try filling.insertions[name] ?? RowInsertion(into: name, found, in: database)
        filling.insertions[name] = insertion
        if row.values.contains(.lost) || row.values.count > found.columns.count {
          filling.note(name) { $0.cutRows.append(row.rowid) }
        }
        if try !insertion.run(row) { filling.note(name) { $0.secondRows.append(row.rowid) } }
      }
    }
  }
}

/// The results for the pages of a single table, or for one page outside all trees.
private struct Filling {
  /// The position of a row.
  enum Location {
    case table(String)
    /// No table was found; the value is the table that owns the row's page.
    case unplaced(String?)
    /// Another pass reads the row.
    case passed
  }

  private let page: Int?
  private var losses: [String?: RecoveredStore.Loss] = [:]
  var insertions: [String: RowInsertion] = [:]

  init(page: Int? = nil) { self.page = page }

  /// The losses so far, by the names of the tables.
  var found: [RecoveredStore.Loss] {
    losses.values.filter { $0 != RecoveredStore.Loss(table: $0.table, page: page) }
      .sorted { $0.table ?? "" < $1.table ?? "" }
  }

  mutating func note(_ table: String?, _ change: (inout RecoveredStore.Loss) -> Void) {
    change(&losses[table, default: RecoveredStore.Loss(table: table, page: page)])
  }
}

/// Puts rows into a table as they are.
private struct RowInsertion {
  private let statement: Statement
  private let columns: SchemaColumns

  init(into table: String, _ columns: SchemaColumns, in database: Database) throws {
    self.columns = columns
    let names = (columns.rowNumber == nil ? ["rowid"] : []) + columns.columns.map { SQLIdentifier($0.name).quoted }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    statement = try database.makeStatement(
      sql: "INSERT OR IGNORE INTO \(SQLIdentifier(table).quoted) (\(names.joined(separator: ", "))) VALUES (\(marks))")
  }

  /// Inserts a row; false if its number is already used.
  func run(_ row: RecoveredRow) throws -> Bool {
    let handle = statement.sqliteStatement
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    var mark: Int32 = 1
    if columns.rowNumber == nil {
      sqlite3_bind_int64(handle, mark, row.rowid)
      mark += 1
    }
    for position in columns.columns.indices {
      if position == columns.rowNumber {
        sqlite3_bind_int64(handle, mark, row.integer(position) ?? row.rowid)
      } else if position < row.values.count {
        bind(row.values[position], mark)
      }
      mark += 1
    }
    let code = sqlite3_step(handle)
    let connection = sqlite3_db_handle(handle)
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)))
    }
    return sqlite3_changes(connection) > 0
  }

  private func bind(_ value: RecoveredValue, _ mark: Int32) {
    // SQLite copies the bytes.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let handle = statement.sqliteStatement
    switch value {
    case .null, .lost: sqlite3_bind_null(handle, mark)
    case .integer(let number): sqlite3_bind_int64(handle, mark, number)
    case .real(let number): sqlite3_bind_double(handle, mark, number)
    case .text(let bytes):
      bytes.withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        // Without a place it would be nothing.
        if let start {
          sqlite3_bind_text(handle, mark, start, Int32(clamping: bytes.count), copied)
        } else {
          sqlite3_bind_text(handle, mark, "", 0, copied)
        }
      }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(handle, mark, 0)
      } else {
        _ = bytes.withUnsafeBytes {
          sqlite3_bind_blob(handle, mark, $0.baseAddress, Int32(clamping: $0.count), copied)
        }
      }
    }
  }
}
