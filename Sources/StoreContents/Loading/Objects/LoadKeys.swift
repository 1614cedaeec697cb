/// The keys of the objects of a text, by root entity: those that it gives, and the next ones for objects without.
struct LoadKeys {
  private var given: [String: KeySet] = [:]
  private var last: [String: Int64] = [:]
  private var isCounted = false
  /// The greatest keys that the text gives.
  private let greatest: () throws -> [String: Int64]

  init(greatest: @escaping () throws -> [String: Int64]) { self.greatest = greatest }

  /// The key of the next object; nil when another has the one that the text gives.
  ///
  /// - Throws: what reading the text throws.
  mutating func next(for root: String, given key: Int64?) throws -> Int64? {
    if let key { return given[root, default: KeySet()].insert(key) ? key : nil }
    if !isCounted {
      // Keys go on from the greatest of the text, which may come last.
      for (root, key) in try greatest() { last[root] = max(0, key) }
      isCounted = true
    }
    last[root, default: 0] += 1
    return last[root]
  }
}

/// A set of keys that mostly ascend.
struct KeySet {
  /// Runs of keys, ascending.
  private var runs: [ClosedRange<Int64>] = []
  private var strays: Set<Int64> = []

  /// Adds a key; false when it is there.
  mutating func insert(_ key: Int64) -> Bool {
    guard let last = runs.last else {
      runs = [key...key]
      return true
    }
    if key > last.upperBound {
      guard !strays.contains(key) else { return false }
      if key == last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...key
      } else {
        runs.append(key...key)
      }
      return true
    }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    guard !runs[low].contains(key) else { return false }
    return strays.insert(key).inserted
  }
}
