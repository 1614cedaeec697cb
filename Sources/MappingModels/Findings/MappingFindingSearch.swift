import ModelDescription
import VersionHashing

/// Finds what is wrong in a mapping model, one entity mapping after the other.
struct MappingFindingSearch {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  /// The policy classes that are implemented.
  let policies: Set<String>
  /// The relationships that some mapping gives objects, by destination entity.
  let filledRelationships: [String: Set<String>]
  private let sourceHashes: VersionHashes?
  private let destinationHashes: VersionHashes?
  var found: [MappingFinding] = []

  init(
    _ mapping: MappingModel, source: EntityHierarchy, destination: EntityHierarchy, policies: Set<String>
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    self.policies = policies
    var filled: [String: Set<String>] = [:]
    for entity in mapping.entityMappings {
      guard let name = entity.destination else { continue }
      for relationship in entity.relationshipMappings where relationship.value != .unset {
        filled[name, default: []].insert(relationship.name)
      }
    }
    filledRelationships = filled
    sourceHashes = try? VersionHashes(of: source)
    destinationHashes = try? VersionHashes(of: destination)
  }

  mutating func findings() -> [MappingFinding] {
    var names: Set<String> = []
    for entity in mapping.entityMappings {
      if !names.insert(entity.name).inserted { add(.error, entity, .duplicateName) }
      check(entity)
    }
    findUncoveredEntities()
    findEntityCycles()
    return found
  }

  mutating func add(
    _ severity: MappingFinding.Severity, _ entity: EntityMapping?, property: String? = nil,
    _ kind: MappingFinding.Kind
  ) {
    found.append(MappingFinding(severity, mapping: entity?.name, property: property, kind))
  }

  private mutating func check(_ entity: EntityMapping) {
    guard entity.source != nil || entity.destination != nil else {
      add(.error, entity, .noEntities)
      return
    }
    let hasSource = check(
      .source, entity.source, stated: entity.sourceVersionHash, sourceHashes, in: source, of: entity)
    let hasDestination = check(
      .destination, entity.destination, stated: entity.destinationVersionHash, destinationHashes, in: destination,
      of: entity)
    checkPolicy(of: entity)
    if hasSource, let name = entity.source { checkFilter(of: entity, source: name) }
    guard hasDestination, let name = entity.destination else { return }
    let sourceEntity = hasSource ? entity.source.flatMap { source.entity(named: $0) } : nil
    if sourceEntity?.isAbstract == false, destination.entity(named: name)?.isAbstract == true {
      add(.error, entity, .abstractDestination(name))
    }
    checkProperties(of: entity, destination: name, source: sourceEntity?.name)
  }

  /// True when the entity is named and in its model.
  private mutating func check(
    _ side: MappingSide, _ name: String?, stated: VersionHash?, _ hashes: VersionHashes?, in model: EntityHierarchy,
    of entity: EntityMapping
  ) -> Bool {
    guard let name else { return false }
    guard model.entity(named: name) != nil else {
      let near = NearNames.nearest(to: name, among: model.model.entities.map(\.name))
      add(.error, entity, .unknownEntity(side, name, near: near))
      return false
    }
    if let stated, let hash = hashes?.entities[name], hash != stated {
      add(.error, entity, .otherVersion(side, entity: name))
    }
    return true
  }

  private mutating func checkFilter(of entity: EntityMapping, source name: String) {
    guard let filter = entity.filter else { return }
    let typing = ExpressionTyping(
      source: source, entity: name, role: .filter, destination: destination, mapping: mapping)
    do {
      try typing.checkCondition(filter)
    } catch {
      add(.error, entity, .filter(error))
    }
  }
}
