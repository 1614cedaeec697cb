public import ModelDescription

/// Where a destination attribute's value comes from and what happens to it on the way.
public struct AttributeMapping: Hashable, Sendable {
  /// The value's beginning.
  public enum Origin: Hashable, Sendable {
    /// The source attribute of this leaf path.
    case source(String)
    /// The same value in every row; nil leaves it empty.
    case constant(AttributeValue?)
    /// Computed anew in every row, from the properties of the destination.
    case derived(Derivation)
  }

  /// One thing that happens to the value, in the order of the versions on the way.
  public enum Step: Hashable, Sendable {
    /// The value becomes one of another type.
    case convert(from: AttributeType, to: AttributeType)
    /// An empty value becomes this one.
    case replaceNil(AttributeValue)
    /// Values move into or out of the form that external storage needs.
    case externalStorage(allowed: Bool)
  }

  /// The value's beginning.
  public var origin: Origin
  /// What happens to it, first thing first.
  public var steps: [Step]

  /// Makes an attribute mapping.
  public init(origin: Origin, steps: [Step] = []) { (self.origin, self.steps) = (origin, steps) }

  /// The expression that gives the same value in a written mapping, whose values take the attribute's type by themselves;
  /// nil leaves the attribute at its default.
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
