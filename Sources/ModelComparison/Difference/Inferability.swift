public import ModelDescription

/// Whether Core Data infers a migration across a change.
public enum Inferability: Hashable, Sendable {
  /// It infers it.
  case inferable
  /// It refuses.
  case notInferable(Refusal)
  /// It infers it, and the rows decide whether it runs.
  case dependsOnRows(Condition)
  /// The change makes no new version, so nothing migrates.
  case noMigration

  /// Why Core Data refuses.
  public enum Refusal: Hashable, Sendable {
    /// No value of the one type becomes one of the other.
    case incompatibleTypes
    /// Rows of several root entities would share a table.
    case mergedRootEntities
  }

  /// What must hold for the rows of a store.
  public enum Condition: Hashable, Sendable {
    case entityHasNoRows
    case noRowOfExactlyThisEntity
    case noRowsOfEqualValues
    case everyRowHasValue
    case everyRowHasLink
    case everyValueFits(AttributeType)
    case noObjectLinkedWithSeveral
    case noObjectLinkedFromSeveral
  }
}
