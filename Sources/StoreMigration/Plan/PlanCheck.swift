public import MigrationSQL

/// A question to the rows that must find none before anything is written.
public struct PlanCheck: Hashable, Sendable {
  /// What stands in the way when the question finds rows.
  public var blocker: Blocker
  /// Selects the `Z_PK` of every row in the way, in ascending order.
  public var query: SQLStatement

  /// True when a unique index of the result refuses such rows, so that they are looked for only when it does.
  var isEnforced = false
  /// True when the question reads what steps of the plan have gathered, which only their own connection sees.
  var readsGathered = false
  /// The rows that the question is asked of and the condition it asks for, where it is one row at a time.
  var scan: Scan?

  /// Makes a check.
  public init(blocker: Blocker, query: SQLStatement) {
    self.blocker = blocker
    self.query = query
  }

  /// Makes a check of single rows.
  init(blocker: Blocker, of rows: SQLStatement, where condition: SQLStatement, query: SQLStatement) {
    self.init(blocker: blocker, query: query)
    scan = Scan(rows: rows, condition: condition)
  }

  /// Questions to the same rows, which one pass answers as long as none of them finds any.
  struct Scan: Hashable, Sendable {
    /// What stands after `FROM`.
    var rows: SQLStatement
    /// Holds for a row in the way.
    var condition: SQLStatement
  }
}
