import Foundation
package import GRDB
public import ModelFiles

/// An error if a store cannot be opened, read or locked.
public enum StoreError: Error, Hashable, Sendable {
  case missing(path: String)
  case folder(path: String)
  case notAFile(path: String)
  case linkToNowhere(path: String)
  /// A link or special file next to the store has a name that SQLite uses.
  case foreignCompanion(path: String, companion: String)
  /// - Parameter logBytes: the size of the `-wal` file next to it.
  case empty(path: String, logBytes: Int64)
  case notSQLite(path: String, content: ForeignContent)
  /// The file is shorter than the size in its header.
  case truncated(path: String, bytes: Int64, expected: Int64)
  /// - Parameter detail: the message of SQLite.
  case corrupt(path: String, detail: String)
  /// Indexes do not match the rows of their tables, so queries return wrong results.
  case staleIndexes(path: String, names: [String])
  /// The store lacks tables, columns or entities of its model, so a copy would be incomplete.
  case incomplete(path: String, missing: [LayoutDifference])
  /// A closure that uses a store used it again in a way that would wait for that closure.
  case nested(path: String)
  /// A reader or a writer was used after it was closed.
  case closed(path: String)
  /// An SQLite file without Core Data's metadata.
  ///
  /// - Parameter tables: the names of its first tables.
  case notCoreData(path: String, tables: [String])
  case metadata(path: String, error: MetadataError)
  /// The file is not readable for the user.
  case unreadable(path: String)
  /// The file or its folder is not writable for the user.
  case readOnly(path: String)
  /// The folder of the store is not writable, so SQLite cannot create a journal in it.
  case readOnlyFolder(path: String)
  /// The process runs as the superuser, and the owner of the folder could redirect its files with links.
  ///
  /// - Parameter owner: the user's name, or `#` and the number.
  case foreignFolder(path: String, owner: String)
  /// The folder of a file to write is not writable.
  case unwritableFolder(path: String)
  case diskFull(path: String)
  /// The folder for temporary files is full.
  ///
  /// - Parameter path: the folder.
  case temporaryFolderFull(path: String)
  /// Another process holds a lock for longer than the busy timeout.
  ///
  /// - Parameter users: the processes that have the store open, as far as the system shows them.
  case heldByAnotherProcess(path: String, users: [StoreUser] = [])
  /// Another process has the store's file open without a lock, so the file must not be replaced.
  ///
  /// - Parameter users: the processes that have it open.
  case openElsewhere(path: String, users: [StoreUser])
  case changedWhileReading(path: String)
  case interrupted(path: String)
  case inputOutput(path: String, error: InputOutputError)
  /// An expression lacks a value for an object, such as one that divides by zero.
  ///
  /// - Parameter detail: the object, the part of the expression and the cause.
  case noValue(path: String, detail: String)
  /// Any other error of SQLite.
  ///
  /// - Parameters:
  ///   - code: SQLite's extended result code.
  ///   - sql: the statement that failed.
  case sqlite(path: String, code: Int32, detail: String, sql: String?)

  /// The cause of a failed read or write.
  public enum InputOutputError: Error, Hashable, Sendable {
    /// - Parameter code: SQLite's extended result code.
    case sqlite(code: Int32, message: String?)
    /// An operation of the file system.
    case file(CaughtError)
    case logStays
    case journalStays
    case other(CaughtError)
  }

  /// The cause if a store's metadata is invalid.
  public enum MetadataError: Error, Hashable, Sendable {
    /// `Z_METADATA` is not an ordinary table with the columns of Core Data.
    case table
    case noRow
    case noPropertyList
    /// The property list is larger than any that Core Data writes.
    case oversized(bytes: Int64)
    case propertyList(PropertyListError)
    /// The root of the property list is not a dictionary.
    case root
    case noVersionHashes
    case hash(entity: String, bytes: Int)
    case noUUID
    /// The metadata records another store type.
    case storeType(String)
  }
}

extension StoreError {
  /// Why a file is not written.
  package init(_ error: FileError, writing path: String) {
    switch error.code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EACCES, EPERM, EROFS: self = .unwritableFolder(path: path)
    default:
      let cause = POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)
      self = .inputOutput(path: path, error: .file(CaughtError(cause)))
    }
  }
}

extension ResultCode {
  /// The result code of a function that lacks a value for a row.
  ///
  /// SQLite passes on the result code of a function; its own codes do not use the highest bit of the second byte.
  package static var noValue: ResultCode { ResultCode(rawValue: 0x8001) }
}

extension StoreError {
  /// Translates an error of SQLite.
  ///
  /// - Parameter path: the path of the store.
  package init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "no message"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .heldByAnotherProcess(path: path)
    case .SQLITE_CORRUPT: self = .corrupt(path: path, detail: detail)
    case .SQLITE_NOTADB: self = .corrupt(path: path, detail: "\(detail), or its pages are encrypted")
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self = .changedWhileReading(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_INTERRUPT: self = .interrupted(path: path)
    // The index of the write-ahead log, which connections share, has no room beside the store.
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: self = .diskFull(path: path)
    case .SQLITE_IOERR: self = Self.inputOutput(path: path, code: error.extendedResultCode, detail: detail)
    case .SQLITE_CANTOPEN: self = .unreadable(path: path)
    case .SQLITE_ERROR where error.extendedResultCode == .noValue: self = .noValue(path: path, detail: detail)
    default: self = .sqlite(path: path, code: error.extendedResultCode.rawValue, detail: detail, sql: error.sql)
    }
  }

  private static func inputOutput(path: String, code: ResultCode, detail: String) -> StoreError {
    code == .SQLITE_IOERR_SHORT_READ
      ? .corrupt(path: path, detail: "a page is beyond the end of the file")
      : .inputOutput(path: path, error: .sqlite(code: code.rawValue, message: detail))
  }

  /// The same error with the processes that have the store open, if another process is the cause.
  var namingUsers: StoreError {
    guard case .heldByAnotherProcess(let path, let users) = self, users.isEmpty else { return self }
    return .heldByAnotherProcess(path: path, users: StoreUser.others(of: path))
  }

  /// Turns an error of a file operation into a store's error.
  package init(_ error: any Error, copying path: String) {
    switch (error as? CocoaError)?.code {
    case .fileWriteOutOfSpace?: self = .diskFull(path: path)
    case .fileReadNoPermission?: self = .unreadable(path: path)
    case .fileWriteNoPermission?, .fileWriteVolumeReadOnly?: self = .readOnly(path: path)
    case .fileNoSuchFile?, .fileReadNoSuchFile?: self = .missing(path: path)
    default: self = .inputOutput(path: path, error: .file(CaughtError(error)))
    }
  }

  /// Runs work on a store, and translates SQLite's errors; other errors are passed on.
  package static func translating<Value>(path: String, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  /// Runs a piece of work that fails only by SQLite or as a store.
  package static func typed<Value>(path: String, _ work: () throws -> Value) throws(StoreError) -> Value {
    do {
      return try work()
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    } catch {
      throw .inputOutput(path: path, error: .other(CaughtError(error)))
    }
  }
}

/// An error of any type.
///
/// Two caught errors are equal if they have the same type and description.
public struct CaughtError: Error, Hashable, Sendable {
  /// The error.
  public let error: any Error

  package init(_ error: any Error) { self.error = error }

  /// Compares two errors.
  public static func == (first: CaughtError, second: CaughtError) -> Bool {
    type(of: first.error) == type(of: second.error) && first.description == second.description
  }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension CaughtError: CustomStringConvertible {
  /// The error's own words.
  public var description: String { "\(error)" }
}
