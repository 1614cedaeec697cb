import Foundation

/// Values that are computed once for each key, on whatever thread asks first, and never twice at once.
final class ComputedOnce<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [Key: Result<Value, any Error>] = [:]

  /// The value for a key.
  ///
  /// - Throws: what computing it threw, also when somebody asks again.
  func value(for key: Key, _ compute: () throws -> Value) throws -> Value {
    try lock.withLock {
      let result = known[key] ?? Result { try compute() }
      known[key] = result
      return result
    }.get()
  }
}
