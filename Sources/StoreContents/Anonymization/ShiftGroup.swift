/// The attributes whose numbers are moved by one amount, which keeps those of each within its own limits.
struct ShiftGroup {
  /// An attribute of the group.
  struct Member {
    var bounds: NumberBounds
    /// The rule that put it here; nil where none did.
    let rule: ResolvedRule?
  }

  private(set) var members: [Member] = []

  /// Takes an attribute in.
  ///
  /// - Returns: its place among the members.
  mutating func add(_ member: Member) -> Int {
    members.append(member)
    return members.count - 1
  }

  /// Takes in a value of a member.
  mutating func add(_ value: Double, to member: Int) { members[member].bounds.add(value) }

  /// The shift that a hash chooses.
  ///
  /// - Throws: ``AnonymizationError/noShift(path:line:names:)`` for members that can be moved by no common amount.
  func shift(_ hash: UInt64) throws(AnonymizationError) -> NumberShift {
    let moved = members.filter { !$0.bounds.isEmpty }
    let all = moved.map(\.bounds)
    guard let first = all.first else { return NumberShift(amount: 0, ring: nil) }
    let least = all.reduce(first.least) { min($0, $1.least) }
    let greatest = all.reduce(first.greatest) { max($0, $1.greatest) }
    let isWhole = all.contains(where: \.isWhole)
    // Numbers that are never negative stay so.
    let floor = least >= 0 && !first.isDate ? 0 : -Double.infinity
    let wanted = first.isDate ? 63_072_000 : min(max(1000, greatest - least), 1e9)
    let down = all.reduce(-wanted) { max($0, min(max($1.lower, floor), $1.least) - $1.least) }
    let up = all.reduce(wanted) { min($0, max($1.upper, $1.greatest) - $1.greatest) }
    let share = Double(hash >> 11) / Double(1 << 53)
    var amount = down + share * (up - down)
    if isWhole || up - down > 4 { amount.round(.towardZero) }
    if amount == 0 { amount = up >= 1 ? 1 : down <= -1 ? -1 : up - down > 0 && !isWhole ? (up > 0 ? up : down) / 2 : 0 }
    if amount != 0 { return NumberShift(amount: amount, ring: nil) }
    if all.contains(where: { ($0.lower, $0.upper) != (first.lower, first.upper) }), let rule = moved.last?.rule {
      throw .noShift(path: rule.path, line: rule.line, names: moved.compactMap(\.rule?.name))
    }
    // The values fill all that is allowed: each becomes another of them.
    let (low, high) = (min(max(first.lower, floor), least), max(first.upper, greatest))
    let count = high - low + (isWhole ? 1 : 0)
    guard count > 0, count < 1e15 else { return NumberShift(amount: 0, ring: nil) }
    let turn = isWhole ? (1 + share * (count - 1)).rounded(.down) : count * (0.25 + share / 2)
    return NumberShift(amount: turn, ring: low..<(low + count))
  }
}
