import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

/// Finds where passing every version and going straight must differ, because the mappings themselves do.
struct StraightDifferences {
  /// The mapping that equals passing every version.
  let passing: MappingModel
  /// The mapping from the first version straight to the last.
  let straight: MappingModel
  /// The versions passed, source first.
  let chain: [LoadedVersion]

  private var destination: EntityHierarchy? { chain.last?.hierarchy }

  /// Why two contents differ in something, nil when the models give no reason.
  func reason(for difference: ContentDifference) -> StraightReason? {
    switch difference.kind {
    case .objects: objects(of: difference.entity)
    case .values: difference.property.flatMap { value($0, of: difference.entity) }
    case .links: difference.property.flatMap { link($0, of: difference.entity) }
    }
  }

  private func objects(of entity: String) -> StraightReason? {
    let (source, direct) = (origin(of: entity, in: passing), origin(of: entity, in: straight))
    guard source != direct else { return nil }
    if let direct, source == nil {
      return .newEntity(entity, gap: gap { $0.follows(entity: direct) }, source: direct)
    }
    return .otherSource(entity: entity, passing: source, straight: direct)
  }

  private func origin(of entity: String, in mapping: MappingModel) -> String? {
    mapping.mapping(toDestination: entity)?.source
  }

  private func value(_ path: String, of entity: String) -> StraightReason? {
    if let reason = objects(of: entity) { return reason }
    guard let first = passing.mapping(toDestination: entity)?.attribute(path),
      let second = straight.mapping(toDestination: entity)?.attribute(path)
    else { return nil }
    if first == second {
      guard case .derived = first.origin else { return nil }
      return hasDifferences ? .derived(entity: entity, attribute: path) : nil
    }
    switch (first.origin, second.origin) {
    case (.source(let passed), .source(let direct)) where passed == direct:
      return .converted(entity: entity, attribute: path)
    case (_, .source(let attribute)):
      let source = origin(of: entity, in: straight) ?? entity
      return .newAttribute(
        entity: entity, attribute: path, gap: gap { $0.follows(attribute: attribute, of: source) }, source: attribute)
    case (.source(let attribute), _):
      return .attributeContinued(entity: entity, attribute: path, source: attribute)
    default:
      return .filled(entity: entity, attribute: path)
    }
  }

  private func link(_ name: String, of entity: String) -> StraightReason? {
    guard let destination, let declared = destination.allRelationships(of: entity)[name]?.property else { return nil }
    var ends = [(entity, name)]
    if let inverse = declared.inverseName, let owner = declared.destinationEntityName { ends.append((owner, inverse)) }
    for (owner, relationship) in ends {
      for member in destination.family(of: owner).map(\.name) {
        if let reason = objects(of: member) { return reason }
        let first = passing.mapping(toDestination: member)?.relationship(relationship)
        let second = straight.mapping(toDestination: member)?.relationship(relationship)
        guard first != second else { continue }
        guard let continued = second?.source, first?.source == nil else {
          return .linksMoved(entity: entity, relationship: name)
        }
        let source = origin(of: member, in: straight) ?? member
        return .newRelationship(
          entity: member, relationship: relationship, gap: gap { $0.follows(relationship: continued, of: source) },
          source: continued)
      }
    }
    return nil
  }

  /// True when the two mappings differ anywhere.
  private var hasDifferences: Bool {
    passing.entityMappings.contains { mapping in
      mapping.destination.map { straight.mapping(toDestination: $0) != mapping } ?? false
    }
  }

  /// The first version that does not carry something on.
  private func gap(_ isCarried: (LoadedVersion) -> Bool) -> String? {
    chain.dropFirst().dropLast().first { !isCarried($0) }?.name
  }
}

extension LoadedVersion {
  /// True when an entity of this name or of this old name is there.
  fileprivate func follows(entity name: String) -> Bool {
    hierarchy.model.entities.contains { $0.name == name || $0.canonicalName == name }
  }

  /// True when an attribute of this name or of this old name is there; true as well when its entity has moved.
  fileprivate func follows(attribute path: String, of entity: String) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    return hierarchy.entity(named: entity) == nil
      || hierarchy.allAttributes(of: entity).values.contains {
        $0.property.name == name || $0.property.canonicalName == name
      }
  }

  /// True when a relationship of this name or of this old name is there; true as well when its entity has moved.
  fileprivate func follows(relationship name: String, of entity: String) -> Bool {
    hierarchy.entity(named: entity) == nil
      || hierarchy.allRelationships(of: entity).values.contains {
        $0.property.name == name || $0.property.renamingIdentifier == name
      }
  }
}
