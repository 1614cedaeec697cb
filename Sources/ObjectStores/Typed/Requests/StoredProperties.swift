import MappingModels

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

  /// The keys as text, for sort keys.
  var text: String { keys.joined(separator: ".") }
}
