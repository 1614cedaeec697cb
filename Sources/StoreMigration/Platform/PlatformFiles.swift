import Foundation

#if canImport(Darwin)
  /// What `opendir` gives.
  typealias FolderPointer = UnsafeMutablePointer<DIR>

  extension stat {
    /// When the content was last changed, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64 { Int64(st_mtimespec.tv_sec) &* 1_000_000_000 &+ Int64(st_mtimespec.tv_nsec) }
  }

  /// Runs a piece of work and frees what Foundation's objects left behind in it.
  func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try autoreleasepool(invoking: work) }
#else
  /// What `opendir` gives.
  typealias FolderPointer = OpaquePointer

  extension stat {
    /// When the content was last changed, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64 { Int64(st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(st_mtim.tv_nsec) }
  }

  /// Runs a piece of work.
  func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try work() }
#endif
