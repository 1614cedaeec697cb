/// What a comparison with a missing value gives.
package enum PredicateLogic: Hashable, Sendable {
  /// True or false, as `NSPredicate` evaluates objects: `nil` equals `nil` and nothing else.
  case twoValued
  /// Nothing known, as in a fetch from an SQLite store: only a comparison with `nil` itself knows, and what is not known
  /// of an object leaves it out, behind `NOT` too.
  ///
  /// Source: what a fetch with `!=` leaves out, at https://douglashill.co/nspredicate-null-inequality/.
  case threeValued

  /// A comparison that SQL leaves NULL where a value is missing.
  func comparison(_ sql: SQLStatement) -> SQLStatement { self == .twoValued ? "COALESCE(\(sql), 0)" : "(\(sql))" }

  /// The flag that tells a function of texts to give NULL where a text is missing.
  package static let unknownFlag = 4

  /// What is added to the flags of a function of texts.
  var flags: Int { self == .twoValued ? 0 : Self.unknownFlag }
}
