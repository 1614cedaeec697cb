package import Foundation

/// The status of a path, without following links; it changes if the file is written or replaced.
package struct FileStatus: Hashable, Sendable {
  /// The kind of the file at the path.
  package enum Kind: Hashable, Sendable {
    case file
    case folder
    case link
    case other
  }

  package let kind: Kind
  package let size: Int64
  /// In nanoseconds since 1970.
  package let modified: Int64
  /// The file's number on its device; a file that replaces another has a different number.
  package let number: UInt64
  package let device: UInt64

  /// Reads the status; nil if the path does not exist.
  package init?(_ path: String) {
    // FileManager would look the owner's name up each time.
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates a status from the result of the file system.
  package init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    size = Int64(status.st_size)
    modified = status.modifiedNanoseconds
    number = UInt64(truncatingIfNeeded: status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
  }

  /// True if a folder in the path cannot be searched, so it is unknown if the file exists.
  static func isForbidden(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == EACCES
  }
}

extension stat {
  /// When the content was last changed, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64 {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// The identity of a file, regardless of its names.
package struct FileIdentity: Hashable, Sendable {
  /// The device, as in `stat`.
  let device: UInt64
  let number: UInt64

  /// Reads the identity of the file that a path leads to; nil if it does not exist or is not accessible.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of an open file; nil if the descriptor is invalid.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the identity of a file from its status.
  package init(_ status: FileStatus) { (device, number) = (status.device, status.number) }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
