import Foundation

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
