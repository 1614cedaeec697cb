import CSQLiteConnection
import Foundation
public import GRDB
import GRDBSQLite

/// A connection of a reader, opened with one kind of access.
struct ReadingConnection: Sendable {
  /// The connection, to the store itself or to a private copy of it.
  let queue: DatabaseQueue
  private let files: StoreFiles
  private let access: ReadingAccess
  private let copy: PrivateCopy?
  private let content: StoreContent?

  /// Opens a store with the best access that works.
  ///
  /// - Parameters:
  ///   - isChanging: true if another process wrote during a read without a lock.
  ///   - interruption: called often while SQLite works.
  init(path: String, isChanging: Bool, interruption: Interruption?) throws(StoreError) {
    let files = try StoreFiles(path: path)
    var access = ReadingAccess(for: files, isChanging: isChanging)
    while true {
      let copy = access == .copy ? try PrivateCopy(of: files) : nil
      let content = access == .immutable ? files.content(changeCounter: files.header.changeCounter) : nil
      do {
        queue = try Self.open(copy?.database ?? files.database, access: access, interruption: interruption)
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

  /// False if the file was changed since it was opened without a lock, or a log was created since.
  var isUpToDate: Bool { isUndisturbed && (access != .immutable || !files.hasLogContent) }

  /// False if the file was changed or replaced since it was opened without a lock.
  ///
  /// The header is read through the open connection, which takes no lock and opens no file.
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

  /// True if a different kind of access may work after this error of SQLite.
  func mayTryAgain(after error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return access.fallback(after: error.extendedResultCode) != nil
  }

  /// Opens a file.
  ///
  /// If another process uses it, this fails immediately, because the caller must close the file while it waits.
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

/// A copy of a store in a private folder, removed with this value.
final class PrivateCopy: Sendable {
  let database: String
  private let folder: TemporaryStoreFolder

  /// Copies a store with its write-ahead log and its rollback journal.
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

/// How SQLite allocates memory in this process.
package enum SQLiteMemory {
  /// Stops SQLite's memory statistics, for which the connections of all threads wait for each other.
  ///
  /// Only a program should call this, not a library, because the statistics belong to the process. It has no effect
  /// after the first use of SQLite. Source: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html,
  /// `SQLITE_CONFIG_MEMSTATUS`.
  package static func stopCounting() { _ = modelctl_count_no_memory() }
}

/// Which files SQLite opens.
package enum SQLiteFiles {
  /// Has SQLite refuse pipes in this process, for which it would wait; call it before the first connection.
  package static func refusePipes() { _ = modelctl_refuse_pipes() }
}

/// The SQL functions that Core Data's triggers call and plain SQLite lacks.
///
/// Source: the triggers in stores that Core Data wrote. Functions that notify a live context of a change have no effect
/// here.
public enum TriggerFunctions {
  /// The moment at which a row is saved, in seconds since 2001.
  private static let now = "NSCoreDataNow"

  /// The names of the functions that notify Core Data's row cache of a change, and do not have an effect here.
  private static let notices = [
    "NSCoreDataTriggerUpdateAffectedObjectValue", "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  package static let names = notices + [now]

  /// Registers the functions, which do not have an effect and accept any number of arguments.
  public static func register(in database: Database) {
    for name in notices { database.add(function: DatabaseFunction(name) { _ in nil }) }
    database.add(function: DatabaseFunction(now, argumentCount: 0) { _ in Date().timeIntervalSinceReferenceDate })
  }
}

/// The access to a store that reads all of its content without changing its bytes.
enum ReadingAccess: Hashable, Sendable {
  /// A read-only connection under SQLite's shared lock, for which a writer with a rollback journal has to wait; it
  /// leaves a hot journal alone.
  case ordinary
  /// There is no log and no journal.
  ///
  /// The file is read without a lock, so no process waits; the reader checks that the file did not change.
  case immutable
  /// Another process has the log open, or left its index behind: its index is read and never written.
  case sharedIndex
  /// A log without an index: an exclusive lock for the time of reading, the index in memory.
  case privateIndex
  /// A copy in a private folder.
  case copy

  /// Chooses the access by the existing files.
  ///
  /// - Parameter isChanging: true if another process wrote during a read without a lock.
  init(for files: StoreFiles, isChanging: Bool = false) {
    let understandsURIs = sqlite3_compileoption_used("USE_URI") != 0
    let withIndex = understandsURIs && !files.hasBareLog ? ReadingAccess.sharedIndex : .ordinary
    if files.hasLogContent {
      if files.hasSharedIndex {
        self = withIndex
      } else {
        self = FileManager.default.isWritableFile(atPath: files.database) ? .privateIndex : .copy
      }
    } else if !files.header.usesWriteAheadLog {
      self = understandsURIs && !files.hasJournal && !isChanging ? .immutable : .ordinary
    } else if files.hasSharedIndex {
      self = withIndex
    } else {
      self = understandsURIs && !files.hasJournal ? .immutable : .copy
    }
  }

  /// The access to try if SQLite refuses this one; nil if there is none.
  func fallback(after code: ResultCode) -> ReadingAccess? {
    switch (self, code) {
    // A process that was killed while it opened the store can leave an index that is not readable and not locked.
    case (.sharedIndex, .SQLITE_READONLY_CANTINIT), (.sharedIndex, .SQLITE_READONLY_RECOVERY),
      (.sharedIndex, .SQLITE_PROTOCOL):
      .ordinary
    case (.ordinary, .SQLITE_READONLY_ROLLBACK), (.ordinary, .SQLITE_READONLY_CANTINIT),
      (.ordinary, .SQLITE_READONLY_RECOVERY), (.privateIndex, .SQLITE_IOERR_LOCK), (.privateIndex, .SQLITE_READONLY):
      .copy
    default: nil
    }
  }

  /// The name that SQLite opens: a path, or a URI with the parameters of this access.
  func connectionName(for database: String) -> String {
    switch self {
    case .ordinary, .privateIndex, .copy: database
    case .immutable: Self.uri(database, parameter: "immutable=1")
    case .sharedIndex: Self.uri(database, parameter: "readonly_shm=1")
    }
  }

  static func uri(_ path: String, parameter: String) -> String {
    let escaped = path.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-".utf8.contains(byte)
      let hex = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
    }
    // The name of a host follows two slashes.
    return (path.hasPrefix("/") ? "file://" : "file:") + escaped.joined() + "?\(parameter)"
  }
}
