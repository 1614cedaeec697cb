import Foundation

/// A value that is computed once, when a thread first reads it.
package final class Once<Value: Sendable>: Sendable {
  private let values = OncePerKey<Int, Value>()

  package init() {}

  /// The value, computed on the first call.
  package func value(_ compute: () -> Value) -> Value { values.value(for: 0, compute) }

  /// The value of a computation that can fail; a failure is kept too.
  package func value<Success>(_ compute: () throws -> Success) throws -> Success
  where Value == Result<Success, any Error> { try values.value(for: 0, compute) }
}

/// Values by key, each computed once, when a thread first reads it.
package final class OncePerKey<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Key: Value] = [:]

  package init() {}

  /// The value of a key, computed on the first call for the key.
  package func value(for key: Key, _ compute: () -> Value) -> Value {
    lock.withLock {
      if let value = values[key] { return value }
      let value = compute()
      values[key] = value
      return value
    }
  }

  /// The value of a computation that can fail; a failure is kept too.
  package func value<Success>(for key: Key, _ compute: () throws -> Success) throws -> Success
  where Value == Result<Success, any Error> { try value(for: key) { Result(catching: compute) }.get() }
}
