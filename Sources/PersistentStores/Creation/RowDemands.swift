public import ModelDescription

/// What later versions ask of rows beyond the model that the rows are made of.
public struct RowDemands: Hashable, Sendable {
  /// The least and the most links of an object; 0 as the most allows any number.
  struct Links: Hashable, Sendable {
    var least: Int
    var most: Int
  }

  private(set) var links: [PropertyAddress: Links] = [:]
  private(set) var numbers: Set<PropertyAddress> = []

  /// Demands nothing.
  public init() {}

  /// Collects what the versions on a way ask of the rows of the first, each property followed by its name and its
  /// renaming identifiers.
  ///
  /// - Parameters:
  ///   - source: the version that the rows are made of.
  ///   - versions: the versions that they pass, in order.
  public init(of source: EntityHierarchy, passing versions: [EntityHierarchy]) {
    var entities = source.model.entities.map { entity in
      (entity: entity, name: Optional(entity.name), names: Dictionary(uniqueKeysWithValues: names(of: entity)))
    }
    for version in versions {
      let successors = Dictionary(version.model.entities.map { ($0.canonicalName, $0) }) { first, _ in first }
      for position in entities.indices {
        guard let name = entities[position].name else { continue }
        let successor = successors[name] ?? version.entity(named: name)
        entities[position].name = successor?.name
        guard let successor else { continue }
        entities[position].names = follow(entities[position].names, of: entities[position].entity, to: successor)
      }
    }
  }

  private func names(of entity: EntityDescription) -> [(String, String)] {
    var seen: Set<String> = []
    return (entity.attributes.map(\.name) + entity.relationships.map(\.name)).filter { seen.insert($0).inserted }
      .map { ($0, $0) }
  }

  /// Takes what one version asks of an entity's own properties.
  ///
  /// - Returns: the names that the properties have there.
  private mutating func follow(
    _ names: [String: String], of entity: EntityDescription, to successor: EntityDescription
  ) -> [String: String] {
    var next: [String: String] = [:]
    for (name, former) in names {
      let address = PropertyAddress(entity: entity.name, property: name)
      if let relationship = successor.relationships.first(where: { $0.renamingIdentifier == former })
        ?? successor.relationships.first(where: { $0.name == former })
      {
        next[name] = relationship.name
        ask(relationship.leastLinks, relationship.isToMany ? relationship.maxCount : 1, of: address)
      } else if let attribute = successor.attributes.first(where: { $0.renamingIdentifier == former })
        ?? successor.attributes.first(where: { $0.name == former })
      {
        next[name] = attribute.name
        if attribute.type.isNumber { numbers.insert(address) }
      }
    }
    return next
  }

  private mutating func ask(_ least: Int, _ most: Int, of address: PropertyAddress) {
    var found = links[address] ?? Links(least: 0, most: 0)
    found.least = max(found.least, least)
    if most > 0 { found.most = found.most > 0 ? min(found.most, most) : most }
    links[address] = found
  }

  /// The model with the stricter counts of links, to fill stores by.
  func applied(to hierarchy: EntityHierarchy) -> EntityHierarchy {
    guard !links.isEmpty else { return hierarchy }
    var model = hierarchy.model
    for entity in model.entities.indices {
      for position in model.entities[entity].relationships.indices {
        var relationship = model.entities[entity].relationships[position]
        let address = PropertyAddress(entity: model.entities[entity].name, property: relationship.name)
        guard let links = links[address] else { continue }
        relationship.minCount = max(relationship.minCount, links.least)
        if relationship.isToMany, links.most > 0, relationship.maxCount == 0 || links.most < relationship.maxCount {
          relationship.maxCount = max(links.most, relationship.minCount)
        }
        model.entities[entity].relationships[position] = relationship
      }
    }
    return (try? EntityHierarchy(model)) ?? hierarchy
  }
}

extension RelationshipDescription {
  /// The least number of links that an object must have.
  var leastLinks: Int { max(isOptional ? 0 : 1, minCount) }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: true
    default: false
    }
  }
}
