extension ValueExpression {
  /// The expression in plain English that reads well aloud.
  ///
  /// `$source.firstName + ' ' + $source.lastName` is “source firstName, then a space, then source lastName”. An
  /// expression in which operators stand in one another more than twice, or an OR of ANDs, is clearer in its
  /// notation and given so. The words are for people; ``formatted(quotes:)`` is what is read again.
  public var words: String {
    if madeObjects != nil { return ExpressionWords.words(of: self) }
    return operatorDepth > 2 || mixesConditions ? formatted(quotes: .single) : ExpressionWords.words(of: self)
  }

  private var operatorDepth: Int {
    let inner = parts.map(\.operatorDepth).max() ?? 0
    guard case .function(let selector, _) = self, FunctionWords.isInfix(selector), selector != "add:to:" else {
      return inner
    }
    return inner + 1
  }

  /// True for an OR of ANDs, whose grouping words do not tell.
  private var mixesConditions: Bool {
    let isGroup = { (part: ValueExpression) in if case .conjunction = part { true } else { false } }
    if case .disjunction(let parts) = self, parts.contains(where: isGroup) { return true }
    return parts.contains(where: \.mixesConditions)
  }
}
