/// How a plan is run so that a crash leaves the old store or the new one, whole.
public enum MigrationStrategy: String, Hashable, Sendable, CaseIterable {
  /// In the store itself, in one transaction.
  case inPlace = "in place"
  /// In a copy that then takes the store's place; the original is the backup.
  case clone = "clone and swap"
}
