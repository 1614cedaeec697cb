import CSQLiteConnection
import Foundation
public import GRDB

/// A store opened for reading: it sees everything committed, the write-ahead log included, and changes no byte of the
/// store's files.
///
/// A store that another program uses stays usable for it. A log without its index is read under an exclusive lock,
/// which other programs see as a busy store until the reader is closed.
public final class StoreReader: Sendable {
  /// The path as it was given.
  public let path: String
  /// Where the content is read from: the store itself, or a private copy of it.
  private let queue: DatabaseQueue
  private let files: StoreFiles
  private let access: ReadingAccess
  private let copy: PrivateCopy?
  private let interruption: Interruption?

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - busyTimeout: how many seconds to wait for another process.
  ///   - interruption: asked often while SQLite works; true stops the reading with ``StoreError/interrupted(path:)``.
  /// - Throws: ``StoreError`` for anything that is not a readable SQLite file.
  public init(
    path: String, busyTimeout: Double = 5, interruption: (@Sendable () -> Bool)? = nil
  ) throws(StoreError) {
    let handler = interruption.map { Interruption(when: $0) }
    let files = try StoreFiles(path: path)
    var access = ReadingAccess(for: files)
    var copy: PrivateCopy?
    var opened: DatabaseQueue?
    while opened == nil {
      if access == .copy { copy = try PrivateCopy(of: files) }
      do {
        opened = try Self.open(
          copy?.database ?? files.database, access: access, busyTimeout: busyTimeout, interruption: handler)
      } catch let error as DatabaseError {
        guard let next = access.fallback(after: error.extendedResultCode) else {
          throw StoreError(error, path: path)
        }
        access = next
      } catch {
        throw .inputOutput(path: path, detail: "\(error)")
      }
    }
    guard let opened else { throw .unreadable(path: path) }
    self.path = path
    self.files = files
    self.access = access
    self.copy = copy
    self.interruption = handler
    queue = opened
  }

  private static func open(
    _ database: String, access: ReadingAccess, busyTimeout: Double, interruption: Interruption?
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = access != .privateIndex && access != .copy
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(busyTimeout)
    configuration.label = "modelctl.reader"
    configuration.prepareDatabase { database in
      if access == .privateIndex {
        _ = modelctl_set_checkpoint_on_close(database.sqliteConnection, 0)
        _ = try String.fetchOne(database, sql: "PRAGMA locking_mode = EXCLUSIVE")
      }
      try database.execute(sql: "PRAGMA query_only = 1")
      try database.execute(sql: "PRAGMA trusted_schema = 0")
      try database.execute(sql: "PRAGMA temp_store = FILE")
      try database.execute(sql: "PRAGMA cache_size = -2000")
      interruption?.install(on: database)
    }
    return try DatabaseQueue(path: access.connectionName(for: database), configuration: configuration)
  }

  /// Reads from the store in one transaction, so that all of it is of one moment.
  ///
  /// - Parameter body: the reading; it must not keep the connection.
  /// - Returns: what the body returns.
  /// - Throws: ``StoreError`` for SQLite's errors, and what the body throws.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let stamp = access == .immutable ? files.stamp : []
    let value = try StoreError.translating(path: path) { try queue.read(body) }
    if access == .immutable, stamp != files.stamp { throw StoreError.changedWhileReading(path: path) }
    return value
  }

  /// Closes the connection; further reading fails.
  public func close() {
    try? queue.close()
  }
}
