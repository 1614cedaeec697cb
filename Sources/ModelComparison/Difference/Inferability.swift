/// Whether Core Data infers a migration across a change.
public enum Inferability: Hashable, Sendable {
  /// It infers it.
  case inferable
  /// It refuses; the reason is Core Data's wording.
  case notInferable(reason: String)
  /// It infers it, and the rows decide whether it runs.
  case dependsOnRows(condition: String)
  /// The change makes no new version, so nothing migrates.
  case noMigration
}
