import ModelDescription

/// The smallest part of an expression's text.
struct ExpressionToken: Hashable, Sendable {
  /// What it is.
  enum Kind: Hashable, Sendable {
    case number(AttributeValue)
    case string(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    /// A word, a key or a selector; escaped by `#` it is never a keyword.
    case name(String, isEscaped: Bool)
    case symbol(String)
    /// `%@`, or `%K` for a key path, which an argument stands for.
    case argument(isKey: Bool)
    case end
  }

  /// What it is.
  let kind: Kind
  /// Where it begins, in Unicode scalars.
  let offset: Int

  /// The keyword that the word is, whatever its case.
  var keyword: ExpressionKeyword? {
    guard case .name(let name, isEscaped: false) = kind else { return nil }
    return ExpressionKeyword(rawValue: name.uppercased())
  }

  /// The token in a message.
  var shown: String {
    switch kind {
    case .number(.integer(let value)): "\(value)"
    case .number(.double(let value)): "\(value)"
    case .number: "a number"
    case .string(let text): "the string “\(text.prefix(40))”"
    case .variable(let name): "“$\(name)”"
    case .name(let name, _): "“\(name)”"
    case .symbol(let text): "“\(text)”"
    case .argument(let isKey): isKey ? "%K" : "%@"
    case .end: "the end"
    }
  }
}
