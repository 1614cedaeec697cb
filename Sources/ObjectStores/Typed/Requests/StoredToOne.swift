import MappingModels
import StoreRows

/// A to-one relationship of the objects that a request asks for; the properties of the object at its end are its own.
@dynamicMemberLookup
public struct StoredToOne<Object: StoredObject>: Sendable {
  let path: StoredPath

  /// Names a relationship.
  public init(_ path: StoredPath, _ name: String) { self.path = path.appending(name) }

  /// A property of the object at the end.
  public subscript<Property>(dynamicMember property: KeyPath<Object.Properties, Property>) -> Property {
    Object.Properties(path)[keyPath: property]
  }

  /// True for objects that lead to this one, or to none for nil.
  public static func == (relationship: Self, id: ObjectID<Object>?) -> ObjectCondition {
    relationship.compared(.equal, id)
  }

  /// True for objects that lead to another one, or to one for nil.
  public static func != (relationship: Self, id: ObjectID<Object>?) -> ObjectCondition {
    relationship.compared(.notEqual, id)
  }

  private func compared(_ operation: ExpressionComparison.Operator, _ id: ObjectID<Object>?) -> ObjectCondition {
    let other = id.map { ValueExpression.object(entity: $0.record.entity, key: $0.record.key) } ?? .null
    return ObjectCondition(
      .comparison(ExpressionComparison(path.expression, operation, other)), stores: id.stores)
  }
}
