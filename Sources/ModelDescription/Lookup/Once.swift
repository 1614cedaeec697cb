import Foundation

/// A value that is computed for whoever asks first, on whatever thread, and never twice at once.
package final class Once<Value: Sendable>: Sendable {
  private let values = OncePerKey<Int, Value>()

  package init() {}

  /// The value, computed when nobody has asked before.
  package func value(_ compute: () -> Value) -> Value { values.value(for: 0, compute) }

  /// The same where computing it may fail, which is remembered too.
  package func value<Success>(_ compute: () throws -> Success) throws -> Success
  where Value == Result<Success, any Error> { try values.value(for: 0, compute) }
}

/// Values by their keys, each computed for whoever asks first, and never twice at once.
package final class OncePerKey<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Key: Value] = [:]

  package init() {}

  /// The value of a key, computed when nobody has asked before.
  package func value(for key: Key, _ compute: () -> Value) -> Value {
    lock.withLock {
      if let value = values[key] { return value }
      let value = compute()
      values[key] = value
      return value
    }
  }

  /// The same where computing it may fail, which is remembered too.
  package func value<Success>(for key: Key, _ compute: () throws -> Success) throws -> Success
  where Value == Result<Success, any Error> { try value(for: key) { Result(catching: compute) }.get() }
}
