import CSQLiteConnection
import Foundation
import GRDB

/// One connection of a reader, by one way of opening a store.
struct ReadingConnection: Sendable {
  /// The connection, to the store itself or to a private copy of it.
  let queue: DatabaseQueue
  private let files: StoreFiles
  private let access: ReadingAccess
  private let copy: PrivateCopy?
  private let content: StoreContent?

  /// Opens a store by the best way that works.
  ///
  /// - Parameters:
  ///   - path: the store's file.
  ///   - busyTimeout: how many seconds to wait for another process.
  ///   - isChanging: true when reading without a lock has failed, because somebody wrote meanwhile.
  ///   - interruption: asked often while SQLite works.
  /// - Throws: ``StoreError``.
  init(path: String, busyTimeout: Double, isChanging: Bool, interruption: Interruption?) throws(StoreError) {
    let files = try StoreFiles(path: path)
    var access = ReadingAccess(for: files, isChanging: isChanging)
    while true {
      let copy = access == .copy ? try PrivateCopy(of: files) : nil
      let content = access == .immutable ? files.content : nil
      do {
        queue = try Self.open(
          copy?.database ?? files.database, access: access, busyTimeout: busyTimeout, interruption: interruption)
        (self.files, self.access, self.copy, self.content) = (files, access, copy, content)
        return
      } catch let error as DatabaseError {
        guard let next = access.fallback(after: error.extendedResultCode) else {
          // Since the files were looked at the last of the others has closed the store, which took the index away.
          let isLetGo = access == .sharedIndex && error.resultCode == .SQLITE_CANTOPEN
          throw isLetGo ? .changedWhileReading(path: path) : StoreError(error, path: path)
        }
        access = next
      } catch {
        throw .inputOutput(path: path, detail: "\(error)")
      }
    }
  }

  /// False when the file was written into since it was opened without a lock, or its log has come since.
  var isUpToDate: Bool { isUndisturbed && (access != .immutable || !files.hasLogContent) }

  /// False when the file was written into since it was opened without a lock.
  var isUndisturbed: Bool { content.map { !$0.hasJournal && $0 == files.content } ?? true }

  /// True when another way may do after this answer of SQLite's.
  func mayTryAgain(after error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return access.fallback(after: error.extendedResultCode) != nil
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
}
