import Foundation

extension StoreError {
  /// Why a file is not written.
  ///
  /// - Parameters:
  ///   - error: what the operating system answered.
  ///   - path: the file.
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
