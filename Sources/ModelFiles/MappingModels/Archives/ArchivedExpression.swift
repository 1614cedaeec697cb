public import MappingModels

/// An expression from a keyed archive: read, or kept with the reason why it cannot be.
///
/// A file with an expression of an unknown kind can still be looked at; only compiling it is refused.
public enum ArchivedExpression: Hashable, Sendable {
  case readable(ValueExpression)
  case unreadable(ArchivedExpressionError)
}
