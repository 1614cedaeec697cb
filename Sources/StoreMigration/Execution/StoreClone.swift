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
    let name = Self.prefix(ofStore: file.lastPathComponent) + suffix
    path = file.deletingLastPathComponent().appendingPathComponent(name).path
    let attributes = try FileManager.default.attributesOfItem(atPath: store)
    try NewFile.create(path)
    do {
      try Self.keep(attributes, of: path)
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      configuration.label = "modelctl.clone"
      configuration.prepareDatabase { database in
        _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
        // A journal would be one more name beside the store that somebody else can take.
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = OFF")
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

  /// Gives a file the owner and the mode of another; a user who may not give files away has only stores of their own.
  private static func keep(_ attributes: [FileAttributeKey: Any], of path: String) throws {
    let owner = attributes.filter { $0.key == .ownerAccountID || $0.key == .groupOwnerAccountID }
    try? FileManager.default.setAttributes(owner, ofItemAtPath: path)
    guard let mode = attributes[.posixPermissions] else { return }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
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
    removeCompanions()
    try DurableFile.synchronize(path)
  }

  /// An exclusive lock has SQLite leave an empty journal behind.
  private func removeCompanions() {
    for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// Removes the copy.
  func discard() {
    if isOpen { try? queue.close() }
    isOpen = false
    try? FileManager.default.removeItem(atPath: path)
    removeCompanions()
  }
}
