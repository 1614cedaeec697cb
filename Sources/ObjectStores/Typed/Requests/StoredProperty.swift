import MappingModels
import ModelDescription

/// An attribute of the requested objects, or of an object that their relationships point to.
///
/// A comparison has the same meaning as in the text of a predicate. For an object without a value it is unknown, and
/// such objects are not in the result. To find objects without a note as well, use `$0.note != "x" || $0.note == nil`.
public struct StoredProperty<Value: StoredValue>: Sendable {
  let path: StoredPath

  /// Names an attribute.
  public init(_ path: StoredPath, _ name: String) { self.path = path.appending(name) }

  init(at path: StoredPath) { self.path = path }

  private func compared(
    _ operation: ExpressionComparison.Operator, _ value: ValueExpression, _ options: TextComparison = []
  ) -> ObjectCondition {
    ObjectCondition(
      .comparison(
        ExpressionComparison(
          path.expression, operation, value, ignoresCase: options.contains(.caseInsensitive),
          ignoresDiacritics: options.contains(.diacriticInsensitive))))
  }

  private static func constant(_ value: Value?) -> ValueExpression { value.map { .constant($0.storedValue) } ?? .null }

  /// True for objects with this value, or without a value for nil.
  public static func == (property: Self, value: Value?) -> ObjectCondition {
    property.compared(.equal, constant(value))
  }

  /// True for objects with a different value, or with a value for nil.
  public static func != (property: Self, value: Value?) -> ObjectCondition {
    property.compared(.notEqual, constant(value))
  }

  /// True for objects with a smaller value.
  public static func < (property: Self, value: Value) -> ObjectCondition { property.compared(.less, constant(value)) }

  /// True for objects with this value or a smaller value.
  public static func <= (property: Self, value: Value) -> ObjectCondition {
    property.compared(.lessOrEqual, constant(value))
  }

  /// True for objects with a greater value.
  public static func > (property: Self, value: Value) -> ObjectCondition {
    property.compared(.greater, constant(value))
  }

  /// True for objects with this value or a greater value.
  public static func >= (property: Self, value: Value) -> ObjectCondition {
    property.compared(.greaterOrEqual, constant(value))
  }

  /// True for objects with the same value in both.
  public static func == (property: Self, other: Self) -> ObjectCondition {
    property.compared(.equal, other.path.expression)
  }

  /// True for objects with different values.
  public static func != (property: Self, other: Self) -> ObjectCondition {
    property.compared(.notEqual, other.path.expression)
  }

  /// True for objects with less in the first.
  public static func < (property: Self, other: Self) -> ObjectCondition {
    property.compared(.less, other.path.expression)
  }

  /// True for objects with at most as much in the first.
  public static func <= (property: Self, other: Self) -> ObjectCondition {
    property.compared(.lessOrEqual, other.path.expression)
  }

  /// True for objects with more in the first.
  public static func > (property: Self, other: Self) -> ObjectCondition {
    property.compared(.greater, other.path.expression)
  }

  /// True for objects with at least as much in the first.
  public static func >= (property: Self, other: Self) -> ObjectCondition {
    property.compared(.greaterOrEqual, other.path.expression)
  }

  /// True for objects with one of these values, like `IN`.
  public func isIn(_ values: some Sequence<Value>) -> ObjectCondition {
    compared(.isIn, .collection(values.map { .constant($0.storedValue) }))
  }

  /// True for objects with a value from the least to the greatest of these, as `BETWEEN`.
  public func isBetween(_ least: Value, _ greatest: Value) -> ObjectCondition {
    compared(.between, .collection([.constant(least.storedValue), .constant(greatest.storedValue)]))
  }
}

/// How texts are compared.
public struct TextComparison: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates options from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case are the same: `[c]`.
  public static let caseInsensitive = TextComparison(rawValue: 1)
  /// Letters with and without accents are the same: `[d]`.
  public static let diacriticInsensitive = TextComparison(rawValue: 2)
}

extension StoredProperty where Value == String {
  private func compared(
    with text: String, _ operation: ExpressionComparison.Operator, _ options: TextComparison
  ) -> ObjectCondition {
    compared(operation, .constant(.string(text)), options)
  }

  /// True for objects with this text.
  public func equals(_ text: String, _ options: TextComparison) -> ObjectCondition {
    compared(with: text, .equal, options)
  }

  /// True for objects whose text contains this text.
  public func contains(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .contains, options)
  }

  /// True for objects whose text begins with this text; without options, an index can be used.
  public func hasPrefix(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .beginsWith, options)
  }

  /// True for objects whose text ends with this text.
  public func hasSuffix(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .endsWith, options)
  }

  /// True for objects whose complete text matches a pattern, in which `*` matches any text and `?` one character.
  public func isLike(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: pattern, .like, options)
  }

  /// True for objects whose complete text matches a regular expression.
  public func matches(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: pattern, .matches, options)
  }
}

/// The properties of a type or a composite attribute that requests can use.
public protocol StoredProperties: Sendable {
  /// Creates the properties at a path.
  init(_ path: StoredPath)
}

/// The keys from an object to a different object or to a value.
public struct StoredPath: Hashable, Sendable {
  /// The start of the path: the requested object, or a member of one of its relationships.
  private let base: ValueExpression
  let keys: [String]
  /// The number of relationships around the object whose members are checked.
  let depth: Int

  /// The requested object.
  static let object = StoredPath(.selfObject, [], depth: 0)

  private init(_ base: ValueExpression, _ keys: [String], depth: Int) {
    (self.base, self.keys, self.depth) = (base, keys, depth)
  }

  /// The path with a different key.
  public func appending(_ key: String) -> StoredPath { StoredPath(base, keys + [key], depth: depth) }

  /// A member of the relationship at the path, and the variable for it.
  var member: (path: StoredPath, variable: String) {
    let variable = "member\(depth + 1)"
    return (StoredPath(.variable(variable), [], depth: depth + 1), variable)
  }

  var expression: ValueExpression { keys.isEmpty ? base : .keyPath(keys, of: base) }

  var text: String { keys.joined(separator: ".") }
}
