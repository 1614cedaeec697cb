/// Why SQL in a mapping is not the value of a row.
public struct SQLSnippetError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    case empty
    case unclosed(String)
    case unbalanced
    case several
    case parameter(String)
    case unknownVariable(String)
    case missingArgument(Int, count: Int)
    case collection(String)
    case tooLong(limit: Int)
    case refused(String)
    case notReading
    case subselect
    case function(String)
  }

  /// The SQL as it was given.
  public var sql: String
  /// What is wrong.
  public var reason: Reason
}

extension SQLSnippetError: CustomStringConvertible {
  /// The SQL, the cause and what to write instead.
  public var description: String { "sql “\(sql.prefix(200))”: \(cause)" }

  private var cause: String {
    switch reason {
    case .empty: "there is nothing in it; write one SQL expression"
    case .unclosed(let mark): "a \(mark) is not closed"
    case .unbalanced: "its parentheses do not match"
    case .several: "it is more than one statement; write one SQL expression"
    case .parameter(let name): "\(name) is a parameter nobody gives a value; write $source.key, or a value"
    case .unknownVariable(let name):
      "there is no $\(name); write $source.key, or $1, $2 … in place of a policy's function"
    case .missingArgument(let number, let count): "$\(number) is not there; the function has \(count) arguments"
    case .collection(let name):
      "\(name) gives several values; take one with a collection operator, such as @count or @sum.key"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .refused(let message): "SQLite says: \(message)"
    case .subselect:
      """
      a sub-select would read tables while they are rebuilt; use a key path such as $source.rows.@sum.price
      """
    case .function(let name):
      "\(name)() is not for mappings; write an expression that only computes, and gives the same for the same row"
    case .notReading: "it does more than read the store; write one SQL expression that only reads"
    }
  }
}
