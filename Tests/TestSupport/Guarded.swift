import Foundation

/// A value that one thread at a time reads or changes.
///
/// Not `Synchronization.Mutex`: on Linux it waits in a library that the thread sanitizer does not see, which reports
/// each of its uses by two threads as a race.
public final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Creates a guard for a value.
  public init(_ value: Value) { self.value = value }

  /// Does something with the value while every other thread waits.
  public func withLock<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
