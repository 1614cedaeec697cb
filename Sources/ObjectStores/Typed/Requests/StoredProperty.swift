import MappingModels
import ModelDescription

/// An attribute of the objects that a request asks for, or of an object that their relationships lead to.
///
/// A comparison is what the same comparison in the text of a predicate is. With an object that has no value it is unknown, and
/// what is unknown is not in a result: `$0.note != "x" || $0.note == nil` finds those without a note as well.
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

  /// True for objects with this value, or without one for nil.
  public static func == (property: Self, value: Value?) -> ObjectCondition {
    property.compared(.equal, constant(value))
  }

  /// True for objects with another value, or with one for nil.
  public static func != (property: Self, value: Value?) -> ObjectCondition {
    property.compared(.notEqual, constant(value))
  }

  /// True for objects with a value below this one.
  public static func < (property: Self, value: Value) -> ObjectCondition { property.compared(.less, constant(value)) }

  /// True for objects with this value or one below it.
  public static func <= (property: Self, value: Value) -> ObjectCondition {
    property.compared(.lessOrEqual, constant(value))
  }

  /// True for objects with a value above this one.
  public static func > (property: Self, value: Value) -> ObjectCondition {
    property.compared(.greater, constant(value))
  }

  /// True for objects with this value or one above it.
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

  /// True for objects with one of these values, as `IN`.
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

  /// Makes options of bits.
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

  /// True for objects whose text has this one in it.
  public func contains(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .contains, options)
  }

  /// True for objects whose text begins with this one; an index serves where there are no options.
  public func hasPrefix(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .beginsWith, options)
  }

  /// True for objects whose text ends with this one.
  public func hasSuffix(_ text: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: text, .endsWith, options)
  }

  /// True for objects whose whole text is like a pattern, in which `*` stands for any text and `?` for one character.
  public func isLike(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: pattern, .like, options)
  }

  /// True for objects whose whole text matches a regular expression.
  public func matches(_ pattern: String, _ options: TextComparison = []) -> ObjectCondition {
    compared(with: pattern, .matches, options)
  }
}

/// What requests can say of the objects of a type, or of the elements of a composite one: a property for each name.
public protocol StoredProperties: Sendable {
  /// The properties of what a path leads to.
  init(_ path: StoredPath)
}

/// The keys that lead from an object to another, or to a value.
public struct StoredPath: Hashable, Sendable {
  /// What the keys begin at: the object that is asked about, or a member of one of its relationships.
  private let base: ValueExpression
  let keys: [String]
  /// In how many relationships the object stands whose members are asked.
  let depth: Int

  /// The object that is asked about.
  static let object = StoredPath(.selfObject, [], depth: 0)

  private init(_ base: ValueExpression, _ keys: [String], depth: Int) {
    (self.base, self.keys, self.depth) = (base, keys, depth)
  }

  /// The path that one more key leads to.
  public func appending(_ key: String) -> StoredPath { StoredPath(base, keys + [key], depth: depth) }

  /// A member of the relationship that the path leads to, and the variable that stands for it.
  var member: (path: StoredPath, variable: String) {
    let variable = "member\(depth + 1)"
    return (StoredPath(.variable(variable), [], depth: depth + 1), variable)
  }

  var expression: ValueExpression { keys.isEmpty ? base : .keyPath(keys, of: base) }

  var text: String { keys.joined(separator: ".") }
}
