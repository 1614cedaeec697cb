import Foundation

/// What tells one file from every other, whatever names it has.
struct FileIdentity: Hashable, Sendable {
  /// The device, as `stat` gives it.
  let device: UInt64
  /// The file's number on the device.
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

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
