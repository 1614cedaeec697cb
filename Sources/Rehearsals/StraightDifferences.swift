import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

/// Finds the expected differences between migrating step by step and directly, which the mappings explain.
struct StraightDifferences {
  let passing: MappingModel
  /// The direct mapping from the first version to the last.
  let straight: MappingModel
  /// The versions passed, source first.
  let chain: [LoadedVersion]

  private var destination: EntityHierarchy? { chain.last?.hierarchy }

  /// The reason for a difference; nil if the models do not explain it.
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
    if let direct, source == nil { return .newEntity(entity, gap: gap { $0.follows(entity: direct) }, source: direct) }
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
    case (.source(let attribute), _): return .attributeContinued(entity: entity, attribute: path, source: attribute)
    default: return .filled(entity: entity, attribute: path)
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

  /// True if the two mappings differ anywhere.
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
  /// True if an entity of this name or of this old name is there.
  fileprivate func follows(entity name: String) -> Bool {
    hierarchy.model.entities.contains { $0.name == name || $0.canonicalName == name }
  }

  /// True if an attribute of this name or of this old name is there; true as well when its entity has moved.
  fileprivate func follows(attribute path: String, of entity: String) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    return hierarchy.entity(named: entity) == nil
      || hierarchy.allAttributes(of: entity).values.contains {
        $0.property.name == name || $0.property.canonicalName == name
      }
  }

  /// True if a relationship of this name or of this old name is there; true as well when its entity has moved.
  fileprivate func follows(relationship name: String, of entity: String) -> Bool {
    hierarchy.entity(named: entity) == nil
      || hierarchy.allRelationships(of: entity).values.contains {
        $0.property.name == name || $0.property.renamingIdentifier == name
      }
  }
}

/// The reason why migrating step by step and directly differ; names are those of the destination.
public enum StraightReason: Hashable, Sendable {
  /// - Parameters:
  ///   - gap: the first version that lacks the entity.
  ///   - source: the entity that it continues straight.
  case newEntity(String, gap: String?, source: String)
  /// The entity continues another one, or none.
  case otherSource(entity: String, passing: String?, straight: String?)

  // Attributes
  case derived(entity: String, attribute: String)
  case converted(entity: String, attribute: String)
  case newAttribute(entity: String, attribute: String, gap: String?, source: String)
  case attributeContinued(entity: String, attribute: String, source: String)
  case filled(entity: String, attribute: String)

  // Relationships
  case linksMoved(entity: String, relationship: String)
  case newRelationship(entity: String, relationship: String, gap: String?, source: String)

  /// The reason as a sentence without its full stop.
  var sentence: String {
    switch self {
    case .newEntity(let entity, let gap, let source):
      "\(entity) is a new entity after \(Self.words(of: gap)); directly, it is migrated from \(source)"
    case .otherSource(let entity, let passing, let straight):
      """
      \(entity) is \(Self.origin(passing)) step by step, and \(Self.origin(straight)) directly
      """
    case .derived(let entity, let attribute): "\(entity).\(attribute) is computed from properties that differ"
    case .converted(let entity, let attribute):
      "the values of \(entity).\(attribute) are converted or filled in a version in between; directly, they are not"
    case .newAttribute(let entity, let attribute, let gap, let source):
      """
      \(entity).\(attribute) is a new attribute after \(Self.words(of: gap)); directly, it keeps the values of \(source)
      """
    case .attributeContinued(let entity, let attribute, let source):
      "\(entity).\(attribute) keeps the values of \(source) only step by step; directly, it is new"
    case .filled(let entity, let attribute): "\(entity).\(attribute) is filled differently in a version in between"
    case .linksMoved(let entity, let relationship):
      """
      a version in between stores the links of \(entity).\(relationship) differently; directly, they are not changed
      """
    case .newRelationship(let entity, let relationship, let gap, let source):
      """
      \(entity).\(relationship) is a new relationship after \(Self.words(of: gap)); directly, it keeps the links of \
      \(source)
      """
    }
  }

  private static func words(of gap: String?) -> String { gap.map { "\($0), which lacks it" } ?? "a version in between" }

  private static func origin(_ entity: String?) -> String { entity.map { "migrated from \($0)" } ?? "new" }
}
