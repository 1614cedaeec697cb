import MappingModels
import ModelDescription
import PersistentStores

/// The look-up of destination objects that a relationship's expression makes.
///
/// Source: `destinationInstancesForEntityMappingNamed:sourceInstances:` and
/// `destinationInstancesForSourceRelationshipNamed:sourceInstances:` of `NSMigrationManager`.
struct RelationshipLookup {
  /// The mappings whose objects are looked up.
  let mappings: [MappedEntity]
  /// The source objects they are looked up for.
  let origin: LinkOrigin

  private static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  private static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  /// Reads the expression of a relationship of a mapping.
  ///
  /// - Parameters:
  ///   - expression: the value.
  ///   - property: the destination relationship.
  ///   - entity: the mapping.
  init(
    _ expression: ValueExpression, of property: String, in entity: MappedEntity, _ context: MappedContext,
    _ expressions: any RowExpressions
  ) throws(MappingFault) {
    guard case .invocation(of: .variable("manager"), let selector, let arguments) = expression, arguments.count == 2,
      case .constant(.string(let name)) = arguments[0]
    else { throw .noDestinationObjects(property: property) }
    let destination = context.destination.hierarchy.allRelationships(of: entity.destination)[property]?.property
      .destinationEntityName
    let holds: (MappedEntity) -> Bool = { candidate in
      destination.map { context.destination.hierarchy.isEntity(candidate.destination, kindOf: $0) } ?? false
    }
    switch selector {
    case Self.byMapping:
      guard context.mapping.entityMapping(named: name) != nil else { throw .unknownMapping(name, property: property) }
      let found = context.entities.filter { $0.mapping.name == name }
      guard found.allSatisfy(holds) else { throw .wrongObjects(mapping: name, property: property) }
      mappings = found
    case Self.byRelationship:
      guard let target = context.source.hierarchy.allRelationships(of: entity.source)[name]?.property
        .destinationEntityName
      else { throw .unknownRelationship(name, property: property) }
      mappings = context.entities.filter {
        context.source.hierarchy.isEntity($0.source, kindOf: target) && holds($0)
      }
    default: throw .noDestinationObjects(property: property)
    }
    origin = try Self.origin(of: arguments[1], property, entity, context, expressions)
  }

  private static func origin(
    of objects: ValueExpression, _ property: String, _ entity: MappedEntity, _ context: MappedContext,
    _ expressions: any RowExpressions
  ) throws(MappingFault) -> LinkOrigin {
    switch objects {
    case .variable("source"), .selfObject: return .same
    case .keyPath(let keys, of: .variable("source")), .keyPath(let keys, of: .selfObject):
      if keys.count == 1, let name = keys.first,
        let address = context.staged.address(ofRelationship: name, in: entity.source),
        context.staged.linkStorage(of: address) != nil
      {
        return .relationship(address, isForward: true)
      }
    default: break
    }
    do {
      return .query(try expressions.links(objects), isForward: true)
    } catch {
      throw .expression(property: property, detail: "\(error)")
    }
  }
}
