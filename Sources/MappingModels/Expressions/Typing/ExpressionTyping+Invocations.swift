import ModelDescription

extension ExpressionTyping {
  /// The method that looks objects up by the name of an entity mapping.
  package static let lookupByMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The method that looks objects up by every mapping of a relationship's objects.
  package static let lookupByRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  func invocation(
    _ target: ValueExpression, _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression,
    _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    switch target {
    case .variable("entityPolicy"):
      let expected = selector.count { $0 == ":" }
      guard arguments.count == expected else {
        throw fail(expression, .argumentCount(selector, expected: "\(expected) arguments", found: arguments.count))
      }
      for argument in arguments {
        let found = try type(of: argument, depth: depth)
        if case .destinationObjects = found { throw fail(argument, .misplacedLookup) }
      }
      return .unknown
    case .variable("manager"): return try lookup(selector, arguments, expression, depth)
    default: throw fail(expression, .unknownTarget)
    }
  }

  private func lookup(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    let known = [Self.lookupByMapping, Self.lookupByRelationship]
    guard known.contains(selector) else {
      throw fail(
        expression,
        .unknownSelector(selector, target: "manager", near: NearNames.nearest(to: selector, among: known)))
    }
    guard arguments.count == 2 else {
      throw fail(expression, .argumentCount(selector, expected: "two arguments", found: arguments.count))
    }
    guard case .constant(.string(let name)) = arguments[0] else {
      let found = try type(of: arguments[0], depth: depth)
      throw fail(arguments[0], .argument(selector, expected: "a name as a text", found: found))
    }
    let found = try type(of: arguments[1], depth: depth)
    let instances: String?
    switch found {
    case .object(let entity), .objects(let entity, _), .nested(let entity): instances = entity
    case .null, .unknown: instances = nil
    default: throw fail(arguments[1], .argument(selector, expected: "source objects", found: found))
    }
    if selector == Self.lookupByRelationship {
      guard source.allRelationships(of: entity)[name] != nil else {
        let near = NearNames.nearest(to: name, among: source.allRelationships(of: entity).keys.sorted())
        throw fail(expression, .unknownKey(name, of: entity, near: near))
      }
      return .destinationObjects(entity: nil)
    }
    guard let mapping = mapping.entityMapping(named: name) else {
      let names = self.mapping.entityMappings.map(\.name)
      throw fail(expression, .unknownMapping(name, near: NearNames.nearest(to: name, among: names)))
    }
    if let instances, let mapped = mapping.source, !areRelated(mapped, instances) {
      throw fail(expression, .otherMapping(name, mapped: mapped, found: instances))
    }
    return .destinationObjects(entity: mapping.destination)
  }

  /// True if an object can be of both entities.
  private func areRelated(_ first: String, _ second: String) -> Bool {
    source.isEntity(first, kindOf: second) || source.isEntity(second, kindOf: first)
  }
}
