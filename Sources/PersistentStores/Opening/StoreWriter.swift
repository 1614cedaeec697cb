import CSQLiteConnection
import Foundation
public import GRDB
import GRDBSQLite
import ModelFiles

/// A store held for one writer: nobody else can read or write it until it is closed.
///
/// What was not committed leaves no trace: the store's files are then byte for byte what they were. (A hot rollback
/// journal that a crash left beside the store is rolled back first, as every SQLite program does.)
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
  /// How many closures are using the connection, one within the other.
  private var depth = 0
  /// How many handles on the file are this writer's own, at the most.
  var handleCount = 1

  /// How many seconds to wait for another process where nobody says it: longer than an app's transactions take, and
  /// short enough for somebody who waits.
  public static let defaultBusyTimeout = 5.0

  /// Takes hold of a store.
  ///
  /// While it waits, the store is not kept open, so that two migrations of one store do not wait for each other, and
  /// the one that comes second finds what the first has made.
  ///
  /// - Parameters:
  ///   - busyTimeout: how many seconds to wait for another process, at the most a day.
  ///   - interruption: asked often while SQLite works; true stops the statement with ``StoreError/interrupted(path:)``.
  /// - Throws: ``StoreError/heldByAnotherProcess(path:users:)`` when, in write-ahead-log mode, any process has the
  ///   store open, or, with a rollback journal, is using it; other errors for what is no writable store.
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
  /// The log is measured under the lock: what another process commits while this one waits must never be cut off.
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

  /// In exclusive locking mode the lock that `BEGIN EXCLUSIVE` takes is kept until the connection closes.
  private static func configuration(interruption: Interruption?) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .immediateError
    configuration.allowsUnsafeTransactions = true
    configuration.label = "modelctl.writer"
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      _ = modelctl_set_checkpoint_on_close(database.sqliteConnection, 0)
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

  /// Uses the connection outside any transaction, as copying the store through SQLite needs.
  ///
  /// - Parameter body: the work; it must not keep the connection.
  /// - Throws: ``StoreError`` for SQLite's errors and after the writer let go of the store, and what the body throws.
  public func access<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard isOpen else { throw StoreError.closed(path: path) }
    depth += 1
    defer { depth -= 1 }
    return try StoreError.translating(path: path) { try queue.unsafeReentrantWrite(body) }
  }

  /// Asks the store as it is after a change of which nothing is kept.
  ///
  /// - Parameter change: the change; nil to ask the store as it is.
  /// - Throws: as `access(_:)`, and what the change throws.
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

  /// Runs a piece of work in one transaction: all of it is committed, or, when it throws, nothing.
  ///
  /// - Parameter body: the work; it must not keep the connection.
  /// - Throws: ``StoreError`` for SQLite's errors, and what the body throws.
  public func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let value = try access { database in
      guard !database.isInsideTransaction else { throw StoreError.nested(path: path) }
      try database.execute(sql: "BEGIN IMMEDIATE")
      do {
        let value = try body(database)
        try database.execute(sql: "COMMIT")
        return value
      } catch {
        if database.isInsideTransaction { try? database.execute(sql: "ROLLBACK") }
        throw error
      }
    }
    hasCommitted = true
    return value
  }

  /// Lets go of the store and keeps what was committed; the write-ahead log is written back into the database.
  ///
  /// - Throws: ``StoreError`` when the log could not be written back; the store is whole even then. ``StoreError/nested(path:)``
  ///   within a use of the writer.
  public func finish() throws(StoreError) {
    guard isOpen else { return }
    guard depth == 0 else { throw .nested(path: path) }
    isOpen = false
    try StoreError.typed(path: path) {
      try queue.writeWithoutTransaction { database in
        _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        _ = modelctl_set_checkpoint_on_close(database.sqliteConnection, 1)
        removeStaleIndex()
      }
      try queue.close()
    }
  }

  /// Writes the log back into the database and removes it, so that another file can take the store's place.
  package func foldLog() throws {
    guard try access({ try $0.journalMode }) == "wal" else { return removeStaleIndex() }
    hasCommitted = true
    let answer = try access { try $0.changeJournalMode(to: "DELETE") }
    guard answer == "delete" else { throw StoreError.heldByAnotherProcess(path: path) }
    removeStaleIndex()
  }

  /// Checks that no log lies beside the store, and no journal that a program would roll back.
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

  /// Lets go of a file that has another in its place: what lies beside the path belongs to that one now.
  package func relinquish() {
    guard isOpen else { return }
    isOpen = false
    try? queue.close()
  }

  /// An index that a crash left behind means nothing while the lock is held, because nobody else can use it.
  private func removeStaleIndex() {
    guard FileStatus(files.sharedIndex) != nil else { return }
    try? FileManager.default.removeItem(atPath: files.sharedIndex)
  }

  /// Lets go of the store; what was not committed is gone without a trace.
  ///
  /// Within a use of the writer it does nothing.
  public func discard() {
    guard isOpen, depth == 0 else { return }
    isOpen = false
    try? queue.writeWithoutTransaction { database in
      if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
      if !hasCommitted { try restoreLog() }
    }
    try? queue.close()
  }

  /// Cuts off what a rolled-back transaction appended to the log, while the lock is still held.
  private func restoreLog() throws {
    guard let current = FileStatus(files.log)?.size, current != logBytes else { return }
    guard let logBytes else { return try FileManager.default.removeItem(atPath: files.log) }
    let log = open(files.log, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard log >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(log) }
    guard ftruncate(log, off_t(max(0, logBytes))) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Waits until nobody else has the store's file open, so that another file can take its place.
  ///
  /// The lock does not tell: with a rollback journal, and before its first read, a connection has none, and would go on
  /// with the old file. This process's other connections count as well.
  ///
  /// - Throws: ``StoreError/openElsewhere(path:users:)`` when somebody still has it open after the busy timeout,
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

  /// Checks that the path still names the file that is held.
  ///
  /// - Throws: ``StoreError/changedWhileReading(path:)`` when another file is there, or none.
  package func checkPlace() throws { if try access(Self.hasMoved) { throw StoreError.changedWhileReading(path: path) } }

  /// True when another file has taken the place of the one that is open: a migration that ended while this one waited.
  package static func hasMoved(_ database: Database) throws -> Bool { try hasMoved(database.sqliteConnection) }

  package static func hasMoved(_ connection: OpaquePointer?) throws -> Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    guard code == SQLITE_OK || code == SQLITE_NOTFOUND else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return answer != 0
  }

  /// Opens a further connection that reads the store while this one holds it.
  ///
  /// It takes no lock, which it need not because nobody else can write. SQLite keeps its file handle open until the lock
  /// is given up, so that closing the connection does not end the lock of the process.
  ///
  /// - Returns: nil where the file alone is not all of the store, because there is a write-ahead log.
  package func furtherReader() throws -> DatabaseQueue? {
    let logBytes = FileStatus(files.log)?.size ?? 0
    guard sqlite3_compileoption_used("USE_URI") != 0, logBytes == 0 else { return nil }
    let reader = try DatabaseQueue(
      path: ReadingAccess.immutable.connectionName(for: files.database),
      configuration: PairedReading.configuration(interruption: interruption))
    handleCount += 1
    return reader
  }
}
