public import ModelFiles

/// Why a store could not be opened, read or held.
public enum StoreError: Error, Hashable, Sendable {
  case missing(path: String)
  case folder(path: String)
  case notAFile(path: String)
  case linkToNowhere(path: String)
  /// Beside the store, under a name that SQLite uses, stands a link or what is no file.
  case foreignCompanion(path: String, companion: String)
  /// - Parameter logBytes: the size of the `-wal` file beside it.
  case empty(path: String, logBytes: Int64)
  case notSQLite(path: String, content: ForeignContent)
  /// The file is shorter than its header says.
  case truncated(path: String, bytes: Int64, expected: Int64)
  /// - Parameter detail: what SQLite says about it.
  case corrupt(path: String, detail: String)
  /// An SQLite file without Core Data's metadata.
  ///
  /// - Parameter tables: the names of its first tables.
  case notCoreData(path: String, tables: [String])
  case metadata(path: String, error: MetadataError)
  /// The file may not be read.
  case unreadable(path: String)
  /// The file or its folder may not be written.
  case readOnly(path: String)
  /// The folder of the store may not be written, so that SQLite can keep no journal beside it.
  case readOnlyFolder(path: String)
  /// The folder of a file that is to be written may not be written.
  case unwritableFolder(path: String)
  case diskFull(path: String)
  /// The folder for temporary files has no room for what stands for a store, or for a copy of one.
  ///
  /// - Parameter path: the folder.
  case temporaryFolderFull(path: String)
  /// Another process has a lock that did not go away in time.
  ///
  /// - Parameter users: who has the store open, as far as the system tells.
  case heldByAnotherProcess(path: String, users: [StoreUser] = [])
  /// Somebody has the store's file open without a lock, so that another file must not take its place.
  ///
  /// - Parameter users: who has it open.
  case openElsewhere(path: String, users: [StoreUser])
  case changedWhileReading(path: String)
  case interrupted(path: String)
  case inputOutput(path: String, error: InputOutputError)
  /// An expression has no value for an object, such as one that divides by zero.
  ///
  /// - Parameter detail: the object, the part of the expression and the cause.
  case noValue(path: String, detail: String)
  /// Any other answer of SQLite.
  ///
  /// - Parameters:
  ///   - code: SQLite's extended result code.
  ///   - sql: the statement that failed.
  case sqlite(path: String, code: Int32, detail: String, sql: String?)

  /// What reading or writing failed with.
  public enum InputOutputError: Error, Hashable, Sendable {
    /// - Parameter code: SQLite's extended result code.
    case sqlite(code: Int32, message: String?)
    /// An operation of the file system.
    case file(CaughtError)
    case logStays
    case journalStays
    case other(CaughtError)
  }

  /// What is wrong with a store's metadata.
  public enum MetadataError: Error, Hashable, Sendable {
    /// `Z_METADATA` is no ordinary table with the columns Core Data gives it.
    case table
    case noRow
    case noPropertyList
    /// The property list is larger than any that Core Data writes.
    case oversized(bytes: Int64)
    case propertyList(PropertyListError)
    /// The root of the property list is no dictionary.
    case root
    case noVersionHashes
    case hash(entity: String, bytes: Int)
    case noUUID
    /// The metadata says another store type.
    case storeType(String)
  }
}
