import ModelDescription

/// A condition as somebody wrote it, so that a mistake in what it means has a place in the text.
package struct ConditionText: Hashable, Sendable {
  /// What was written.
  package let text: String
  private let arguments: [ValueExpression]
  private let variables: [String: ValueExpression]

  /// Keeps a text.
  ///
  /// - Parameters:
  ///   - text: what was written.
  ///   - arguments: what stands for each `%@` and `%K`.
  ///   - variables: what stands for variables that no `SUBQUERY` names.
  package init(
    _ text: String, arguments: [ValueExpression] = [], variables: [String: ValueExpression] = [:]
  ) {
    (self.text, self.arguments, self.variables) = (text, arguments, variables)
  }

  /// The condition with its arguments and variables.
  package func expression() throws(ExpressionSyntaxError) -> ValueExpression {
    var parser = try ExpressionParser(text, arguments: arguments, variables: variables)
    return try parser.parsed()
  }

  /// Where in the text a part stands that has no meaning.
  ///
  /// - Parameters:
  ///   - error: what the check found.
  ///   - typing: the check.
  /// - Returns: the place in Unicode scalars counted from 0; nil when the text has no such part.
  package func offset(of error: ExpressionTypeError, by typing: ExpressionTyping) -> Int? {
    guard var parser = try? ExpressionParser(text, arguments: arguments, variables: variables) else { return nil }
    var found: [Range<Int>] = []
    var subqueries: [(expression: ValueExpression, tokens: Range<Int>)] = []
    parser.note = { part, tokens in
      if case .subquery = part { subqueries.append((part, tokens)) }
      if part.shortText == error.expression { found.append(tokens) }
    }
    guard (try? parser.parsed()) != nil else { return nil }
    // The same words can stand in two SUBQUERYs, and mean something in one of them.
    let place = found.first { tokens in
      let around = subqueries.last {
        $0.tokens.lowerBound <= tokens.lowerBound && tokens.upperBound <= $0.tokens.upperBound
      }
      guard let around else { return true }
      do throws(ExpressionTypeError) {
        _ = try typing.type(of: around.expression)
        return false
      } catch let other {
        return other == error
      }
    }
    guard let place else { return nil }
    let named = parser.tokens[place].first { token in
      if case .name(let name, _) = token.kind { name == error.reason.key } else { false }
    }
    return named?.offset ?? parser.tokens[place.lowerBound].offset
  }
}

extension ExpressionTypeError.Reason {
  /// The key that is wrong, by which it is found among others of its key path.
  fileprivate var key: String? {
    switch self {
    case .unknownKey(let key, _, _), .transient(let key, _), .nestedCollection(let key), .unknownOperator(let key, _),
      .misplacedOperator(let key):
      key
    case .composite(let path, _): path.split(separator: ".").first.map(String.init)
    default: nil
    }
  }
}
