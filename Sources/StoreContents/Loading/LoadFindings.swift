import ModelFiles

/// Collects what is wrong: the first findings as they are, of the others only how many they are.
struct LoadFindings {
  /// The most findings that are listed.
  static let listed = 100
  /// The most findings of one kind that are looked for.
  static let sought = 10_000

  private var first: [LoadFinding] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }
  /// True when there are so many that looking for more helps nobody.
  var isFull: Bool { count >= Self.sought }

  mutating func add(_ cause: LoadFinding.Cause, at location: SourceLocation) {
    count += 1
    if first.count < Self.listed { first.append(LoadFinding(cause, at: location)) }
  }

  /// - Throws: ``LoadError/findings(_:more:)`` when anything is wrong.
  func end() throws(LoadError) {
    guard count > 0 else { return }
    throw .findings(first.sorted { $0.location < $1.location }, more: count - first.count)
  }
}
