import Foundation
package import GRDB

extension ResultCode {
  /// The answer of a function that has no value for a row.
  ///
  /// SQLite hands on what a function answers; its own codes leave the highest bit of the second byte free.
  package static var noValue: ResultCode { ResultCode(rawValue: 0x8001) }
}

extension StoreError {
  /// Turns SQLite's answer into a store's error.
  ///
  /// - Parameters:
  ///   - error: what SQLite answered.
  ///   - path: the store it was asked about.
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
    default:
      self = .sqlite(path: path, code: error.extendedResultCode.rawValue, detail: detail, sql: error.sql)
    }
  }

  private static func inputOutput(path: String, code: ResultCode, detail: String) -> StoreError {
    code == .SQLITE_IOERR_SHORT_READ
      ? .corrupt(path: path, detail: "a page lies behind the end of the file")
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
