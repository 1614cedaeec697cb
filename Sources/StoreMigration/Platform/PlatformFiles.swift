import CSQLiteConnection
import Foundation

#if canImport(Darwin)
  /// What `opendir` gives.
  typealias FolderPointer = UnsafeMutablePointer<DIR>

  extension stat {
    /// When the content was last changed, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64 { Int64(st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(st_mtimespec.tv_nsec) }
  }

  /// Would have the system begin to write a file to the disk; there is no such call here.
  func beginWriting(_ path: String) {}

  /// Runs a piece of work and frees what Foundation's objects left behind in it.
  func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try autoreleasepool(invoking: work) }
#else
  /// What `opendir` gives.
  typealias FolderPointer = OpaquePointer

  extension stat {
    /// When the content was last changed, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64 { Int64(st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(st_mtim.tv_nsec) }
  }

  /// Has the system begin to write what it keeps of a file in memory to the disk, so that a later `fsync` has less to wait
  /// for; nothing is promised by it.
  func beginWriting(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = modelctl_begin_writing(descriptor)
    _ = close(descriptor)
  }

  /// Runs a piece of work.
  func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try work() }
#endif
