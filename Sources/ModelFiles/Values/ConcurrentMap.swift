import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// The results of a function for every element, in their order, computed on all cores.
  package func concurrentMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
    let results = IndexedResults<Result>(count: count)
    DispatchQueue.concurrentPerform(iterations: count) { position in
      results.set(transform(self[position]), at: position)
    }
    return results.all
  }
}

/// Results that threads fill in, each at its own position.
private final class IndexedResults<Result: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result?]

  init(count: Int) { results = Array(repeating: nil, count: count) }

  func set(_ result: Result, at position: Int) { lock.withLock { results[position] = result } }

  var all: [Result] { lock.withLock { results.compactMap { $0 } } }
}
