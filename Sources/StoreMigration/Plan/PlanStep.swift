public import MigrationSQL

/// One statement of a plan with its reason and its price.
public struct PlanStep: Hashable, Sendable {
  /// How the time of a statement grows.
  public enum Cost: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Only the schema or one row changes; the time does not depend on the number of rows.
    case schema
    /// Rows are read or written; the time grows with them.
    case rows
  }

  /// What a step does.
  public enum Action: Hashable, Sendable {
    /// A statement runs.
    case sql(SQLStatement)
    /// Policies in code run, object by object.
    case policy(PolicyPass)
  }

  /// When a step is left out because it has nothing to do.
  struct Condition: Hashable, Sendable {
    /// Finds a row when the step has something to do.
    var question: SQLStatement
    /// True when the question has the same answer before anything is written.
    var asksOriginal = false
  }

  /// What is done.
  public var action: Action
  /// The change of the model, or of the store, that needs it.
  public var cause: PlanCause
  /// How its time grows.
  public var cost: Cost
  /// How many rows it touches at the most; 0 for a statement on the schema.
  public var rows: Int

  /// When the step is needed, nil for one that is run in any case.
  var runIf: Condition?
  /// What the statement does to rows of the store.
  var writing: Writing

  /// Makes a step.
  public init(_ statement: SQLStatement, cause: PlanCause, cost: Cost = .schema, rows: Int = 0) {
    action = .sql(statement)
    self.cause = cause
    self.cost = cost
    self.rows = rows
    writing = cost == .schema ? .nothing : .anything
  }

  /// Makes a step over rows that says what it does to them.
  init(_ statement: SQLStatement, cause: PlanCause, rows: Int, writing: Writing) {
    self.init(statement, cause: cause, cost: .rows, rows: rows)
    self.writing = writing
  }

  /// Makes a step that runs policies.
  init(_ pass: PolicyPass, rows: Int) {
    action = .policy(pass)
    cause = .policy(pass)
    cost = .rows
    self.rows = rows
    writing = .anything
  }
}
