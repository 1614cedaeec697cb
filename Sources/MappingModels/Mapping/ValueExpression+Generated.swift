import ModelDescription

extension ValueExpression {
  /// `$source.key`, or more keys in a row.
  package static func sourceValue(_ keys: [String]) -> ValueExpression { .keyPath(keys, of: .variable("source")) }

  /// The destination objects that one entity mapping makes of source objects.
  package static func objects(madeBy mapping: String, from objects: ValueExpression) -> ValueExpression {
    .invocation(
      of: .variable("manager"),
      selector: madeByMapping,
      arguments: [.constant(.string(mapping)), objects]
    )
  }

  /// The destination objects that all mappings of a source relationship's entity make of its objects.
  package static func objects(madeFromRelationship relationship: String) -> ValueExpression {
    .invocation(
      of: .variable("manager"),
      selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      arguments: [.constant(.string(relationship)), .sourceValue([relationship])]
    )
  }

  private static let madeByMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  /// The mapping and the source objects of ``objects(madeBy:from:)``, nil for another expression.
  package var madeObjects: (mapping: String, sources: ValueExpression)? {
    guard case .invocation(of: .variable("manager"), Self.madeByMapping, let arguments) = self, arguments.count == 2,
      case .constant(.string(let mapping)) = arguments[0]
    else { return nil }
    return (mapping, arguments[1])
  }
}
