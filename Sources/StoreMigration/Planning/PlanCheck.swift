public import ModelDescription

/// A question to the rows that must find none before anything is written.
public struct PlanCheck: Hashable, Sendable {
  /// What stands in the way when the question finds rows.
  public var obstacle: Obstacle
  /// Selects the `Z_PK` of every row in the way, in ascending order.
  public var query: SQLStatement

  /// Makes a check.
  public init(obstacle: Obstacle, query: SQLStatement) {
    self.obstacle = obstacle
    self.query = query
  }

  /// What stands in the way, in Core Data's words and ours.
  public struct Obstacle: Hashable, Sendable {
    /// The entity or property of the destination model.
    public var element: ModelElement
    /// The Cocoa error code Core Data would end with, nil where it would carry on and lose something.
    public var code: Int?
    /// Core Data's own wording, or ours where it has none.
    public var reason: String
    /// What it means, in our words.
    public var explanation: String
    /// The option that would let the migration run.
    public var remedy: String?

    /// Makes an obstacle.
    public init(element: ModelElement, code: Int?, reason: String, explanation: String, remedy: String?) {
      self.element = element
      self.code = code
      self.reason = reason
      self.explanation = explanation
      self.remedy = remedy
    }
  }
}
