import Foundation
import PersistentStores

/// A file that is written beside its place, brought to the disk and renamed into place: it is the old one or the new one.
struct AtomicFile {
  let path: String
  private let files: any FileOperations

  init(path: String, _ files: any FileOperations) {
    (self.path, self.files) = (StoreFiles.realPath(of: path), files)
  }

  /// Puts bytes in the place of the file's, or makes the file.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - backup: a second name of the old file, which it keeps; nil for none.
  /// - Throws: `StoreError`; the file is as it was then.
  func replace(with bytes: Data, backup: String? = nil) throws(StoreError) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    let partial = "\(folder)/.\(url.lastPathComponent).\(UUID().uuidString).partial"
    do throws(FileError) {
      try files.write(bytes, to: partial)
      if FileManager.default.fileExists(atPath: path) { try files.copyPermissions(of: path, to: partial) }
      try files.synchronize(partial)
      if let backup { try files.link(path, to: backup) }
      try files.rename(partial, to: path)
      try files.synchronize(folder)
    } catch {
      try? files.remove(partial)
      switch error.code {
      case ENOSPC, EDQUOT: throw .diskFull(path: path)
      case EACCES, EPERM, EROFS: throw .readOnlyFolder(path: path)
      default:
        let cause = POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)
        throw .inputOutput(path: path, fault: .file(CaughtError(cause)))
      }
    }
  }
}
