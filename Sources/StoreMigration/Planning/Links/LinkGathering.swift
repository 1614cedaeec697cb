import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Finds the links that the relationship mappings of a mapping model write, by pair of relationships.
struct LinkGathering {
  private(set) var pairs: [(pair: LinkPair, atoms: [LinkAtom])]
  /// The relationships whose value is a function of a policy in code, by the mapping's position.
  private(set) var functions: [Int: [(relationship: String, selector: String)]] = [:]
  private(set) var notes: [PlanNote] = []
  /// The sources of the look-ups; look-ups that find nothing have no source.
  private(set) var readings: [LinkLookUp] = []
  private let context: PlanningContext
  /// The pairs of entity mappings of all relationships, and the most of them.
  private var count = 0
  private static let limit = 20_000
  /// Where the pair of a relationship is, that of one which is near before that of its inverse.
  private let positions: [PropertyAddress: Int]

  init(_ context: PlanningContext) throws(MigrationRefusal) {
    self.context = context
    pairs = LinkPair.pairs(of: context.destination).map { ($0, []) }
    let near = pairs.enumerated().map { ($1.pair.address, $0) }
    let far = pairs.enumerated().compactMap { position, pair in pair.pair.inverse.map { ($0, position) } }
    positions = Dictionary(near + far) { first, _ in first }
    for entity in context.entities {
      var names: Set<String> = []
      for (rank, mapping) in entity.mapping.relationshipMappings.enumerated() {
        guard names.insert(mapping.name).inserted else {
          throw .mapping(name: entity.mapping.name, .propertyIsTaken(mapping.name))
        }
        do {
          try gather(mapping, rank: rank, of: entity)
        } catch {
          throw .mapping(name: entity.mapping.name, error)
        }
      }
    }
  }

  private mutating func gather(_ mapping: PropertyMapping, rank: Int, of entity: MappedEntity) throws(MappingRefusal) {
    if case .sql = mapping.value { throw .noDestinationObjects(property: mapping.name) }
    guard let expression = mapping.value.expression, expression != .null else { return }
    guard let address = context.destination.address(ofRelationship: mapping.name, in: entity.destination),
      let position = positions[address]
    else { throw .unknownProperty(mapping.name) }
    if case .invocation(of: .variable("entityPolicy"), let selector, _) = expression, entity.policy != nil {
      if entity.isCoded {
        functions[entity.position, default: []].append((mapping.name, selector))
      } else {
        notes.append(.leftToPolicy(mapping: entity.mapping.name, relationship: mapping.name, selector: selector))
      }
      return
    }
    let isNear = pairs[position].pair.address == address
    let reader = RelationshipLookupReader(context: context, entity: entity, property: mapping.name)
    if let note = reader.emptyLookup(expression) {
      notes.append(note)
      return
    }
    for lookup in try reader.lookups(expression) {
      readings.append(
        LinkLookUp(mapping: entity.position, found: Set(lookup.mappings.map(\.position)), objects: lookup.objects))
      count += lookup.mappings.count
      guard count <= Self.limit else { throw .tooManyLinks(limit: Self.limit) }
      for target in lookup.mappings {
        let turn = LinkAtom.Turn(mapping: entity.position, property: rank, isNear: true)
        let written = LinkAtom(near: entity.position, far: target.position, origin: lookup.origin, turn: turn)
        add(isNear ? written : written.turned, at: position)
      }
    }
  }

  private mutating func add(_ atom: LinkAtom, at position: Int) {
    pairs[position].atoms.append(
      LinkAtom(near: atom.near, far: atom.far, origin: context.staged.canonical(atom.origin), turn: atom.turn))
  }
}

/// A look-up of destination objects in a relationship's expression.
///
/// Source: `destinationInstancesForEntityMappingNamed:sourceInstances:` and
/// `destinationInstancesForSourceRelationshipNamed:sourceInstances:` of `NSMigrationManager`.
struct RelationshipLookup {
  /// The mappings whose objects are looked up.
  let mappings: [MappedEntity]
  /// The source objects they are looked up for.
  let origin: LinkOrigin
  /// The relationships to the source objects; empty if a `TERNARY` takes another branch.
  let objects: ValueExpression
}

/// Reads the expression of a relationship.
struct RelationshipLookupReader {
  let context: PlanningContext
  /// The mapping whose relationship it is.
  let entity: MappedEntity
  let property: String

  /// The look-ups that give the relationship's objects; the branches of a `TERNARY` are look-ups for no objects where
  /// they do not hold.
  func lookups(_ expression: ValueExpression) throws(MappingRefusal) -> [RelationshipLookup] {
    _ = try type(of: expression)
    return try lookups(expression) { $0 }
  }

  /// The reason why a look-up finds nothing: it names a mapping that does not read its source objects, as in Core Data.
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

  /// True if the relationship can hold the objects that a mapping makes.
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
