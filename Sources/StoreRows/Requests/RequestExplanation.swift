/// How SQLite answers a request: the statement, and the steps that it takes.
public struct RequestExplanation: Hashable, Sendable {
  /// A step of SQLite's query plan.
  public struct Step: Hashable, Sendable {
    /// Its number.
    public let number: Int
    /// The step that it is a part of; nil for one that stands by itself.
    public let parent: Int?
    /// What it does, in SQLite's words, such as `SEARCH o USING INTEGER PRIMARY KEY (rowid=?)`.
    public let detail: String
  }

  /// The statement with its values written in; what runs has them as bound values.
  public let sql: String
  /// The steps in their order.
  public let steps: [Step]
}
