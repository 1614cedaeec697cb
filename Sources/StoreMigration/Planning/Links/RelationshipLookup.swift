import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// A look-up of destination objects in a relationship's expression.
///
/// Source: `destinationInstancesForEntityMappingNamed:sourceInstances:` and
/// `destinationInstancesForSourceRelationshipNamed:sourceInstances:` of `NSMigrationManager`.
struct RelationshipLookup {
  /// The mappings whose objects are looked up.
  let mappings: [MappedEntity]
  /// The source objects they are looked up for.
  let origin: LinkOrigin
  /// What leads to the source objects, nothing where a `TERNARY` takes another branch.
  let objects: ValueExpression
}

/// Reads the expression of a relationship.
struct RelationshipLookupReader {
  let context: PlanningContext
  /// The mapping whose relationship it is.
  let entity: MappedEntity
  /// The destination relationship.
  let property: String

  /// The look-ups that give the relationship's objects; the branches of a `TERNARY` are look-ups for no objects where
  /// they do not hold.
  func lookups(_ expression: ValueExpression) throws(MappingRefusal) -> [RelationshipLookup] {
    _ = try type(of: expression)
    return try lookups(expression) { $0 }
  }

  /// Why a look-up asks a mapping for source objects that it does not read: Core Data finds none and goes on.
  func emptyLookup(_ expression: ValueExpression) -> PlanNote? {
    guard case .invocation = expression else { return nil }
    do {
      _ = try typing.type(of: expression)
      return nil
    } catch {
      guard case .otherMapping(let name, let mapped, let found) = error.reason else { return nil }
      return .emptyLookup(
        mapping: entity.mapping.name, relationship: property, other: name, mapped: mapped, found: found)
    }
  }

  private var typing: ExpressionTyping {
    ExpressionTyping(
      source: context.source.hierarchy, entity: entity.source, role: .relationship,
      destination: context.destination.hierarchy, mapping: context.mapping)
  }

  private func type(of expression: ValueExpression) throws(MappingRefusal) -> ExpressionType {
    do {
      return try typing.type(of: expression)
    } catch {
      throw .expression(property: property, ExpressionError(error))
    }
  }

  private func lookups(
    _ expression: ValueExpression, where narrow: (ValueExpression) -> ValueExpression
  ) throws(MappingRefusal) -> [RelationshipLookup] {
    switch expression {
    case .null: return []
    case .conditional(let condition, then: let value, else: let other):
      return try lookups(value) { narrow(.conditional(condition, then: $0, else: .null)) }
        + lookups(other) { narrow(.conditional(condition, then: .null, else: $0)) }
    case .invocation(of: .variable("manager"), let selector, let arguments):
      guard arguments.count == 2, case .constant(.string(let name)) = arguments[0] else { break }
      let table = try root(of: arguments[1])
      let found = try mappings(selector, name).filter { context.source.hierarchy.rootName(of: $0.source) == table }
      let objects = narrow(arguments[1])
      return [RelationshipLookup(mappings: found, origin: try origin(of: objects), objects: objects)]
    default: break
    }
    throw .noDestinationObjects(property: property)
  }

  private func mappings(_ selector: String, _ name: String) throws(MappingRefusal) -> [MappedEntity] {
    switch selector {
    case ExpressionTyping.lookupByMapping:
      guard context.mapping.entityMapping(named: name) != nil else { throw .unknownMapping(name, property: property) }
      let found = context.entities(named: name)
      guard found.allSatisfy(canBeHeld) else { throw .wrongObjects(mapping: name, property: property) }
      return found
    case ExpressionTyping.lookupByRelationship:
      guard
        let target = context.source.hierarchy.allRelationships(of: entity.source)[name]?.property
          .destinationEntityName
      else { throw .unknownRelationship(name, property: property) }
      return context.entities(readingFamilyOf: target).filter(canBeHeld)
    default: throw .noDestinationObjects(property: property)
    }
  }

  /// The root of the source objects that an expression gives; keys tell objects apart within its table only.
  private func root(of objects: ValueExpression) throws(MappingRefusal) -> String? {
    switch try type(of: objects) {
    case .object(let entity), .objects(let entity, _), .nested(let entity):
      context.source.hierarchy.rootName(of: entity)
    default: nil
    }
  }

  /// True when the relationship can hold the objects that a mapping makes.
  private func canBeHeld(_ candidate: MappedEntity) -> Bool {
    context.destination.hierarchy.allRelationships(of: entity.destination)[property]?.property.destinationEntityName
      .map { context.destination.hierarchy.isEntity(candidate.destination, kindOf: $0) } ?? false
  }

  private func origin(of objects: ValueExpression) throws(MappingRefusal) -> LinkOrigin {
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
      let links = try context.compiler(of: entity).links(objects)
      return .query("SELECT owner AS near, target AS far, position AS place FROM (\(links))", isForward: true)
    } catch {
      throw .expression(property: property, ExpressionError(error))
    }
  }
}
