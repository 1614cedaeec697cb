import Foundation

/// Has the system write a file's content, or a folder's names, to the disk.
package enum DiskFlush {
  /// Flushes a file or a folder to the disk.
  ///
  /// - Parameter path: a file or a folder.
  /// - Returns: 0, or the number of the error. A file system that cannot flush folders counts as done.
  package static func run(_ path: String) -> Int32 {
    // A pipe in the place of the file would be waited for.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    guard flush(file) != 0 else { return 0 }
    let code = errno
    return code == EINVAL || code == ENOTSUP ? 0 : code
  }

  /// On Darwin `fsync` leaves the data in the drive's cache.
  private static func flush(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      if fcntl(file, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(file)
  }
}
