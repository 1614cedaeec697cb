/// What the values of an attribute are and may be.
struct NumberBounds {
  private(set) var least = Double.infinity
  private(set) var greatest = -Double.infinity
  private(set) var lower: Double
  private(set) var upper: Double
  let isWhole: Bool
  let isDate: Bool

  /// Begins without values, between the least and the greatest that are allowed.
  init(_ lower: Double, _ upper: Double, isWhole: Bool, isDate: Bool) {
    (self.lower, self.upper, self.isWhole, self.isDate) = (lower, upper, isWhole, isDate)
  }

  /// True before the first value.
  var isEmpty: Bool { least > greatest }

  /// Takes a value in.
  mutating func add(_ value: Double) {
    least = min(least, value)
    greatest = max(greatest, value)
  }

  /// Leaves what another declaration of the attribute allows, too.
  mutating func narrow(to other: NumberBounds) {
    (lower, upper) = (max(lower, other.lower), min(upper, other.upper))
  }
}
