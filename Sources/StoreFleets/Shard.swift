import VersionHashing

/// One of several equal parts of many stores, so that several machines share them.
///
/// Which part a store is in follows from its path alone: SHA-256 of the path in UTF-8, its first 15 hexadecimal digits
/// as a number, modulo the number of parts. It is the same on every machine and in every version.
public struct Shard: Hashable, Sendable {
  /// Which part, from 1.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// Chooses a part.
  ///
  /// - Returns: nil unless 1 ≤ index ≤ count.
  public init?(index: Int, of count: Int) {
    guard index >= 1, index <= count else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Takes `2/8` apart.
  ///
  /// - Returns: nil for what is no part.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Self.number(String($0)) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
    self.init(index: index, of: count)
  }

  /// Tells whether a store is in this part.
  ///
  /// - Parameter path: the store's path from the folder that was given, or as it was given itself.
  /// - Returns: true for one of the parts, false for all others.
  public func contains(_ path: String) -> Bool {
    guard count > 1 else { return true }
    let digits = TextDigest.hexadecimal(path).prefix(15)
    return Int(digits, radix: 16).map { $0 % count == index - 1 } ?? false
  }

  /// A number in digits only; Swift's own reading takes a sign as well.
  static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}

extension Shard: CustomStringConvertible {
  /// The form `2/8`.
  public var description: String { "\(index)/\(count)" }
}
