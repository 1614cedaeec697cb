import MappingModels
import ModelDescription
import StoreRows

/// A to-one relationship of the requested objects, with the properties of its destination object.
@dynamicMemberLookup
public struct StoredToOne<Object: StoredObject>: Sendable {
  let path: StoredPath

  /// Names a relationship.
  public init(_ path: StoredPath, _ name: String) { self.path = path.appending(name) }

  /// A property of the object at the end.
  public subscript<Property>(dynamicMember property: KeyPath<Object.Properties, Property>) -> Property {
    Object.Properties(path)[keyPath: property]
  }

  /// True for objects that refer to this object, or to no object for nil.
  public static func == (relationship: Self, id: ObjectID<Object>?) -> ObjectCondition {
    relationship.compared(.equal, id)
  }

  /// True for objects that refer to a different object, or to any object for nil.
  public static func != (relationship: Self, id: ObjectID<Object>?) -> ObjectCondition {
    relationship.compared(.notEqual, id)
  }

  private func compared(_ operation: ExpressionComparison.Operator, _ id: ObjectID<Object>?) -> ObjectCondition {
    let other = id.map { ValueExpression.object(entity: $0.record.entity, key: $0.record.key) } ?? .null
    return ObjectCondition(.comparison(ExpressionComparison(path.expression, operation, other)), stores: id.stores)
  }
}

/// A to-many relationship of the requested objects.
public struct StoredToMany<Object: StoredObject>: Sendable {
  let path: StoredPath

  /// Names a relationship.
  public init(_ path: StoredPath, _ name: String) { self.path = path.appending(name) }

  /// How many objects there are.
  public var count: StoredProperty<Int64> { StoredProperty(path, "@count") }

  /// True for objects without objects in this relationship.
  public var isEmpty: ObjectCondition { count == 0 }

  /// The sum over the objects.
  public func sum<Value>(_ property: KeyPath<Object.Properties, StoredProperty<Value>>) -> StoredProperty<Value> {
    let inner = Object.Properties(path.appending("@sum"))[keyPath: property]
    return StoredProperty(at: inner.path)
  }

  /// True for objects with at least one destination object that meets a condition, like `SUBQUERY`.
  public func contains(where condition: (Object.Properties) -> ObjectCondition) -> ObjectCondition {
    let (member, variable) = path.member
    let inner = condition(Object.Properties(member))
    let found = ValueExpression.subquery(of: path.expression, variable: variable, where: inner.expression)
    return ObjectCondition(
      .comparison(
        ExpressionComparison(.keyPath(["@count"], of: found), .greater, .constant(.integer(0)))), stores: inner.stores)
  }
}
