public import Foundation
public import MappingModels
public import ModelDescription

/// A value for a `%@` in the text of a predicate, or for a variable of a fetch request template.
///
/// It never becomes part of a text or of SQL: it becomes an expression, which SQLite gets as a bound value.
public protocol PredicateArgument {
  /// The value as an expression; nil if it cannot be compared.
  var predicateExpression: ValueExpression? { get }
}

extension AttributeValue: PredicateArgument {
  /// The value itself.
  public var predicateExpression: ValueExpression? { .constant(self) }
}

extension RecordID: PredicateArgument {
  /// The object.
  public var predicateExpression: ValueExpression? { .object(entity: entity, key: key) }
}

extension RecordValue: PredicateArgument {
  /// The value of an attribute, an object, several objects, or null; nil for anything else.
  public var predicateExpression: ValueExpression? {
    switch self {
    case .null: .null
    case .attribute(let value): .constant(value)
    case .object(let id): id.predicateExpression
    case .objects(let ids): ids.predicateExpression
    case .transformed, .external, .composite: nil
    }
  }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  /// A list, as for `IN`.
  public var predicateExpression: ValueExpression? {
    let members = compactMap(\.predicateExpression)
    return members.count == count ? .collection(members) : nil
  }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The value, or null.
  public var predicateExpression: ValueExpression? {
    guard let self else { return .null }
    return self.predicateExpression
  }
}

extension String: PredicateArgument {
  /// The text.
  public var predicateExpression: ValueExpression? { .constant(.string(self)) }
}

extension Bool: PredicateArgument {
  /// The truth value.
  public var predicateExpression: ValueExpression? { .constant(.boolean(self)) }
}

extension Int: PredicateArgument {
  /// The number.
  public var predicateExpression: ValueExpression? { .constant(.integer(Int64(self))) }
}

extension Int64: PredicateArgument {
  /// The number.
  public var predicateExpression: ValueExpression? { .constant(.integer(self)) }
}

extension Double: PredicateArgument {
  /// The number.
  public var predicateExpression: ValueExpression? { .constant(.double(self)) }
}

extension Decimal: PredicateArgument {
  /// The number.
  public var predicateExpression: ValueExpression? { .constant(.decimal(self)) }
}

extension Date: PredicateArgument {
  /// The moment.
  public var predicateExpression: ValueExpression? { .constant(.date(timeIntervalSinceReferenceDate)) }
}

extension UUID: PredicateArgument {
  /// The identifier.
  public var predicateExpression: ValueExpression? { .constant(.uuid(self)) }
}

extension URL: PredicateArgument {
  /// The address.
  public var predicateExpression: ValueExpression? { .constant(.uri(absoluteString)) }
}

extension Data: PredicateArgument {
  /// The bytes.
  public var predicateExpression: ValueExpression? { .constant(.binary(self)) }
}
