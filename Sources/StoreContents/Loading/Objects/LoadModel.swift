import AtomicStores
import ModelDescription
import StoreRows

/// A model as texts of its objects are read.
struct LoadModel {
  /// A property of an object.
  enum Property {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// A derived attribute, which is computed again.
    case passedOver
  }

  struct Entity {
    let name: String
    let root: String
    let isAbstract: Bool
    let keyName: String
    /// The key that names the entity of a line.
    let entityKey: String
    let properties: [String: Property]
    let leaves: [String: (path: [String], attribute: AttributeDescription)]
    /// The optional attributes that have a default.
    let defaulted: [String]
    /// The attributes that can have decimal numbers.
    let decimals: [String]

    var columnNames: [String] {
      let properties = properties.filter { property in
        if case .attribute(let attribute) = property.value { attribute.type != .composite } else { true }
      }
      return ([keyName] + properties.keys + leaves.keys).sorted()
    }
  }

  let hierarchy: EntityHierarchy
  let matches: [LoadMatch: AttributeDescription]
  /// The matched entities whose objects have keys in the text.
  var keyed: Set<String> = []
  private let entities: [String: Entity]
  private let matchesOfEntities: [String: LoadMatch]

  init(_ hierarchy: EntityHierarchy, matching matches: [LoadMatch]) throws(LoadError) {
    self.hierarchy = hierarchy
    var found: [LoadMatch: AttributeDescription] = [:]
    for match in matches {
      if let other = found.keys.first(where: { $0.entity == match.entity && $0 != match }) {
        throw .secondMatch(match, after: other)
      }
      found[match] = try Self.attribute(match, in: hierarchy)
    }
    self.matches = found
    var nearest: [String: LoadMatch] = [:]
    var entities: [String: Entity] = [:]
    for entity in hierarchy.model.entities {
      for ancestor in hierarchy.lineage(of: entity.name) where nearest[entity.name] == nil {
        nearest[entity.name] = matches.first { $0.entity == ancestor.name }
      }
      entities[entity.name] = Self.entity(entity, hierarchy)
    }
    (self.entities, matchesOfEntities) = (entities, nearest)
  }

  private static func attribute(
    _ match: LoadMatch, in hierarchy: EntityHierarchy
  ) throws(LoadError) -> AttributeDescription {
    guard hierarchy.entity(named: match.entity) != nil else {
      let all = hierarchy.model.entities.flatMap { entity in
        matchable(of: entity.name, in: hierarchy).map { "\(entity.name).\($0)" }
      }
      throw .match(match, near: NearNames.nearest(to: "\(match.entity).\(match.attribute)", among: all))
    }
    let near = NearNames.nearest(to: match.attribute, among: matchable(of: match.entity, in: hierarchy))
      .map { "\(match.entity).\($0)" }
    guard let attribute = hierarchy.allAttributes(of: match.entity)[match.attribute]?.property else {
      throw .match(match, near: near)
    }
    guard isMatchable(attribute) else { throw .unfitMatch(match, near: near) }
    return attribute
  }

  /// The attributes by which objects of an entity can be matched.
  private static func matchable(of entity: String, in hierarchy: EntityHierarchy) -> [String] {
    hierarchy.allAttributes(of: entity).filter { isMatchable($0.value.property) }.keys.sorted()
  }

  private static func isMatchable(_ attribute: AttributeDescription) -> Bool {
    attribute.type != .composite && !attribute.isTransient && attribute.derivation == nil
  }

  private static func entity(_ entity: EntityDescription, _ hierarchy: EntityHierarchy) -> Entity {
    var properties: [String: Property] = [:]
    var leaves: [String: (path: [String], attribute: AttributeDescription)] = [:]
    var defaulted: [String] = []
    var decimals: [String] = []
    for (name, declared) in hierarchy.allAttributes(of: entity.name) where !declared.property.isTransient {
      let attribute = declared.property
      guard attribute.derivation == nil, attribute.type != .objectID else {
        properties[name] = .passedOver
        continue
      }
      properties[name] = .attribute(attribute)
      if attribute.holdsDecimal { decimals.append(name) }
      if attribute.type == .composite {
        for (path, leaf) in attribute.leaves { leaves[path.joined(separator: ".")] = (path, leaf) }
      }
      let hasDefault = attribute.defaultValue != nil || attribute.type == .composite
      if attribute.isOptional, hasDefault { defaulted.append(name) }
    }
    for (name, declared) in hierarchy.allRelationships(of: entity.name)
    where !declared.property.isTransient && declared.property.destinationEntityName != nil {
      properties[name] = .relationship(declared.property)
    }
    return Entity(
      name: entity.name, root: hierarchy.rootName(of: entity.name), isAbstract: entity.isAbstract,
      keyName: JSONStoreValue.keyName(of: entity.name, in: hierarchy),
      entityKey: JSONStoreValue.name("entity", of: entity.name, in: hierarchy), properties: properties,
      leaves: leaves, defaulted: defaulted, decimals: decimals)
  }

  func entity(_ name: String) -> Entity? { entities[name] }

  func nearEntities(to name: String) -> [String] {
    NearNames.nearest(to: name, among: hierarchy.model.entities.map(\.name))
  }

  /// The match of an entity: its own, or that of the nearest entity above it.
  func match(of entity: String) -> LoadMatch? { matchesOfEntities[entity] }

  /// The attribute whose values identify objects in links to an entity; nil if keys do.
  func matchedAttribute(ofLinksTo entity: String) -> AttributeDescription? {
    guard let match = matchesOfEntities[entity], !keyed.contains(match.entity) else { return nil }
    return matches[match]
  }
}
