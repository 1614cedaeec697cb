/// A decimal number with all the digits of its text, of any size.
package struct DecimalNumeral: Hashable, Sendable {
  /// True for a number below zero.
  package private(set) var isNegative = false
  /// The digits from the first to the last nonzero digit, each from 0 to 9; empty for zero.
  package private(set) var digits: [UInt8] = []
  /// The power of ten of the last digit.
  package private(set) var exponent = 0

  /// Reads a text that is one number, such as ` -12.50e3 `, with optional white space around it.
  ///
  /// - Parameter text: the text in UTF-8.
  package init?(_ text: some Collection<UInt8>) {
    var scanner = Scanner(text)
    guard let numeral = scanner.numeral(), scanner.isAtEnd else { return nil }
    self = numeral
  }

  /// Reads the number that a text begins with, as SQLite's `CAST` does.
  ///
  /// - Parameter text: the text in UTF-8.
  package init?(leading text: some Collection<UInt8>) {
    var scanner = Scanner(text)
    guard let numeral = scanner.numeral() else { return nil }
    self = numeral
  }

  package init(isNegative: Bool, digits: some Collection<UInt8>, exponent: Int) {
    let kept = digits.drop { $0 == 0 }
    var stripped = Array(kept)
    while stripped.last == 0 { stripped.removeLast() }
    self.digits = stripped
    self.isNegative = isNegative && !stripped.isEmpty
    self.exponent = stripped.isEmpty ? 0 : exponent + kept.count - stripped.count
  }

  /// The number as an integer; nil if it has a fraction or does not fit.
  package var integer: Int64? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    return Int64((isNegative ? "-" : "") + text(of: digits) + String(repeating: "0", count: exponent))
  }

  /// The nearest floating-point number, infinite beyond their bounds.
  package var double: Double? { Double((isNegative ? "-" : "") + text(of: digits) + "e\(exponent)") }

  /// The digits after the point, including leading zeros.
  package var fraction: [UInt8] {
    guard exponent < 0 else { return [] }
    return Array(repeating: 0, count: max(-exponent - digits.count, 0)) + digits.suffix(-exponent)
  }

  private func text(of digits: [UInt8]) -> String {
    digits.isEmpty ? "0" : String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }

  /// Reads a number from the front.
  private struct Scanner {
    /// More than any count of digits, so that a sum with a count stays out of range.
    private static let boundOfPowers = 1_000_000_000_000_000

    private var rest: ArraySlice<UInt8>

    init(_ text: some Collection<UInt8>) { rest = Array(text)[...] }

    /// True if only white space is left.
    var isAtEnd: Bool { rest.allSatisfy(Self.isSpace) }

    mutating func numeral() -> DecimalNumeral? {
      rest = rest.drop(while: Self.isSpace)
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      let whole = digits()
      let fraction = take(".") ? digits() : []
      guard !whole.isEmpty || !fraction.isEmpty else { return nil }
      return DecimalNumeral(isNegative: isNegative, digits: whole + fraction, exponent: power() - fraction.count)
    }

    /// Reads the exponent after `e`; 0 if there is none.
    private mutating func power() -> Int {
      let before = rest
      guard take("e") || take("E") else { return 0 }
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      let digits = digits()
      guard !digits.isEmpty else {
        rest = before
        return 0
      }
      var power = 0
      for digit in digits { power = min(power * 10 + Int(digit), Self.boundOfPowers) }
      return isNegative ? -power : power
    }

    private mutating func digits() -> ArraySlice<UInt8> {
      let found = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(found.count)
      return found.map { $0 - UInt8(ascii: "0") }[...]
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard let first = rest.first, UInt32(first) == mark.value else { return false }
      rest.removeFirst()
      return true
    }

    /// True for white space, as SQLite defines it.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  }
}
