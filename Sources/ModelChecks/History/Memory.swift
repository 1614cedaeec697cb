import Foundation

/// A value that several rules ask for and that is computed for the first of them.
final class Memory<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value?

  /// The value, computed when nobody has asked before.
  func value(_ compute: () -> Value) -> Value {
    lock.withLock {
      if let value { return value }
      let computed = compute()
      value = computed
      return computed
    }
  }
}

/// Values that several rules ask for, each computed for the first of them.
final class KeyedMemory<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Key: Value] = [:]

  /// The value of a key, computed when nobody has asked before.
  func value(for key: Key, _ compute: () -> Value) -> Value {
    lock.withLock {
      if let value = values[key] { return value }
      let computed = compute()
      values[key] = computed
      return computed
    }
  }
}
