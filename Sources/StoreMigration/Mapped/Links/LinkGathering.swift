import MappingModels
import ModelDescription
import PersistentStores

/// Finds the links that the relationship mappings of a mapping model write, each pair of relationships once.
struct LinkGathering {
  private(set) var pairs: [(pair: LinkPair, atoms: [LinkAtom])]
  private let context: MappedContext

  init(_ context: MappedContext, expressions: (MappedEntity) -> any RowExpressions) throws(MigrationRefusal) {
    self.context = context
    pairs = LinkPair.pairs(of: context.destination).map { ($0, []) }
    for entity in context.entities {
      var names: Set<String> = []
      for (rank, mapping) in entity.mapping.relationshipMappings.enumerated() {
        guard names.insert(mapping.name).inserted else {
          throw .mapping(name: entity.mapping.name, .propertyIsTaken(mapping.name))
        }
        do {
          try gather(mapping, rank: rank, of: entity, expressions(entity))
        } catch {
          throw .mapping(name: entity.mapping.name, error)
        }
      }
    }
  }

  private mutating func gather(
    _ mapping: CustomPropertyMapping, rank: Int, of entity: MappedEntity, _ expressions: any RowExpressions
  ) throws(MappingFault) {
    let expression: ValueExpression
    switch mapping.value {
    case .unset, .expression(.null): return
    case .sql: throw .noDestinationObjects(property: mapping.name)
    case .expression(let value): expression = value
    }
    guard let address = context.destination.address(ofRelationship: mapping.name, in: entity.destination),
      let position = pairs.firstIndex(where: { $0.pair.address == address })
        ?? pairs.firstIndex(where: { $0.pair.inverse == address })
    else { throw .unknownProperty(mapping.name) }
    let lookup = try RelationshipLookup(expression, of: mapping.name, in: entity, context, expressions)
    let isNear = pairs[position].pair.address == address
    for target in lookup.mappings {
      let turn = LinkAtom.Turn(mapping: entity.position, property: rank, isNear: true)
      let written = LinkAtom(near: entity.position, far: target.position, origin: lookup.origin, turn: turn)
      add(isNear ? written : written.turned, at: position)
    }
  }

  /// What both sides write is written once, at the later turn.
  private mutating func add(_ atom: LinkAtom, at position: Int) {
    let canonical = LinkAtom(
      near: atom.near, far: atom.far, origin: context.staged.canonical(atom.origin), turn: atom.turn)
    pairs[position].atoms.removeAll { $0.hasSameLinks(as: canonical) }
    pairs[position].atoms.append(canonical)
  }
}
