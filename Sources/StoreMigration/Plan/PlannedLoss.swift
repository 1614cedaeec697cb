public import MappingModels
public import MigrationSQL

/// Data that a plan gives up, with the question that tells whether there is any.
public struct PlannedLoss: Hashable, Sendable {
  /// What is lost and by which name consent is given.
  public var loss: DataLoss
  /// Counts the values, links or rows that go.
  public var countQuery: SQLStatement

  /// True when what makes the loss is the consent to it: an option, or a mapping file that states it.
  var isImplied = false
}
