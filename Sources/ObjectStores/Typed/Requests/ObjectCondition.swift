public import MappingModels

/// A condition that properties were compared in: the same tree as the text of a predicate gives.
public struct ObjectCondition: Sendable {
  /// The condition.
  public let expression: ValueExpression
  /// The UUIDs of the stores whose objects are named.
  let stores: Set<String>

  init(_ expression: ValueExpression, stores: Set<String> = []) {
    (self.expression, self.stores) = (expression, stores)
  }

  /// True when both are.
  public static func && (first: ObjectCondition, second: ObjectCondition) -> ObjectCondition {
    var parts = [second.expression]
    if case .conjunction(let others) = first.expression {
      parts = others + parts
    } else {
      parts.insert(first.expression, at: 0)
    }
    return ObjectCondition(.conjunction(parts), stores: first.stores.union(second.stores))
  }

  /// True when one is.
  public static func || (first: ObjectCondition, second: ObjectCondition) -> ObjectCondition {
    var parts = [second.expression]
    if case .disjunction(let others) = first.expression {
      parts = others + parts
    } else {
      parts.insert(first.expression, at: 0)
    }
    return ObjectCondition(.disjunction(parts), stores: first.stores.union(second.stores))
  }

  /// True when it is not; what is unknown stays unknown.
  public static prefix func ! (condition: ObjectCondition) -> ObjectCondition {
    ObjectCondition(.negation(condition.expression), stores: condition.stores)
  }
}
