/// Writes keys and the names of variables, escaped where they would be read as something else.
enum ExpressionName {
  /// A name after a dollar sign or a period.
  static func text(_ name: String, quotes: ValueExpression.Quotes) -> String {
    isPlain(name) ? name : "#" + quotes.text(name)
  }

  /// A key at the beginning of a path, where a keyword would be read as one.
  static func firstKey(_ key: String, quotes: ValueExpression.Quotes) -> String {
    ExpressionKeyword(rawValue: key.uppercased()) == nil ? text(key, quotes: quotes) : "#" + key
  }

  private static func isPlain(_ name: String) -> Bool {
    let isOperator = name.hasPrefix("@")
    let scalars = name.unicodeScalars.dropFirst(isOperator ? 1 : 0)
    guard let first = scalars.first, first.properties.isXIDStart || first == "_" else { return false }
    return scalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
  }
}
