/// Takes a date of ISO 8601 apart from the front.
struct ISO8601DateScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: some Collection<UInt8>) { rest = Array(text)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == mark.value else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes at least one space.
  mutating func takeSpaces() -> Bool {
    let former = rest.count
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    return rest.count < former
  }

  mutating func digits(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// All the digits that follow.
  mutating func fraction() -> [UInt8] {
    var digits: [UInt8] = []
    while let digit = digit() { digits.append(digit) }
    return digits
  }

  /// The zone's offset from UTC in seconds, after spaces; none means UTC.
  mutating func zone() -> Int? {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    if isAtEnd || take("Z") || take("z") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func digit() -> UInt8? {
    guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    rest.removeFirst()
    return first - UInt8(ascii: "0")
  }
}
