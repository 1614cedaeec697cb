extension ValueExpression {
  /// The most levels that an expression which was read may have, so that walking it needs little of the stack.
  package static let depthLimit = 64

  /// The most Unicode scalars of a text that are read as an expression.
  package static let lengthLimit = 20_000
}
