import Foundation

/// A small most-recently-used cache.
package final class RecentValues<Key: Sendable, Value: Sendable>: @unchecked Sendable {
  private let capacity: Int
  private let areEqual: @Sendable (Key, Key) -> Bool
  private let lock = NSLock()
  /// The values, with the most recently used value last.
  private var known: [(key: Key, value: Value)] = []

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - capacity: the maximum number of values.
  ///   - areEqual: returns true if two keys can share a value.
  package init(capacity: Int, areEqual: @escaping @Sendable (Key, Key) -> Bool) {
    (self.capacity, self.areEqual) = (capacity, areEqual)
  }

  /// Returns the cached value, or computes it; two threads may compute the same value.
  ///
  /// - Parameter isKept: returns true if a new value can be cached.
  package func value(
    for key: Key, isKept: (Value) -> Bool = { _ in true }, make: () throws -> Value
  ) rethrows -> Value {
    let found = lock.withLock { () -> Value? in
      guard let position = known.lastIndex(where: { areEqual($0.key, key) }) else { return nil }
      known.append(known.remove(at: position))
      return known.last?.value
    }
    if let found { return found }
    let made = try make()
    guard isKept(made) else { return made }
    lock.withLock {
      if known.count >= capacity { known.removeFirst() }
      known.append((key, made))
    }
    return made
  }
}

extension RecentValues where Key: Equatable {
  /// Creates a cache whose values are shared by equal keys.
  package convenience init(capacity: Int) {
    self.init(capacity: capacity) { $0 == $1 }
  }
}
