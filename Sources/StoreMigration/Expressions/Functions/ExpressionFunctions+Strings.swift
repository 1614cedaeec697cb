import GRDB

extension ExpressionFunctions {
  /// `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE` and `MATCHES`: false when either side is missing.
  ///
  /// The third argument holds the options, 1 for `[c]` and 2 for `[d]`. Without them texts are compared unit by unit.
  static func addStringFunctions(to database: Database) {
    compare("modelctl_begins", in: database) { $0.utf8.starts(with: $1.utf8) }
    compare("modelctl_ends", in: database) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    compare("modelctl_contains", in: database) { $0.containsUnits(of: $1) }
    compare("modelctl_like", in: database) { WildcardPattern($1).matches($0) }
    let expressions = RegularExpressions()
    add("modelctl_matches", 6, to: database) { values in
      guard let text = values[0].text, let pattern = values[1].text else { return 0 }
      let collation = StringCollation(flags: Int.fromDatabaseValue(values[2]) ?? 0)
      do {
        return try expressions.matches(text, pattern, collation) ? 1 : 0
      } catch {
        throw RowPlace(values[3...]).failure("\(error)")
      }
    }
  }

  private static func compare(
    _ name: String, in database: Database, _ isTrue: @escaping @Sendable (String, String) -> Bool
  ) {
    add(name, 3, to: database) { values in
      guard let text = values[0].text, let other = values[1].text else { return 0 }
      let collation = StringCollation(flags: Int.fromDatabaseValue(values[2]) ?? 0)
      return isTrue(collation.folded(text), collation.folded(other)) ? 1 : 0
    }
  }
}

extension String {
  /// True when the other text stands in this one, unit by unit.
  fileprivate func containsUnits(of other: String) -> Bool {
    let wanted = Array(other.utf8)
    guard let first = wanted.first else { return true }
    let units = Array(utf8)
    guard units.count >= wanted.count else { return false }
    for start in 0...(units.count - wanted.count) where units[start] == first {
      if units[start..<(start + wanted.count)] == wanted[...] { return true }
    }
    return false
  }
}
