public import ModelDescription

/// The type of the result of an expression of a mapping.
public enum ExpressionType: Hashable, Sendable {
  /// No value.
  case null
  /// A value of an attribute's type.
  case value(AttributeType)
  /// True or false, as a comparison gives it.
  case truth
  /// One source object, or nil.
  case object(entity: String)
  /// Source objects, each once.
  case objects(entity: String, isOrdered: Bool)
  /// Collections of source objects, as a to-many relationship of several objects gives them.
  case nested(entity: String)
  /// Values of a single type; the type is undefined if the collection is empty.
  case values(AttributeType)
  /// Objects of the destination; the entity is nil if the mapping does not define it.
  case destinationObjects(entity: String?)
  /// The result of a policy, which no model defines.
  case unknown

  /// True for a collection, which is not a single value.
  public var isCollection: Bool {
    switch self {
    case .objects, .nested, .values, .destinationObjects: true
    case .null, .value, .truth, .object, .unknown: false
    }
  }

  /// True for an operand of arithmetic: a number, a Boolean, no value, or the result of a policy.
  public var isNumber: Bool {
    switch self {
    case .value(let type): type.isNumeric || type == .boolean
    case .truth, .null, .unknown: true
    default: false
    }
  }

  /// True for a number without a fraction.
  public var isWholeNumber: Bool {
    switch self {
    case .value(.integer16), .value(.integer32), .value(.integer64), .value(.boolean), .truth: true
    default: false
    }
  }

  /// True for a text, no value, or the result of a policy.
  public var isText: Bool { isOneOf(.string) }

  /// True for a value of these types, no value, or the result of a policy.
  func isOneOf(_ types: AttributeType...) -> Bool {
    switch self {
    case .value(let type): types.contains(type)
    case .null, .unknown: true
    default: false
    }
  }
}

extension ExpressionType: CustomStringConvertible {
  /// The type in words, such as `an object of Order`.
  public var description: String {
    switch self {
    case .null: "no value"
    case .value(let type): "a value of type \(type.name)"
    case .truth: "a truth value"
    case .object(let entity): "an object of \(entity)"
    case .objects(let entity, _): "several objects of \(entity)"
    case .nested(let entity): "collections of objects of \(entity)"
    case .values(.undefined): "an empty collection"
    case .values(let type): "several values of type \(type.name)"
    case .destinationObjects(let entity): "objects of the destination\(entity.map { "'s \($0)" } ?? "")"
    case .unknown: "the result of a policy"
    }
  }
}
