public import ModelDescription

/// The origin of a destination attribute's value, and the steps that change the value.
public struct AttributeMapping: Hashable, Sendable {
  /// The value's beginning.
  public enum Origin: Hashable, Sendable {
    /// The source attribute of this leaf path.
    case source(String)
    /// The same value in every row; nil leaves it empty.
    case constant(AttributeValue?)
    /// Computed again in every row, from the properties of the destination.
    case derived(Derivation)
  }

  /// A change of the value, in the order of the versions on the path.
  public enum Step: Hashable, Sendable {
    /// Converts the value to a different type.
    case convert(from: AttributeType, to: AttributeType)
    /// Replaces nil with a value.
    case replaceNil(AttributeValue)
    /// Moves values into or out of external storage.
    case externalStorage(allowed: Bool)
  }

  /// The value's beginning.
  public var origin: Origin
  /// The changes of the value, in order.
  public var steps: [Step]

  /// Creates an attribute mapping.
  public init(origin: Origin, steps: [Step] = []) { (self.origin, self.steps) = (origin, steps) }

  /// The expression that gives the same value in a custom mapping; nil leaves the attribute at its default.
  ///
  /// Custom mappings convert values to the attribute's type, so the expression has no casts.
  public var expression: ValueExpression? {
    switch origin {
    case .derived: return nil
    case .constant(let value): return value.map { .constant($0) } ?? .null
    case .source(let path):
      let value = ValueExpression.sourceValue(path.split(separator: ".").map(String.init))
      return steps.reduce(value) { value, step in
        guard case .replaceNil(let constant) = step else { return value }
        return .conditional(
          .comparison(ExpressionComparison(value, .equal, .null)), then: .constant(constant), else: value)
      }
    }
  }
}
