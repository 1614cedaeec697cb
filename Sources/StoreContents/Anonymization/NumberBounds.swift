/// What the values of an attribute are and may be, of which a shift follows that keeps them valid.
struct NumberBounds {
  private(set) var least = Double.infinity
  private(set) var greatest = -Double.infinity
  private var lower: Double
  private var upper: Double
  let isWhole: Bool
  let isDate: Bool

  /// Begins without values, between the least and the greatest that are allowed.
  init(_ lower: Double, _ upper: Double, isWhole: Bool, isDate: Bool) {
    (self.lower, self.upper, self.isWhole, self.isDate) = (lower, upper, isWhole, isDate)
  }

  /// Takes a value in.
  mutating func add(_ value: Double) {
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// Takes in the values of another attribute that is shifted with this one.
  mutating func merge(_ other: NumberBounds) {
    (least, greatest) = (min(least, other.least), max(greatest, other.greatest))
    (lower, upper) = (max(lower, other.lower), min(upper, other.upper))
  }

  /// The shift that a hash chooses.
  func shift(_ hash: UInt64) -> NumberShift {
    guard least <= greatest else { return NumberShift(amount: 0, ring: nil) }
    // Numbers that are never negative stay so.
    let floor = least >= 0 && !isDate ? max(lower, 0) : lower
    let (low, high) = (min(floor, least), max(upper, greatest))
    let wanted = isDate ? 63_072_000 : min(max(1000, greatest - least), 1e9)
    let (down, up) = (max(low - least, -wanted), min(high - greatest, wanted))
    let share = Double(hash >> 11) / Double(1 << 53)
    var amount = down + share * (up - down)
    if isWhole || up - down > 4 { amount.round(.towardZero) }
    if amount == 0 { amount = up >= 1 ? 1 : down <= -1 ? -1 : up - down > 0 && !isWhole ? (up > 0 ? up : down) / 2 : 0 }
    if amount != 0 { return NumberShift(amount: amount, ring: nil) }
    // The values fill all that is allowed: each becomes another of them.
    let count = high - low + (isWhole ? 1 : 0)
    guard count > 0, count < 1e15 else { return NumberShift(amount: 0, ring: nil) }
    let turn = isWhole ? (1 + share * (count - 1)).rounded(.down) : count * (0.25 + share / 2)
    return NumberShift(amount: turn, ring: low..<(low + count))
  }
}
