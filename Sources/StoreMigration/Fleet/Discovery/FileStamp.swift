import Foundation
import PersistentStores

/// What changes when a file is written or replaced, so that an unchanged one need not be opened again.
struct FileStamp: Hashable, Sendable {
  /// What stands at a path.
  enum Kind: Hashable, Sendable {
    case file
    case folder
    case link
    case other
  }

  let kind: Kind
  let device: UInt64
  let inode: UInt64
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64

  /// Asks the file system, links not followed; nil when nothing is there.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    modified = status.modifiedNanoseconds
  }
}
