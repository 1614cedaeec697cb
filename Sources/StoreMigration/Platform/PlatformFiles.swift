import CSQLiteConnection
import Foundation

#if canImport(Darwin)
  /// Works; the system has no call to begin to write a file to the disk meanwhile.
  func beginningToWrite<Value>(_ path: String, beside work: () throws -> Value) rethrows -> Value { try work() }

  /// Runs a piece of work and frees what Foundation's objects left behind in it.
  package func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try autoreleasepool(invoking: work) }
#else
  /// Works, and has the system begin meanwhile to write what it keeps of a file in memory to the disk, so that a later
  /// `fsync` has less to wait for; nothing is promised by it.
  ///
  /// Afterwards this process lacks a lock on the file any more: closing a descriptor drops all of them.
  func beginningToWrite<Value>(_ path: String, beside work: () throws -> Value) rethrows -> Value {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return try work() }
    let writing = DispatchGroup()
    DispatchQueue.global().async(group: writing) { _ = modelctl_begin_writing(descriptor) }
    defer {
      writing.wait()
      _ = close(descriptor)
    }
    return try work()
  }

  package func draining<Value>(_ work: () throws -> Value) rethrows -> Value { try work() }
#endif
