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
  /// What the look-ups read; those that find nothing read nothing.
  private(set) var readings: [LinkReading] = []
  private let context: PlanningContext
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

  private mutating func gather(
    _ mapping: PropertyMapping, rank: Int, of entity: MappedEntity
  ) throws(MappingRefusal) {
    if case .sql = mapping.value { throw .noDestinationObjects(property: mapping.name) }
    guard let expression = mapping.value.expression, expression != .null else { return }
    guard let address = context.destination.address(ofRelationship: mapping.name, in: entity.destination),
      let position = positions[address]
    else { throw .unknownProperty(mapping.name) }
    if case .invocation(of: .variable("entityPolicy"), let selector, _) = expression, entity.policy != nil {
      if entity.isCoded {
        functions[entity.position, default: []].append((mapping.name, selector))
      } else {
        notes.append(
          .leftToPolicy(mapping: entity.mapping.name, relationship: mapping.name, selector: selector))
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
        LinkReading(
          mapping: entity.position, found: Set(lookup.mappings.map(\.position)), objects: lookup.objects))
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
