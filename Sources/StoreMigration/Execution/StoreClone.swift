import Foundation
import GRDB
import GRDBSQLite
import PersistentStores

/// A copy of a store beside it, to be migrated and swapped in, or thrown away.
final class StoreClone {
  /// The copy's file.
  let path: String
  private let queue: DatabaseQueue
  private var isOpen = true

  /// Copies a store through SQLite.
  ///
  /// - Parameters:
  ///   - store: the real path of the store's file.
  ///   - database: a connection that holds it.
  ///   - interruption: asked often while SQLite works on the copy.
  ///   - report: told the part that is copied.
  /// - Throws: ``MigrationError/file(path:detail:)`` when nothing can be written there, `DatabaseError`.
  init(
    of store: String, from database: Database, interruption: Interruption?, report: (Double) -> Void
  ) throws {
    let file = URL(fileURLWithPath: store)
    let suffix = String(UInt32.random(in: .min ... .max), radix: 16)
    path = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).modelctl-\(suffix)").path
    let permissions = try FileManager.default.attributesOfItem(atPath: store)[.posixPermissions]
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: permissions.map { [.posixPermissions: $0] })
    else { throw MigrationError.file(path: path, detail: "a copy cannot be written beside the store") }
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      configuration.label = "modelctl.clone"
      configuration.prepareDatabase { database in
        _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
        try database.execute(sql: "PRAGMA synchronous = OFF")
        interruption?.install(on: database)
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { copy in
        try Self.copy(database, to: copy, report)
        _ = try String.fetchOne(copy, sql: "PRAGMA journal_mode = OFF")
        try StoreWriter.prepareSession(copy)
      }
      self.queue = queue
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  private static func copy(_ source: Database, to destination: Database, _ report: (Double) -> Void) throws {
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

  /// Works on the copy in one transaction; what fails leaves a copy that is only good for throwing away.
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
  /// - Parameter journalMode: the store's own mode, such as `wal`.
  /// - Throws: ``MigrationError/verificationFailed(path:findings:)`` when a page is damaged, `DatabaseError`.
  func finish(journalMode: String) throws {
    try queue.writeWithoutTransaction { database in
      let answer = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
      guard answer == "ok" else { throw MigrationError.verificationFailed(path: path, findings: [answer]) }
      if journalMode == "wal" { _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") }
    }
    isOpen = false
    try queue.close()
    // Under the exclusive lock SQLite keeps the journal that it began the copy with, spent and without use.
    removeCompanions()
    try DurableFile.synchronize(path)
  }

  /// Removes the copy.
  func discard() {
    if isOpen { try? queue.close() }
    isOpen = false
    removeCompanions()
    try? FileManager.default.removeItem(atPath: path)
  }

  private func removeCompanions() {
    for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }
}
