extension Attribute where Kind: ValuedAttributeKind {
  /// Describes an attribute that new objects have a value of.
  ///
  /// - Parameters:
  ///   - name: the attribute's name, unique in its entity.
  ///   - kind: the type of its values.
  ///   - value: the value of new objects, or nil for none.
  public init(_ name: String, _ kind: Kind, default value: Kind.Value?) {
    self.init(name, kind)
    attribute.defaultValue = value.map { Kind.attributeValue($0) }
  }
}

extension Attribute where Kind: BoundedAttributeKind {
  /// Lets nothing less be saved.
  public func minimum(_ value: Kind.Value?) -> Self {
    with { $0.validation.minimum = value.map { Kind.attributeValue($0) } }
  }

  /// Lets nothing greater be saved.
  public func maximum(_ value: Kind.Value?) -> Self {
    with { $0.validation.maximum = value.map { Kind.attributeValue($0) } }
  }
}

extension Attribute where Kind == StringKind {
  /// Lets no text of fewer characters be saved.
  public func minimumLength(_ length: Int) -> Self {
    with { $0.validation.minimum = .integer(Int64(clamping: length)) }
  }

  /// Lets no text of more characters be saved.
  public func maximumLength(_ length: Int) -> Self {
    with { $0.validation.maximum = .integer(Int64(clamping: length)) }
  }

  /// Lets only texts be saved that match an expression.
  public func regularExpression(_ expression: String) -> Self {
    with { $0.validation.regularExpression = expression }
  }
}
