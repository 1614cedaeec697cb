import CSQLiteConnection
import Foundation
package import GRDB
import GRDBSQLite
import PersistentStores

/// A copy of a store beside it, to be migrated and swapped in, or thrown away.
package final class StoreClone {
  /// The copy's file.
  let file: MadeFile
  var path: String { file.path }
  private let queue: DatabaseQueue
  private let interruption: Interruption?
  private let files: any FileOperations
  private var isOpen = true

  private init(_ file: MadeFile, _ queue: DatabaseQueue, _ files: any FileOperations, _ interruption: Interruption?) {
    (self.file, self.queue, self.files, self.interruption) = (file, queue, files, interruption)
  }

  /// Copies a store through SQLite.
  ///
  /// - Parameters:
  ///   - place: where the copy is made, where nothing may be; nil for a hidden name next to the store.
  ///   - interruption: asked often while SQLite works on the copy.
  ///   - report: called with the part that is copied.
  /// - Throws: ``MigrationError/file(path:detail:)`` when nothing can be written there, `StoreError`, `DatabaseError`.
  static func make(
    of store: String, from database: Database, _ files: any FileOperations, at place: String? = nil,
    interruption: Interruption?, report: (Double) -> Void
  ) throws -> StoreClone {
    let file = URL(fileURLWithPath: store)
    let name = CloneName(ofStore: file.lastPathComponent)
    let path = place ?? file.deletingLastPathComponent().appendingPathComponent(name.text).path
    let made: MadeFile
    do {
      made = MadeFile(path, try files.create(path, like: store))
    } catch {
      throw error.error(path: path, "a copy cannot be written \(place == nil ? "next to the store" : "there")")
    }
    do {
      var configuration = made.configuration
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      configuration.label = "modelctl.clone"
      configuration.prepareDatabase { database in
        database.removeAuthorizer()
        _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
        // A journal would be one more name beside the store that somebody else can take. Apple's SQLite keeps one
        // until the schema may be written.
        _ = modelctl_allow_schema_writing(database.sqliteConnection)
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = OFF")
        try database.execute(sql: "PRAGMA synchronous = OFF")
        // An index is sorted on another core while the table is read.
        _ = try Int.fetchOne(database, sql: "PRAGMA threads = 1")
        interruption?.install(on: database)
      }
      let isCopied = try FileContentCopy.copy(database, of: store, to: made, report)
      let queue = try made.open(configuration)
      try queue.writeWithoutTransaction { copy in
        if !isCopied { try Self.copy(database, to: copy, report) }
        try copy.changeJournalMode(to: "OFF")
        try StoreWriter.prepareSession(copy)
      }
      return StoreClone(made, queue, files, interruption)
    } catch {
      remove(path, files)
      throw error
    }
  }

  /// Copies page by page what a connection sees, a log included.
  package static func copy(_ source: Database, to destination: Database, _ report: (Double) -> Void) throws {
    guard let backup = sqlite3_backup_init(destination.sqliteConnection, "main", source.sqliteConnection, "main")
    else { throw DatabaseError(resultCode: destination.lastErrorCode, message: destination.lastErrorMessage) }
    var code = SQLITE_OK
    repeat {
      code = sqlite3_backup_step(backup, 1024)
      let total = sqlite3_backup_pagecount(backup)
      if total > 0 { report(1 - Double(sqlite3_backup_remaining(backup)) / Double(total)) }
    } while code == SQLITE_OK
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, finished == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code == SQLITE_DONE ? finished : code))
    }
  }

  /// Works on the copy in a single transaction; what fails leaves a copy that is only good for throwing away.
  func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let value = try body(database)
      try database.execute(sql: "COMMIT")
      return value
    }
  }

  /// Checks the copy's pages, puts the journal mode back and writes everything to the disk.
  ///
  /// - Parameters:
  ///   - journalMode: the store's own mode, such as `wal`.
  ///   - checksPages: false if the pages were checked together with the rows.
  /// - Throws: ``MigrationError/verificationFailed(path:findings:)`` when a page is damaged, `DatabaseError`.
  func finish(journalMode: String, checksPages: Bool = true) throws {
    try queue.writeWithoutTransaction { database in
      let answer = checksPages ? try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer" : "ok"
      guard answer == "ok" else { throw MigrationError.verificationFailed(path: path, findings: [.pages(answer)]) }
      if journalMode == "wal" { try database.changeJournalMode(to: "WAL") }
    }
    isOpen = false
    try queue.close()
    Self.removeCompanions(of: path, files)
    do {
      try files.synchronize(path)
    } catch {
      throw error.error(path: path, "it cannot be written to the disk")
    }
  }

  func discard() {
    if isOpen { try? queue.close() }
    isOpen = false
    Self.remove(path, files)
  }

  private static func remove(_ path: String, _ files: any FileOperations) {
    removeCompanions(of: path, files)
    if FileManager.default.fileExists(atPath: path) { try? files.remove(path) }
  }

  /// An exclusive lock has SQLite leave an empty journal behind.
  private static func removeCompanions(of path: String, _ files: any FileOperations) {
    for suffix in CloneName.companions where FileManager.default.fileExists(atPath: path + suffix) {
      try? files.remove(path + suffix)
    }
  }

  /// Removes the copies of a store that a crash left behind.
  ///
  /// The caller has locked the store, so no other process is migrating it. A copy that a live connection has open is
  /// kept, because it may belong to a store that was moved away.
  static func removeLeftovers(of store: String, _ files: any FileOperations) {
    let file = URL(fileURLWithPath: store)
    let folder = file.deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let copies = Set(names.compactMap { CloneName(file: $0, ofStore: file.lastPathComponent) })
    for copy in copies {
      let path = folder.appendingPathComponent(copy.text).path
      if isFile(path), isInUse(path) { continue }
      for suffix in CloneName.companions + [""] where isFile(path + suffix) { try? files.remove(path + suffix) }
    }
  }

  private static func isFile(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  /// A process that works on a copy holds a lock on it.
  private static func isInUse(_ path: String) -> Bool {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nil) == SQLITE_OK
    else { return false }
    return sqlite3_exec(connection, "BEGIN EXCLUSIVE; ROLLBACK", nil, nil, nil) & 0xFF == SQLITE_BUSY
  }
}

/// Copies the file of a store that a connection holds, in large pieces.
///
/// The bytes are read and written through SQLite's own file handles: a second handle of this process on the store would,
/// when it is closed, take the lock with it that keeps others out. Page by page, as SQLite's backup does it, costs five
/// times as much.
enum FileContentCopy {
  /// SQLite reads and writes less than 128 KiB at a time.
  private static let pieceLength = 1 << 16
  /// The byte in the header of a database that shows whether it has a write-ahead log.
  private static let versionOffset: sqlite3_int64 = 18

  /// Copies the file, if nothing of the store is elsewhere.
  ///
  /// - Parameters:
  ///   - source: a connection that holds the store exclusively and has no transaction open.
  ///   - made: an empty file. It gets the store's content without the mark of a write-ahead log.
  ///   - report: called with the part that is copied.
  /// - Returns: false if there is a write-ahead log with content, so that nothing was copied.
  static func copy(
    _ source: Database, of store: String, to made: MadeFile, _ report: (Double) -> Void
  ) throws -> Bool {
    let log = try? FileManager.default.attributesOfItem(atPath: store + "-wal")[.size] as? NSNumber
    guard (log?.int64Value ?? 0) == 0, let from = file(of: source.sqliteConnection) else { return false }
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    let code = sqlite3_open_v2(made.path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW, nil)
    // A link is not opened.
    try made.check(code == SQLITE_OK ? connection : nil)
    try check(code)
    guard let to = file(of: connection), let read = from.pointee.pMethods.pointee.xRead,
      let write = to.pointee.pMethods.pointee.xWrite
    else { return false }
    var size: sqlite3_int64 = 0
    try check(from.pointee.pMethods.pointee.xFileSize?(from, &size) ?? SQLITE_ERROR)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 4096)
    defer { piece.deallocate() }
    var offset: sqlite3_int64 = 0
    while offset < size {
      let length = Int32(min(size - offset, sqlite3_int64(pieceLength)))
      try check(read(from, piece.baseAddress, length, offset))
      try check(write(to, piece.baseAddress, length, offset))
      offset += sqlite3_int64(length)
      report(Double(offset) / Double(size))
    }
    let withoutLog: [UInt8] = [1, 1]
    if size > versionOffset { try check(write(to, withoutLog, Int32(withoutLog.count), versionOffset)) }
    return true
  }

  private static func file(of connection: OpaquePointer?) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
