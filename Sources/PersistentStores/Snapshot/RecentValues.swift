import Foundation

/// The values that were made last, by what they follow from, so that of many alike one is made.
package final class RecentValues<Key: Sendable, Value: Sendable>: @unchecked Sendable {
  private let capacity: Int
  private let areEqual: @Sendable (Key, Key) -> Bool
  private let lock = NSLock()
  /// What was used last comes last.
  private var known: [(key: Key, value: Value)] = []

  /// Makes a memory.
  ///
  /// - Parameters:
  ///   - capacity: how many values are kept: as many as the kinds that a few threads meet in turns.
  ///   - areEqual: whether one value serves two keys.
  package init(capacity: Int, areEqual: @escaping @Sendable (Key, Key) -> Bool) {
    (self.capacity, self.areEqual) = (capacity, areEqual)
  }

  /// What is known, or is made now; two threads may make the same.
  ///
  /// - Parameter isKept: whether a new value may serve others too.
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
  /// Makes a memory whose values serve equal keys.
  package convenience init(capacity: Int) {
    self.init(capacity: capacity) { $0 == $1 }
  }
}
