import Foundation
package import GRDB
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
  /// Indexes lack entries of their tables' rows, or have others, so that what is read by them is wrong.
  case staleIndexes(path: String, names: [String])
  /// Tables, columns or entities that the model needs are not in the store, so that a copy would lack them.
  case incomplete(path: String, missing: [LayoutDifference])
  /// A store was used within a use of itself that it would wait for.
  case nested(path: String)
  /// A reader or a writer was used after it let go of the store.
  case closed(path: String)
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
  /// This is the superuser, and the folder belongs to another user, who could put links in the way.
  ///
  /// - Parameter owner: the user's name, or `#` and the number.
  case foreignFolder(path: String, owner: String)
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
  /// The answer of a function that has no value for a row.
  ///
  /// SQLite hands on what a function answers; its own codes leave the highest bit of the second byte free.
  package static var noValue: ResultCode { ResultCode(rawValue: 0x8001) }
}

extension StoreError {
  /// Turns SQLite's answer into a store's error.
  ///
  /// - Parameter path: the store it was asked about.
  package init(_ error: DatabaseError, path: String) {
    let detail = error.message ?? "no message"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .heldByAnotherProcess(path: path)
    case .SQLITE_CORRUPT: self = .corrupt(path: path, detail: detail)
    case .SQLITE_NOTADB: self = .corrupt(path: path, detail: "\(detail), or its pages are encrypted")
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
    case .SQLITE_INTERRUPT: self = .interrupted(path: path)
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

  /// The same error with the processes that have the store open, where it is about such.
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

  /// Runs a piece of work on a store and turns SQLite's errors into a store's; other errors pass.
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

/// An error of any type, held as it was caught; two are equal when they are of one type and have the same description.
public struct CaughtError: Error, Hashable, Sendable {
  /// The error.
  public let error: any Error

  package init(_ error: any Error) { self.error = error }

  /// Compares two errors.
  public static func == (first: CaughtError, second: CaughtError) -> Bool {
    type(of: first.error) == type(of: second.error) && first.description == second.description
  }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension CaughtError: CustomStringConvertible {
  /// The error's own words.
  public var description: String { "\(error)" }
}
