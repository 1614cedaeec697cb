import Foundation
import GRDB
import ModelFiles

extension StoreError {
  /// Says that the folder for temporary files has no room.
  package static var fullTemporaryFolder: StoreError {
    .temporaryFolderFull(path: FileManager.default.temporaryDirectory.path)
  }

  /// Finds out whether there was no room for a file.
  ///
  /// - Parameters:
  ///   - error: what a piece of work failed with that writes files in a folder and only reads elsewhere.
  ///   - folder: the folder; an error that names a store of another one is not about writing these files.
  /// - Returns: true for the answer to writing a file for which there is no room.
  package static func lacksRoom(_ error: any Error, in folder: String) -> Bool {
    switch error {
    case StoreError.temporaryFolderFull: true
    case StoreError.diskFull(let path): isPath(path, in: folder)
    case StoreError.inputOutput(let path, .sqlite(let code, _)):
      code == ResultCode.SQLITE_IOERR_SHMSIZE.rawValue && isPath(path, in: folder)
    case StoreCreationError.failed(let path, .flush(let code)):
      [ENOSPC, EDQUOT].contains(code) && isPath(path, in: folder)
    case StoreCreationError.failed(let path, .other(let caught)):
      isPath(path, in: folder) && lacksRoom(caught.error, in: folder)
    // The second is SQLite's answer when the memory that connections share has no room beside the store.
    case let error as DatabaseError:
      error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE
    case let error as CocoaError: error.code == .fileWriteOutOfSpace
    case let error as POSIXError: [.ENOSPC, .EDQUOT].contains(error.code)
    default: false
    }
  }

  /// True for the path of something in a folder, however deep, also where a link leads to the folder.
  package static func isPath(_ path: String, in folder: String) -> Bool {
    path.hasPrefix("\(folder)/") || path.hasPrefix("\(RealPath.of(folder))/")
  }
}
