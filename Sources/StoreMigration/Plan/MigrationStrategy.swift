/// How a plan is run so that a crash leaves the old store or the new one, whole.
public enum MigrationStrategy: String, Hashable, Sendable, CaseIterable, Encodable {
  /// In the store itself, in one transaction.
  case inPlace = "in place"
  /// In a copy that then takes the store's place; the original is the backup.
  case clone = "clone and swap"
}

/// Why a plan is run in place or in a copy.
public enum StrategyReason: Hashable, Sendable {
  case asked
  /// No step depends on the number of rows.
  case noRowsTouched
  case fewRowsTouched(Int)
  case manyRowsTouched(Int)
  /// A mapping model makes every row anew.
  case rowsMadeAnew
  /// Each of several stages is checked before the next.
  case severalStages(Int)
}
