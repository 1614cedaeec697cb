/// One statement of a plan with its reason and its price.
public struct PlanStep: Hashable, Sendable {
  /// How the time of a statement grows.
  public enum Cost: String, Hashable, Sendable, CaseIterable {
    /// Only the schema or one row changes; the time does not depend on the number of rows.
    case schema
    /// Rows are read or written; the time grows with them.
    case rows
  }

  /// The statement.
  public var statement: SQLStatement
  /// The change of the model, or of the store, that needs it.
  public var cause: String
  /// How its time grows.
  public var cost: Cost
  /// How many rows it touches at the most; 0 for a statement on the schema.
  public var rows: Int

  /// What policies in code do in place of a statement, which then is a comment.
  public var policyPass: PolicyPass?
  /// Finds a row when the statement has something to do; nil for one that is run in any case.
  var question: SQLStatement?
  /// True when the question has the same answer before anything is written.
  var asksOriginal = false
  /// What the statement does to rows of the store.
  var writing: Writing

  /// Makes a step.
  public init(_ statement: SQLStatement, cause: String, cost: Cost = .schema, rows: Int = 0) {
    self.statement = statement
    self.cause = cause
    self.cost = cost
    self.rows = rows
    writing = cost == .schema ? .nothing : .anything
  }

  /// Makes a step over rows that says what it does to them.
  init(_ statement: SQLStatement, cause: String, rows: Int, writing: Writing) {
    self.init(statement, cause: cause, cost: .rows, rows: rows)
    self.writing = writing
  }

  /// Makes a step that runs policies.
  init(_ pass: PolicyPass, rows: Int) {
    self.init(
      SQLStatement(verbatim: "-- \(pass.sentence.replacing("\n", with: " "))"), cause: pass.sentence, cost: .rows,
      rows: rows)
    policyPass = pass
  }
}
