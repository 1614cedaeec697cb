package import GRDB
import GRDBSQLite

/// A file that this process has made to be a database, and that somebody may have replaced since.
///
/// A connection opens a file by its name. So each is asked, before anything is read or written by it, whether it has the
/// file that was made.
package struct MadeFile: Sendable {
  package let path: String
  private let identity: FileIdentity

  /// Takes a file.
  ///
  /// - Parameters:
  ///   - path: its real path.
  ///   - identity: which file it is, asked of the descriptor that made it.
  package init(_ path: String, _ identity: FileIdentity) { (self.path, self.identity) = (path, identity) }

  /// The settings of a connection that checks first of all that it has this file.
  package var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try check($0.sqliteConnection) }
    return configuration
  }

  /// The name by which a connection makes no file where this one is gone.
  package var connectionName: String {
    sqlite3_compileoption_used("USE_URI") == 0 ? path : ReadingAccess.uri(path, parameter: "mode=rw")
  }

  /// Opens the file as a database.
  ///
  /// - Parameter configuration: the settings, begun with those of ``configuration``.
  /// - Throws: ``StoreError/changedWhileReading(path:)`` where another file has the name, `DatabaseError`.
  package func open(_ configuration: Configuration) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: connectionName, configuration: configuration)
    } catch let error as DatabaseError {
      throw isThere ? error : StoreError.changedWhileReading(path: path)
    }
  }

  /// Checks that a connection has the file, and that its name leads to it.
  ///
  /// SQLite compares the file's number with that of the name; the name is looked at before and afterwards.
  ///
  /// - Parameter connection: the connection; nil for one that could not be opened.
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
