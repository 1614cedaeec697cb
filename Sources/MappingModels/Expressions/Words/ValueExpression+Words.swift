extension ValueExpression {
  /// The expression in plain English that reads well aloud.
  ///
  /// `$source.firstName + ' ' + $source.lastName` is “source firstName, then a space, then source lastName”. The words
  /// are for people; ``formatted(quotes:)`` is what is read again.
  public var words: String { ExpressionWords.words(of: self) }
}
