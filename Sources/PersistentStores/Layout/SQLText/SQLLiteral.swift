/// A constant inside a statement that takes no bindings, such as the condition of a partial index.
enum SQLLiteral: Hashable {
  case integer(Int64)
  case real(Double)
  case text(String)

  /// The constant as SQL text.
  var sql: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value):
      "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    }
  }
}
