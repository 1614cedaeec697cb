import CSQLiteConnection
import Foundation
public import GRDB
import GRDBSQLite
import ModelFiles

/// An exclusive writer of a store: no other process can read or write the store until it is closed.
///
/// Without a commit, the store's files are the same as before, byte for byte. (A hot rollback journal from a crash is
/// rolled back first, as in every SQLite program.)
public final class StoreWriter {
  /// The path as it was given.
  public let path: String
  let files: StoreFiles
  let busyTimeout: Double
  let interruption: Interruption?
  private let queue: DatabaseQueue
  private let logBytes: Int64?
  private var hasCommitted = false
  private var isOpen = true
  /// The number of nested closures that are using the connection.
  private var depth = 0
  /// How many handles on the file are this writer's own, at the most.
  var handleCount = 1

  /// The default number of seconds to wait for another process: longer than an app's transactions, and short enough for
  /// a person who waits.
  public static let defaultBusyTimeout = 5.0

  /// Locks a store.
  ///
  /// The store is not open while this waits. Two migrations of one store therefore do not block each other, and the
  /// second one sees the result of the first.
  ///
  /// - Parameters:
  ///   - busyTimeout: the seconds to wait for another process, at most a day.
  ///   - interruption: called often while SQLite works; return true to stop with ``StoreError/interrupted(path:)``.
  /// - Throws: ``StoreError/heldByAnotherProcess(path:users:)`` if, in write-ahead-log mode, any process has the store
  ///   open, or, with a rollback journal, is using it; other errors if the file is not a writable store.
  public init(
    path: String, busyTimeout: Double = defaultBusyTimeout, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    let handler = interruption.map { Interruption(when: $0) }
    let seconds = BusyWait.bounded(busyTimeout)
    var wait = BusyWait(path: path, seconds: seconds, interruption: handler)
    (files, queue, logBytes) = try wait.repeating { _ throws(StoreError) in
      try Self.hold(path, interruption: handler)
    }
    (self.path, self.busyTimeout, self.interruption) = (path, seconds, handler)
  }

  /// Tries once to get the lock.
  ///
  /// The log is measured under the lock, so that commits of another process during the wait are never cut off.
  private static func hold(
    _ path: String, interruption: Interruption?
  ) throws(StoreError) -> (files: StoreFiles, queue: DatabaseQueue, logBytes: Int64?) {
    let files = try StoreFiles(path: path)
    let folder = URL(fileURLWithPath: files.database).deletingLastPathComponent().path
    try StoreFiles.checkUser(ofFolder: folder, path: path)
    guard FileManager.default.isWritableFile(atPath: folder) else { throw .readOnlyFolder(path: path) }
    guard FileManager.default.isWritableFile(atPath: files.database) else { throw .readOnly(path: path) }
    let hadLog = FileStatus(files.log) != nil
    return try StoreError.typed(path: path) {
      let queue = try DatabaseQueue(path: files.database, configuration: configuration(interruption: interruption))
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN EXCLUSIVE")
        try database.execute(sql: "ROLLBACK")
        guard try !hasMoved(database) else { throw StoreError.heldByAnotherProcess(path: path) }
      }
      let logBytes = FileStatus(files.log)?.size
      return (files, queue, hadLog || (logBytes ?? 0) > 0 ? logBytes : nil)
    }
  }

  deinit { discard() }

  /// The configuration of the connection.
  ///
  /// In exclusive locking mode, the lock of `BEGIN EXCLUSIVE` is kept until the connection closes.
  private static func configuration(interruption: Interruption?) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .immediateError
    configuration.allowsUnsafeTransactions = true
    configuration.label = "modelctl.writer"
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      setFoldsLogWhenClosing(false, database)
      _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
      for setting in ["synchronous = EXTRA", "fullfsync = 1", "checkpoint_fullfsync = 1"] {
        try database.execute(sql: "PRAGMA \(setting)")
      }
      try prepareSession(database)
      interruption?.install(on: database)
    }
    return configuration
  }

  /// Sets a connection up for rewriting rows: no secure deletion, a small cache, temporary data in files, and the
  /// functions of Core Data's triggers.
  package static func prepareSession(_ database: Database) throws {
    TriggerFunctions.register(in: database)
    _ = try Int.fetchOne(database, sql: "PRAGMA secure_delete = OFF")
    try database.execute(sql: "PRAGMA temp_store = FILE")
    _ = try Int.fetchOne(database, sql: "PRAGMA mmap_size = 0")
    try database.execute(sql: "PRAGMA cache_size = -2000")
  }

  /// Uses the connection outside a transaction, for example to copy the store through SQLite.
  ///
  /// - Parameter body: the work; it must not keep the connection.
  /// - Throws: ``StoreError`` for SQLite's errors and if the writer was closed, and the errors of `body`.
  public func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard isOpen else { throw StoreError.closed(path: path) }
    depth += 1
    defer { depth -= 1 }
    return try StoreError.translating(path: path) { try queue.unsafeReentrantWrite(body) }
  }

  /// Runs queries after a change that is then reverted.
  ///
  /// - Parameter change: the change; nil to query the current store.
  /// - Throws: the errors of `access(_:)` and of the change.
  package func access<Value>(
    after change: ((Database) throws -> Void)?, _ body: (Database) throws -> Value
  ) throws -> Value {
    guard let change else { return try access(body) }
    return try access { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      defer { try? database.execute(sql: "ROLLBACK") }
      try change(database)
      return try body(database)
    }
  }

  /// Runs work in a single transaction.
  ///
  /// If it throws, nothing is committed.
  ///
  /// - Parameter body: the work; it must not keep the connection.
  /// - Throws: ``StoreError`` for SQLite's errors, and the errors of `body`.
  public func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value = try access { database in
      guard !database.isInsideTransaction else { throw StoreError.nested(path: path) }
      try database.execute(sql: "BEGIN IMMEDIATE")
      do {
        let value = try body(database)
        try checkPlace(database)
        try database.execute(sql: "COMMIT")
        hasCommitted = true
        do {
          try checkPlace(database)
        } catch {
          // SQLite would leave the log beside the file that took its place, and write it into that one.
          _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
          throw error
        }
        return value
      } catch {
        if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
        throw error
      }
    }
    return value
  }

  /// Closes the store and keeps the committed changes; the write-ahead log is written back into the database.
  ///
  /// - Throws: ``StoreError`` if the log could not be written back; the store is complete even then.
  ///   ``StoreError/nested(path:)`` within a use of the writer.
  public func finish() throws(StoreError) {
    guard isOpen else { return }
    guard depth == 0 else { throw .nested(path: path) }
    isOpen = false
    try StoreError.typed(path: path) {
      try queue.writeWithoutTransaction { database in
        _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        Self.setFoldsLogWhenClosing(true, database)
        removeStaleIndex()
      }
      try queue.close()
    }
  }

  /// Writes the log back into the database and removes it, so that the file can be replaced.
  package func foldLog() throws {
    guard try access({ try $0.journalMode }) == "wal" else { return removeStaleIndex() }
    hasCommitted = true
    let answer = try access { try $0.changeJournalMode(to: "DELETE") }
    guard answer == "delete" else { throw StoreError.heldByAnotherProcess(path: path) }
    removeStaleIndex()
  }

  /// Checks that there is no log next to the store, and no journal that another program would roll back.
  package func checkNothingIsBeside() throws(StoreError) {
    guard FileStatus(files.log) == nil else { throw .inputOutput(path: path, error: .logStays) }
    guard files.hasJournal else { return }
    let beginning = try StoreError.typed(path: path) {
      guard let handle = FileBytes.handle(files.journal) else { throw StoreError.changedWhileReading(path: path) }
      defer { try? handle.close() }
      return try handle.read(upToCount: 1)
    }
    guard beginning?.first ?? 0 == 0 else { throw .inputOutput(path: path, error: .journalStays) }
  }

  /// Closes a file that was replaced; the files next to the path now belong to the new file.
  package func relinquish() {
    guard isOpen else { return }
    isOpen = false
    try? queue.close()
  }

  /// Removes an index of the log that a crash left; no other process can use it while the lock is held.
  private func removeStaleIndex() {
    guard FileStatus(files.sharedIndex) != nil else { return }
    try? FileManager.default.removeItem(atPath: files.sharedIndex)
  }

  /// Closes the store without a trace of uncommitted changes.
  ///
  /// Within a use of the writer it does not have an effect.
  public func discard() {
    guard isOpen, depth == 0 else { return }
    isOpen = false
    try? queue.writeWithoutTransaction { database in
      if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
      if !hasCommitted { try restoreLog() }
    }
    try? queue.close()
  }

  /// Cuts off the part of the log that a rolled-back transaction added, while the lock is still held.
  private func restoreLog() throws {
    guard let current = FileStatus(files.log)?.size, current != logBytes else { return }
    guard let logBytes else { return try FileManager.default.removeItem(atPath: files.log) }
    let log = open(files.log, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard log >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(log) }
    guard ftruncate(log, off_t(max(0, logBytes))) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Waits until no other connection has the store's file open, so that the file can be replaced.
  ///
  /// The lock does not show this: with a rollback journal, and before its first read, a connection lacks a lock. It
  /// would keep using the old file. Other connections of this process count as well.
  ///
  /// - Throws: ``StoreError/openElsewhere(path:users:)`` if the file is still open after the busy timeout,
  ///   ``StoreError/interrupted(path:)``.
  package func waitUntilAlone() throws(StoreError) {
    var wait = BusyWait(path: path, seconds: busyTimeout, interruption: interruption)
    try wait.repeating { _ throws(StoreError) in
      let users = usersOfFile()
      if !users.isEmpty { throw .openElsewhere(path: path, users: users) }
    }
  }

  private func usersOfFile() -> [StoreUser] {
    let descriptors = FileIdentity(path: files.database).map { ProcessTable.ownDescriptors(of: $0) } ?? []
    if descriptors.count == 1, ProcessTable.isOnlyOpener(descriptors[0]) { return [] }
    let own = [StoreUser(processID: ProcessTable.own, name: nil, activity: .idle)]
    return (descriptors.count > handleCount ? own : []) + StoreUser.lockedOut(of: files.database)
  }

  /// Checks that the path still names the open file.
  ///
  /// - Throws: ``StoreError/changedWhileReading(path:)`` if the file was replaced or removed.
  package func checkPlace() throws { try access(checkPlace) }

  private func checkPlace(_ database: Database) throws {
    if try Self.hasMoved(database) { throw StoreError.changedWhileReading(path: path) }
  }

  /// True if the open file was replaced, such as by a migration that ended while this process waited.
  package static func hasMoved(_ database: Database) throws -> Bool { try hasMoved(database.sqliteConnection) }

  package static func hasMoved(_ connection: OpaquePointer?) throws -> Bool {
    // SQLite does not check it: a connection that was closed would end the process.
    guard let connection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    var answer: Int32 = 0
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    guard code == SQLITE_OK || code == SQLITE_NOTFOUND else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return answer != 0
  }

  /// Sets whether a connection writes the log into the store when it closes.
  package static func setFoldsLogWhenClosing(_ folds: Bool, _ database: Database) {
    _ = modelctl_set_checkpoint_on_close(database.sqliteConnection, folds ? 1 : 0)
  }

  /// Opens another connection that reads the store while this writer has it locked.
  ///
  /// It needs no lock, because no other process can write. SQLite keeps its file handle open until the lock is
  /// released, so closing the connection does not end the process's lock.
  ///
  /// - Returns: nil if there is a write-ahead log, because the file alone is then incomplete.
  package func furtherReader() throws -> DatabaseQueue? {
    let logBytes = FileStatus(files.log)?.size ?? 0
    guard sqlite3_compileoption_used("USE_URI") != 0, logBytes == 0 else { return nil }
    let reader = try DatabaseQueue(
      path: ReadingAccess.immutable.connectionName(for: files.database),
      configuration: PairedQueries.configuration(interruption: interruption))
    handleCount += 1
    return reader
  }
}
