public import MappingModels
public import MigrationSQL

/// Data that a plan gives up, with the question that tells whether there is any.
public struct PlannedLoss: Hashable, Sendable {
  /// What is lost and by which name consent is given.
  public var loss: DataLoss
  /// Counts the values, links or rows that go.
  public var countQuery: SQLStatement

  /// True when the option that makes the loss is the consent to it.
  var isImplied = false

  /// Makes a planned loss.
  public init(loss: DataLoss, countQuery: SQLStatement) {
    self.loss = loss
    self.countQuery = countQuery
  }
}
