/// A set of numbers of which only the last binary digits count.
final class BitTable {
  private let words: UnsafeMutablePointer<UInt64>
  private let last: UInt64

  /// Begins without numbers.
  ///
  /// - Parameter logarithm: how many digits count, 6 at least.
  init(logarithm: Int) {
    let count = 1 << (logarithm - 6)
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
    last = 1 << UInt64(logarithm) - 1
  }

  deinit { words.deallocate() }

  func insert(_ number: UInt64) { words[Int(number & last) >> 6] |= 1 << (number & 63) }

  func contains(_ number: UInt64) -> Bool { words[Int(number & last) >> 6] & (1 << (number & 63)) != 0 }
}
