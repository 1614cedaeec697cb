extension CustomEntityMapping {
  /// The expression that fetches the source objects, nil for a mapping that adds an entity.
  ///
  /// Source: `NSEntityMapping.sourceExpression` as Xcode compiles it.
  public var sourceExpression: ValueExpression? {
    source.map { SourceFetch(entity: $0, predicate: filter?.description ?? "TRUEPREDICATE").expression }
  }
}
