extension ValueExpression {
  /// The expression for a message, cut where it is long.
  package var shortText: String {
    let text = description
    return text.count > 160 ? text.prefix(160) + "…" : text
  }
}
