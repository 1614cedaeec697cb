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
