public import ModelDescription

/// What an expression hands to a function of a policy.
public enum PolicyArgument: Hashable, Sendable {
  /// A value, nil for none.
  case value(AttributeValue?)
  /// Source objects: one, several, or none.
  case objects([SourceObject])

  /// The value; nil for none and for objects.
  public var value: AttributeValue? { if case .value(let value) = self { value } else { nil } }

  /// The first of the objects.
  public var object: SourceObject? { if case .objects(let objects) = self { objects.first } else { nil } }
}
