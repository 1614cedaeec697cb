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
  ///   - isChanging: true when reading without a lock has failed, because somebody wrote meanwhile.
  ///   - interruption: asked often while SQLite works.
  /// - Throws: ``StoreError``.
  init(path: String, isChanging: Bool, interruption: Interruption?) throws(StoreError) {
    let files = try StoreFiles(path: path)
    var access = ReadingAccess(for: files, isChanging: isChanging)
    while true {
      let copy = access == .copy ? try PrivateCopy(of: files) : nil
      let content = access == .immutable ? files.content(changeCounter: files.header.changeCounter) : nil
      do {
        queue = try Self.open(
          copy?.database ?? files.database, access: access, interruption: interruption)
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
        throw .inputOutput(path: path, error: .other(CaughtError(error)))
      }
    }
  }

  /// False when the file was written into since it was opened without a lock, or its log has come since.
  var isUpToDate: Bool { isUndisturbed && (access != .immutable || !files.hasLogContent) }

  /// False when the file was written into, or another took its place, since it was opened without a lock.
  ///
  /// The header is read through the open connection, which takes no lock and opens nothing.
  var isUndisturbed: Bool {
    guard let content else { return true }
    return queue.unsafeReentrantRead { database in
      // Reading from a closed connection fails by itself.
      guard let connection = database.sqliteConnection else { return true }
      let place = DatabaseHeader.changeCounterBytes
      var counter = [UInt8](repeating: 0, count: place.count)
      let code = modelctl_read_file(connection, &counter, Int32(counter.count), Int64(place.lowerBound))
      return !content.hasJournal && content == files.content(changeCounter: code == SQLITE_OK ? counter : nil)
    }
  }

  /// True when another way may do after this answer of SQLite's.
  func mayTryAgain(after error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return access.fallback(after: error.extendedResultCode) != nil
  }

  /// Opens a file; where somebody else is in the way it says so at once, because whoever waits has to let go of the file.
  private static func open(
    _ database: String, access: ReadingAccess, interruption: Interruption?
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = access != .privateIndex && access != .copy
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .immediateError
    configuration.label = "modelctl.reader"
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
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

/// A copy of a store in a folder that nobody else may enter, removed with the value.
final class PrivateCopy: Sendable {
  /// The copy's database file.
  let database: String
  private let folder: TemporaryStoreFolder

  /// Copies a store with its write-ahead log and its rollback journal.
  ///
  /// - Throws: ``StoreError`` when the copy fails, or the store changed meanwhile.
  init(of files: StoreFiles) throws(StoreError) {
    let stamp = files.stamp
    do {
      folder = try TemporaryStoreFolder()
      database = folder.path(of: URL(fileURLWithPath: files.database).lastPathComponent)
      for suffix in ["", "-wal", "-journal"] where FileStatus(files.database + suffix) != nil {
        try FileManager.default.copyItem(atPath: files.database + suffix, toPath: database + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: database + suffix)
      }
    } catch let error where StoreError.lacksRoom(error, in: FileManager.default.temporaryDirectory.path) {
      throw .fullTemporaryFolder
    } catch {
      throw StoreError(error, copying: files.path)
    }
    guard stamp == files.stamp else { throw .changedWhileReading(path: files.path) }
  }
}
