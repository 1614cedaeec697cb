public import MappingModels
public import ModelDescription

/// A question to the rows that must find none before anything is written.
public struct PlanCheck: Hashable, Sendable {
  /// What stands in the way when the question finds rows.
  public var obstacle: Obstacle
  /// Selects the `Z_PK` of every row in the way, in ascending order.
  public var query: SQLStatement

  /// True when a unique index of the result refuses such rows, so that they are looked for only when it does.
  var isEnforced = false
  /// True when the question reads what steps of the plan have gathered, which only their own connection sees.
  var readsGathered = false
  /// The rows that the question is asked of and the condition it asks for, where it is one row at a time.
  var scan: Scan?

  /// Makes a check.
  public init(obstacle: Obstacle, query: SQLStatement) {
    self.obstacle = obstacle
    self.query = query
  }

  /// Makes a check of single rows.
  init(obstacle: Obstacle, of rows: SQLStatement, where condition: SQLStatement, query: SQLStatement) {
    self.init(obstacle: obstacle, query: query)
    scan = Scan(rows: rows, condition: condition)
  }

  /// Questions to the same rows, which one pass answers as long as none of them finds any.
  struct Scan: Hashable, Sendable {
    /// What stands after `FROM`.
    var rows: SQLStatement
    /// Holds for a row in the way.
    var condition: SQLStatement
  }

  /// What stands in the way, in Core Data's words and ours.
  public struct Obstacle: Hashable, Sendable {
    /// The entity or property of the destination model.
    public var element: ModelElement
    /// What Core Data would end with, nil where it would carry on and lose something.
    public var code: CoreDataError?
    /// Core Data's own wording, or ours where it has none.
    public var reason: String
    /// What it means, in our words.
    public var explanation: String
    /// The option that would let the migration run.
    public var remedy: String?

    /// Makes an obstacle.
    public init(element: ModelElement, code: CoreDataError?, reason: String, explanation: String, remedy: String?) {
      self.element = element
      self.code = code
      self.reason = reason
      self.explanation = explanation
      self.remedy = remedy
    }
  }
}
