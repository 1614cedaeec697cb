import MappingModels
import ModelDescription

/// Short words for the mapping models of tests.
extension EntityMapping {
  /// A mapping of a source entity to a destination entity, named after both.
  static func map(
    _ source: String, _ destination: String, named name: String? = nil, filter: ValueExpression? = nil,
    _ attributes: [String: ValueExpression] = [:], _ relationships: [String: ValueExpression] = [:],
    policy: String? = nil
  ) -> Self {
    EntityMapping(
      name: name ?? "\(source)To\(destination)", kind: policy == nil ? .transform : .custom, source: source,
      destination: destination, filter: filter,
      attributeMappings: PropertyMappings(expressions: attributes),
      relationshipMappings: PropertyMappings(expressions: relationships), policyClassName: policy)
  }
}

extension PropertyMappings {
  /// One expression a property, by name.
  init(expressions: [String: ValueExpression]) {
    self.init(
      expressions.sorted { $0.key < $1.key }.map { PropertyMapping(name: $0.key, value: .expression($0.value)) })
  }
}

extension ValueExpression {
  /// `$source.a.b`, or `$source` itself.
  static func source(_ keys: String...) -> Self {
    keys.isEmpty ? .variable("source") : .keyPath(keys, of: .variable("source"))
  }

  /// A key path of a filter.
  static func key(_ keys: String...) -> Self { .keyPath(keys, of: .selfObject) }

  /// The objects that a mapping makes of some source objects.
  static func made(by mapping: String, of objects: Self) -> Self {
    .invocation(
      of: .variable("manager"), selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
      arguments: [.constant(.string(mapping)), objects])
  }

  /// The objects that any mapping makes of the objects of a source relationship.
  static func made(along relationship: String, of objects: Self) -> Self {
    .invocation(
      of: .variable("manager"), selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      arguments: [.constant(.string(relationship)), objects])
  }

  static func text(_ text: String) -> Self { .constant(.string(text)) }
  static func number(_ number: Int64) -> Self { .constant(.integer(number)) }

  static func compare(_ left: Self, _ comparison: ExpressionComparison.Operator, _ right: Self) -> Self {
    .comparison(ExpressionComparison(left, comparison, right))
  }
}
