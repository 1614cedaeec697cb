package import Foundation

/// What the file system says about a path, links not followed; it changes when a file is written or replaced.
package struct FileStatus: Hashable, Sendable {
  /// What stands at the path.
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
  /// The file's number on its device: a file that takes another's place has its own.
  package let number: UInt64
  package let device: UInt64

  /// Asks the file system; nil when nothing is there.
  package init?(_ path: String) {
    // FileManager would look the owner's name up each time.
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Takes what the file system has answered.
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

  /// True where a folder on the way may not be looked into, so that nobody knows what is there.
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

/// Tells one file from every other, whatever names it has.
package struct FileIdentity: Hashable, Sendable {
  /// The device, as `stat` gives it.
  let device: UInt64
  let number: UInt64

  /// Asks about the file that a path leads to, links followed; nil when there is none, or it may not be asked about.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Asks about an open file; nil when the descriptor is none.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Takes the file that the file system has answered about.
  package init(_ status: FileStatus) { (device, number) = (status.device, status.number) }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
