import Foundation
import GRDB

extension StoreError {
  /// Does something that writes into the folder for temporary files, of whose files nobody knows a name.
  ///
  /// - Parameter work: what is done; it writes nowhere else.
  /// - Returns: what the work gives.
  /// - Throws: ``StoreError/temporaryFolderFull(path:)`` where there is no room, else what the work throws.
  package static func writingTemporaryFiles<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error where lacksRoom(error) {
      throw StoreError.temporaryFolderFull(path: FileManager.default.temporaryDirectory.path)
    }
  }

  private static func lacksRoom(_ error: any Error) -> Bool {
    switch error {
    case StoreError.diskFull: true
    case StoreCreationError.failed(_, .flush(let code)): [ENOSPC, EDQUOT].contains(code)
    case StoreCreationError.failed(_, .other(let caught)): lacksRoom(caught.error)
    // The second is SQLite's answer when the memory that connections share has no room beside the store.
    case let error as DatabaseError:
      error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    case let error as CocoaError: error.code == .fileWriteOutOfSpace
    case let error as POSIXError: [.ENOSPC, .EDQUOT].contains(error.code)
    default: false
    }
  }
}
