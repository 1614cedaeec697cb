package import GRDB
import GRDBSQLite

/// A database file that this process created, and that another process may have replaced.
///
/// A connection opens a file by its name. Each connection is therefore checked before the first read or write.
package struct MadeFile: Sendable {
  package let path: String
  private let identity: FileIdentity

  /// Creates the value for a file.
  ///
  /// - Parameters:
  ///   - path: its real path.
  ///   - identity: its identity, from the file descriptor that created it.
  package init(_ path: String, _ identity: FileIdentity) { (self.path, self.identity) = (path, identity) }

  /// The settings of a connection that checks first of all that it has this file.
  package var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try check($0.sqliteConnection) }
    return configuration
  }

  /// A connection name that does not create a file if this file was removed.
  package var connectionName: String {
    sqlite3_compileoption_used("USE_URI") == 0 ? path : ReadingAccess.uri(path, parameter: "mode=rw")
  }

  /// Opens the file as a database.
  ///
  /// - Parameter configuration: the settings, based on ``configuration``.
  /// - Throws: ``StoreError/changedWhileReading(path:)`` if the name belongs to a different file, `DatabaseError`.
  package func open(_ configuration: Configuration) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: connectionName, configuration: configuration)
    } catch let error as DatabaseError {
      throw isThere ? error : StoreError.changedWhileReading(path: path)
    }
  }

  /// Checks that a connection uses the file, and that the name still leads to it.
  ///
  /// SQLite compares the file's number with that of the name; this function checks the name before and after.
  ///
  /// - Parameter connection: the connection; nil if it could not be opened.
  /// - Throws: ``StoreError/changedWhileReading(path:)``, `DatabaseError`.
  package func check(_ connection: OpaquePointer?) throws {
    guard isThere, try connection.map({ try !StoreWriter.hasMoved($0) }) ?? true, isThere else {
      throw StoreError.changedWhileReading(path: path)
    }
  }

  private var isThere: Bool {
    FileStatus(path).map { $0.kind == .file && FileIdentity($0) == identity } ?? false
  }
}
