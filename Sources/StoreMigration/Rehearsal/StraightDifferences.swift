import MappingModels
import ModelDescription
import PersistentStores

/// Tells where passing every version and going straight must differ, because the mappings themselves do.
struct StraightDifferences {
  /// The mapping that equals passing every version.
  let passing: MappingModel
  /// The mapping from the first version straight to the last.
  let straight: MappingModel
  /// The versions passed, source first.
  let chain: [KnownVersion]

  private var destination: EntityHierarchy? { chain.last?.hierarchy }

  /// Why two contents differ in something, nil when the models give no reason.
  func explanation(of difference: ContentDifference) -> String? {
    switch difference.kind {
    case .objects: objects(of: difference.entity)
    case .values: difference.property.flatMap { value($0, of: difference.entity) }
    case .links: difference.property.flatMap { link($0, of: difference.entity) }
    }
  }

  private func objects(of entity: String) -> String? {
    let (source, direct) = (origin(of: entity, in: passing), origin(of: entity, in: straight))
    guard source != direct else { return nil }
    if let direct, source == nil {
      return
        "\(entity) is a new entity after \(gap { $0.follows(entity: direct) }); straight, it goes on from \(direct)"
    }
    return """
      \(entity) goes on from \(source ?? "nothing") when every version is passed, \
      and from \(direct ?? "nothing") straight
      """
  }

  private func origin(of entity: String, in mapping: MappingModel) -> String? {
    mapping.mapping(toDestination: entity)?.source
  }

  private func value(_ path: String, of entity: String) -> String? {
    if let reason = objects(of: entity) { return reason }
    guard let first = passing.mapping(toDestination: entity)?.attributes[path],
      let second = straight.mapping(toDestination: entity)?.attributes[path]
    else { return nil }
    if first == second {
      guard case .derived = first.origin else { return nil }
      return hasDifferences ? "\(entity).\(path) is computed from properties that differ" : nil
    }
    switch (first.origin, second.origin) {
    case (.source(let former), .source(let other)) where former == other:
      return "the values of \(entity).\(path) are converted or filled in a version between; straight, they are not"
    case (_, .source(let former)):
      let source = origin(of: entity, in: straight) ?? entity
      return """
        \(entity).\(path) is a new attribute after \(gap { $0.follows(attribute: former, of: source) }); \
        straight, it keeps the values of \(former)
        """
    case (.source(let former), _):
      return "\(entity).\(path) goes on from \(former) only through the versions between; straight, it is new"
    default:
      return "\(entity).\(path) is filled otherwise in a version between"
    }
  }

  private func link(_ name: String, of entity: String) -> String? {
    guard let destination, let declared = destination.allRelationships(of: entity)[name]?.property else { return nil }
    var ends = [(entity, name)]
    if let inverse = declared.inverseName, let owner = declared.destinationEntityName { ends.append((owner, inverse)) }
    for (owner, relationship) in ends {
      for member in destination.family(of: owner).map(\.name) {
        if let reason = objects(of: member) { return reason }
        let first = passing.mapping(toDestination: member)?.relationships[relationship]
        let second = straight.mapping(toDestination: member)?.relationships[relationship]
        guard first != second else { continue }
        guard let former = second?.source, first?.source == nil else {
          return "a version between holds the links of \(entity).\(name) otherwise; straight, they are not touched"
        }
        let source = origin(of: member, in: straight) ?? member
        return """
          \(member).\(relationship) is a new relationship after \
          \(gap { $0.follows(relationship: former, of: source) }); straight, it keeps the links of \(former)
          """
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

  /// The first version that does not carry something on, in words.
  private func gap(_ isCarried: (KnownVersion) -> Bool) -> String {
    let version = chain.dropFirst().dropLast().first { !isCarried($0) }
    return version.map { "\($0.name), which lacks it" } ?? "a version between"
  }
}

extension KnownVersion {
  /// True when an entity of this name or of this former name is there.
  fileprivate func follows(entity name: String) -> Bool {
    hierarchy.model.entities.contains { $0.name == name || $0.canonicalName == name }
  }

  /// True when an attribute of this name or of this former name is there; true as well when its entity has moved.
  fileprivate func follows(attribute path: String, of entity: String) -> Bool {
    let name = path.split(separator: ".").first.map(String.init) ?? path
    return hierarchy.entity(named: entity) == nil
      || hierarchy.allAttributes(of: entity).values.contains {
        $0.property.name == name || $0.property.canonicalName == name
      }
  }

  /// True when a relationship of this name or of this former name is there; true as well when its entity has moved.
  fileprivate func follows(relationship name: String, of entity: String) -> Bool {
    hierarchy.entity(named: entity) == nil
      || hierarchy.allRelationships(of: entity).values.contains {
        $0.property.name == name || $0.property.renamingIdentifier == name
      }
  }
}
