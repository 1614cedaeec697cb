import Foundation
import GRDB
import PersistentStores
import StoreRows

/// The connections to a store that is open for reading and writing.
enum StoreConnection {
  /// Opens a store: with readers next to one writer if it has a write-ahead log, or with one connection.
  ///
  /// - Parameters:
  ///   - busyTimeout: the seconds to wait for another process.
  ///   - readsBesideWriter: false for one connection even if the store has a write-ahead log.
  /// - Returns: the connections.
  static func open(_ path: String, busyTimeout: Double, readsBesideWriter: Bool = true) throws -> any DatabaseWriter {
    let folder = (StoreFiles.realPath(of: path) as NSString).deletingLastPathComponent
    try StoreFiles.checkUser(ofFolder: folder, path: path)
    guard FileManager.default.isWritableFile(atPath: folder) else { throw StoreError.readOnlyFolder(path: path) }
    guard FileManager.default.isWritableFile(atPath: path) else { throw StoreError.readOnly(path: path) }
    let configuration = configuration(path, busyTimeout: busyTimeout)
    let connection: any DatabaseWriter =
      try readsBesideWriter && StoreReader.usesWriteAheadLog(path: path)
      ? DatabasePool(path: path, configuration: configuration) : DatabaseQueue(path: path, configuration: configuration)
    // A completed save is on the disk after a power cut, even if a transaction ends by removing the rollback journal. A pool
    // would lower this setting of its configuration.
    try connection.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = EXTRA") }
    return connection
  }

  /// Leaves the log as it is when the connection closes without a completed save.
  static func keepLog(of connection: any DatabaseWriter) {
    connection.writeWithoutTransaction { StoreWriter.setFoldsLogWhenClosing(false, $0) }
  }

  /// Writes the log into the store when the connection closes.
  static func foldLog(whenClosing database: Database) {
    StoreWriter.setFoldsLogWhenClosing(true, database)
  }

  /// Writes the log into the open file, which is not at its path any more: SQLite would leave the log beside the file that
  /// took its place, and write it into that one.
  static func emptyLog(in database: Database) throws {
    _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// A further connection that only reads, and never waits.
  static func reader(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.label = "modelctl.observation"
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// The size of a connection's page cache; with it, sums along an index take half the time they take with SQLite's
  /// default of 2 MiB.
  private static let cacheKibibytes = 8192

  private static func configuration(_ path: String, busyTimeout: Double) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(BusyWait.bounded(busyTimeout))
    configuration.targetQueue = StoreUse.queue
    configuration.allowsUnsafeTransactions = true
    configuration.label = "modelctl.objects"
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      TriggerFunctions.register(in: database)
      RecordReading.prepare(database, path: path)
      try database.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
    }
    return configuration
  }

  /// The identity and the model of the store: its UUID and its metadata, as stored in its row.
  static func metadata(in database: Database) throws -> Data {
    let statement = try database.cachedStatement(sql: "SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    guard let row = try Row.fetchOne(statement) else { return Data() }
    return Data((String.fromDatabaseValue(row[0]) ?? "").utf8) + (Data.fromDatabaseValue(row[1]) ?? Data())
  }
}
