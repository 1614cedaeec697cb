public import ModelDescription

/// The demands of later versions on rows, beyond the demands of the model that the rows are created from.
public struct RowDemands: Hashable, Sendable {
  /// The least and the most links of an object; 0 as the most allows any number.
  struct Links: Hashable, Sendable {
    var least: Int
    var most: Int
  }

  private(set) var links: [PropertyAddress: Links] = [:]
  private(set) var numbers: Set<PropertyAddress> = []
  /// The to-one relationships whose rows must all refer to different rows.
  private(set) var exclusive: Set<PropertyAddress> = []

  /// Creates an empty set of demands.
  public init() {}

  /// Collects the demands of later versions on rows of the source.
  ///
  /// Each property is followed by its name and its renaming identifiers.
  ///
  /// - Parameter versions: the later versions of the path, in order.
  public init(of source: EntityHierarchy, passing versions: [EntityHierarchy]) {
    self = Self.chain([source] + versions)[0]
  }

  /// The demands of the later versions of a path on the rows of each version.
  ///
  /// - Parameter versions: the versions in order.
  /// - Returns: the demands on the rows of each version; the last version has no demands.
  package static func chain(_ versions: [EntityHierarchy]) -> [RowDemands] {
    var demands = [RowDemands](repeating: RowDemands(), count: versions.count)
    for position in versions.indices.dropLast().reversed() {
      demands[position] = RowDemands(
        of: versions[position], before: versions[position + 1], asking: demands[position + 1])
    }
    return demands
  }

  private init(of version: EntityHierarchy, before next: EntityHierarchy, asking later: RowDemands) {
    let successors = Dictionary(next.model.entities.map { ($0.canonicalName, $0) }) { first, _ in first }
    for entity in version.model.entities {
      guard let successor = successors[entity.name] ?? next.entity(named: entity.name) else { continue }
      follow(entity, to: successor, in: next, asking: later)
    }
  }

  /// Adds the demands of a version, and of the versions after it, on the properties of an entity.
  private mutating func follow(
    _ entity: EntityDescription, to successor: EntityDescription, in version: EntityHierarchy,
    asking later: RowDemands
  ) {
    let relationships = Self.byFormerName(successor.relationships, \.renamingIdentifier, \.name)
    let attributes = Self.byFormerName(successor.attributes, \.renamingIdentifier, \.name)
    for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
      let address = PropertyAddress(entity: entity.name, property: name)
      let next: PropertyAddress
      if let relationship = relationships[name] {
        next = PropertyAddress(entity: successor.name, property: relationship.name)
        let most = relationship.isToMany ? relationship.maxCount : 1
        ask(Links(least: relationship.leastLinks, most: most), of: address)
        let inverse = RelationshipEnds(relationship, declaredBy: successor.name, in: version)?.inverse
        if !relationship.isToMany, inverse?.relationship.isToMany == false { exclusive.insert(address) }
      } else if let attribute = attributes[name] {
        next = PropertyAddress(entity: successor.name, property: attribute.name)
        if attribute.type.isNumber { numbers.insert(address) }
      } else {
        continue
      }
      if let links = later.links[next] { ask(links, of: address) }
      if later.numbers.contains(next) { numbers.insert(address) }
      if later.exclusive.contains(next) { exclusive.insert(address) }
    }
  }

  /// Properties by the names that the previous version has for them: first the identifiers, then the names.
  private static func byFormerName<Property>(
    _ properties: [Property], _ identifier: (Property) -> String?, _ name: (Property) -> String
  ) -> [String: Property] {
    Dictionary(
      properties.compactMap { property in identifier(property).map { ($0, property) } }
        + properties.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func ask(_ asked: Links, of address: PropertyAddress) {
    var found = links[address] ?? Links(least: 0, most: 0)
    found.least = max(found.least, asked.least)
    if asked.most > 0 { found.most = found.most > 0 ? min(found.most, asked.most) : asked.most }
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
