import Foundation
public import GRDB

/// A store opened for reading, which does not change the bytes of the store's files.
///
/// It reads all committed changes, including those in the write-ahead log. Other processes can still use the store, and each
/// reading sees one moment even if they write. If the log and the journal are empty, no lock is taken; if another process
/// writes during a reading, the reading starts again under SQLite's shared lock. A log without its index is read under an
/// exclusive lock, so the store is busy for other processes until the reader is closed. While the reader waits for another
/// process, it does not have the store open.
///
/// ```swift
/// let reader = try StoreReader(path: "store.sqlite")
/// defer { reader.close() }
/// print(try reader.metadata().versionHashes, try reader.snapshot(counting: true).rowCounts)
/// ```
///
/// ## Topics
///
/// ### Opening and closing
/// - ``init(path:busyTimeout:interruption:)``
/// - ``close()``
/// - ``path``
///
/// ### Reading
/// - ``metadata()``
/// - ``snapshot(counting:)``
/// - ``read(_:)``
/// - ``verify(against:references:checkingIntegrity:matching:)``
public final class StoreReader: @unchecked Sendable {
  /// The path as it was given.
  public let path: String
  /// The SQLite file to read: the store, or the SQLite copy of an atomic store.
  public let file: String
  /// An object that must exist as long as the file.
  private let keeper: (any AnyObject & Sendable)?
  /// True if the file is the SQLite copy of an atomic store and has an ``ExactValueTable``.
  package var isTemporary: Bool { file != path }
  private let busyTimeout: Double
  private let interruption: Interruption?
  private let lock = NSLock()
  /// Locked while one thread reads, so that no other thread closes its connection.
  private let turn = NSLock()
  /// Used under the lock, or by value.
  private var connection: ReadingConnection
  private var isLetGo = false
  /// True after the reader was closed; used under the lock.
  ///
  /// SQLite would end the process if it was used then.
  private var isClosed = false
  /// The thread that reads; used under the lock.
  private var owner: Thread?
  /// True if the reader was closed within a reading; used under the lock.
  private var closesLater = false

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - busyTimeout: the seconds to wait for another process, at most a day.
  ///   - interruption: called often while SQLite works; return true to stop with ``StoreError/interrupted(path:)``.
  /// - Throws: ``StoreError`` for anything that is not a readable SQLite file.
  public convenience init(
    path: String, busyTimeout: Double = StoreWriter.defaultBusyTimeout, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    try self.init(path: path, file: path, busyTimeout: busyTimeout, interruption: interruption)
  }

  /// Opens the SQLite copy of an atomic store.
  package init(
    path: String, file: String, keptBy keeper: (any AnyObject & Sendable)? = nil,
    busyTimeout: Double = StoreWriter.defaultBusyTimeout, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    let handler = interruption.map { Interruption(when: $0) }
    let busyTimeout = BusyWait.bounded(busyTimeout)
    var wait = BusyWait(path: path, seconds: busyTimeout, interruption: handler)
    connection = try wait.repeating { isRepeated throws(StoreError) in
      try ReadingConnection(path: file, isChanging: isRepeated, interruption: handler)
    }
    (self.path, self.file, self.keeper) = (path, file, keeper)
    (self.busyTimeout, self.interruption) = (busyTimeout, handler)
  }

  /// Reads from the store in a single transaction, so that all results are of the same moment.
  ///
  /// A reading within a reading sees the same moment.
  ///
  /// - Parameter body: the reading. It must not keep the connection, and may run again if another process writes during
  ///   it.
  /// - Throws: ``StoreError`` for SQLite's errors, and the errors of `body`.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try StoreError.translating(path: path) {
      if let connection = lock.withLock({ owner === Thread.current ? connection : nil }) {
        return try connection.queue.unsafeReentrantRead(body)
      }
      var wait = BusyWait(path: path, seconds: busyTimeout, interruption: interruption)
      return try wait.repeating { isRepeated in
        turn.lock()
        lock.withLock { owner = Thread.current }
        defer { endTurn() }
        let connection = try current(isChanging: isRepeated)
        let result = Result { try connection.queue.read(body) }
        if !connection.isUndisturbed { throw StoreError.changedWhileReading(path: path) }
        if case .failure(let error) = result, connection.mayTryAgain(after: error) {
          throw StoreError.changedWhileReading(path: path)
        }
        do {
          return try result.get()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          letGo()
          throw StoreError(error, path: path)
        }
      }
    }
  }

  private func endTurn() {
    lock.lock()
    owner = nil
    if closesLater {
      try? connection.queue.close()
      isClosed = true
    }
    closesLater = false
    lock.unlock()
    turn.unlock()
  }

  /// The connection, opened again if the store was changed since it was opened.
  private func current(isChanging: Bool) throws -> ReadingConnection {
    lock.lock()
    defer { lock.unlock() }
    guard !isClosed else { throw StoreError.closed(path: path) }
    guard isChanging || isLetGo || !connection.isUpToDate else { return connection }
    try? connection.queue.close()
    connection = try ReadingConnection(path: file, isChanging: isChanging, interruption: interruption)
    isLetGo = false
    return connection
  }

  /// Closes the connection until the next attempt, because a process that replaces the file waits until no process has
  /// it open.
  private func letGo() {
    lock.lock()
    defer { lock.unlock() }
    try? connection.queue.close()
    isLetGo = true
  }

  /// True if the store's file is in write-ahead-log mode, even if the log does not exist.
  package static func usesWriteAheadLog(path: String) throws(StoreError) -> Bool {
    try StoreFiles(path: path).header.usesWriteAheadLog
  }

  /// Closes the connection, within a reading at its end; further reading is ``StoreError/closed(path:)``.
  public func close() {
    lock.lock()
    defer { lock.unlock() }
    guard owner !== Thread.current else { return closesLater = true }
    try? connection.queue.close()
    isLetGo = false
    isClosed = true
  }
}

/// The table of exact values in the SQLite copy of an atomic store.
///
/// An object has a row in it for each decimal number that a column stores with fewer digits, with the number in the
/// column. It also has a row for each value of an attribute without a type. The names of Core Data's tables begin with
/// other letters.
package enum ExactValueTable {
  package static let name = "modelctl_exact"

  /// The statement that creates it.
  package static let creation = """
    CREATE TABLE modelctl_exact (key INTEGER NOT NULL, path TEXT NOT NULL, entity TEXT NOT NULL, near DECIMAL, \
    value BLOB NOT NULL, PRIMARY KEY (key, path, entity)) WITHOUT ROWID
    """
}

// MARK: CloudKit

extension StoreReader {
  /// True if CloudKit mirrors the store.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func isMirrored() throws(StoreError) -> Bool {
    try StoreError.typed(path: path) { try read { try Self.isMirrored($0) } }
  }

  /// True for the database of a store that CloudKit mirrors.
  package static func isMirrored(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name GLOB 'ANSCK*')") ?? false
  }

  /// The meaning of mirroring for the user of a store.
  public static let mirroringNote = """
    CloudKit mirrors this store: let the app change it, because the app may not send changes of modelctl to CloudKit; \
    see docs/guides/cloudkit.md
    """
}
