import ModelComparison
package import ModelDescription

/// Finds the pairs of versions between which Core Data infers a mapping, without creating the mappings.
///
/// The versions of a single bundle are mostly equal, so parts that several versions share are compared once.
package struct InferabilityIndex: Sendable {
  private struct Version: Sendable {
    let hierarchy: EntityHierarchy
    let entityShapes: [String: Int]
    /// The entities; nil if names alone do not pair them.
    let members: [Member]?
    /// True if an entity inherits from a different entity.
    let hasInheritance: Bool
  }

  /// An entity by numbers, in the order of the names' numbers.
  private struct Member: Sendable {
    let name: Int
    /// The name of the entity at the top of its hierarchy.
    let root: Int
    let shape: Int
  }

  /// Two items by their numbers.
  private struct Pair: Hashable {
    let source: Int
    let destination: Int
  }

  private let versions: [Version]
  private let names: [String]
  private let shapes: [EntityShape]
  /// The pairs of source and destination entities; nil if pairing is ambiguous or would merge tables.
  private var pairings: [Pair: EntityPairing?] = [:]
  private var modelShapes: [ModelShape: Int] = [:]
  private var entities: [Pair: Bool] = [:]
  /// The results by the positions of the source and the destination; a row is empty before its first query.
  private var known: [[Bool?]]
  /// The name of the entity that prevented inference most recently, because it often does so again.
  private var obstacle: Int?

  /// Indexes versions; they are named by their positions afterwards.
  package init(_ hierarchies: [EntityHierarchy]) {
    var entityShapes: [EntityShape: Int] = [:]
    var names: [String: Int] = [:]
    versions = hierarchies.map { hierarchy in
      let numbers = Dictionary(
        hierarchy.model.entities.map { ($0.name, Self.number(EntityShape($0, in: hierarchy), in: &entityShapes)) },
        uniquingKeysWith: { first, _ in first })
      return Version(
        hierarchy: hierarchy, entityShapes: numbers, members: Self.members(of: hierarchy, numbers, &names),
        hasInheritance: hierarchy.model.entities.contains { $0.superentityName != nil })
    }
    shapes = entityShapes.sorted { $0.value < $1.value }.map(\.key)
    self.names = names.sorted { $0.value < $1.value }.map(\.key)
    known = hierarchies.map { _ in [] }
  }

  private static func number<Shape: Hashable>(_ shape: Shape, in numbers: inout [Shape: Int]) -> Int {
    if let number = numbers[shape] { return number }
    let number = numbers.count
    numbers[shape] = number
    return number
  }

  private static func members(
    of hierarchy: EntityHierarchy, _ shapes: [String: Int], _ names: inout [String: Int]
  ) -> [Member]? {
    var members: [Member] = []
    for entity in hierarchy.model.entities {
      guard (entity.renamingIdentifier ?? "").isEmpty, entity.name.utf8.allSatisfy({ $0 < 0x80 }),
        let shape = shapes[entity.name]
      else { return nil }
      let name = number(entity.name, in: &names)
      let root = entity.superentityName == nil ? name : number(hierarchy.rootName(of: entity.name), in: &names)
      members.append(Member(name: name, root: root, shape: shape))
    }
    return Set(members.map(\.name)).count == members.count ? members.sorted { $0.name < $1.name } : nil
  }

  /// True if Core Data infers a mapping directly from a single version to another.
  ///
  /// Then ``MappingModel/inferred(from:to:options:)`` gives a mapping without options.
  package mutating func isInferable(from source: Int, to destination: Int) -> Bool {
    if known[source].isEmpty { known[source] = Array(repeating: nil, count: versions.count) }
    if let answer = known[source][destination] { return answer }
    let answer = examine(versions[source], versions[destination])
    known[source][destination] = answer
    return answer
  }

  private mutating func examine(_ source: Version, _ destination: Version) -> Bool {
    if let old = source.members, let new = destination.members { return examine(source, old, destination, new) }
    guard let pairing = pairing(source, destination) else { return false }
    for (entity, shape) in destination.entityShapes {
      guard let sourceEntity = pairing.source(ofDestination: entity),
        let sourceShape = source.entityShapes[sourceEntity]
      else { continue }
      let pair = Pair(source: sourceShape, destination: shape)
      if !infers(pair, source, destination, entity, from: sourceEntity) { return false }
    }
    return true
  }

  /// The same if each entity continues the entity of its name.
  private mutating func examine(_ source: Version, _ old: [Member], _ destination: Version, _ new: [Member]) -> Bool {
    if let obstacle, let first = Self.member(obstacle, in: old), let last = Self.member(obstacle, in: new),
      !infers(Pair(source: first.shape, destination: last.shape), source, destination, names[obstacle])
    {
      return false
    }
    let checksTables = source.hasInheritance || destination.hasInheritance
    var tables: [Int: Int] = [:]
    var (first, last) = (0, 0)
    while first < old.count, last < new.count {
      let (before, after) = (old[first], new[last])
      if before.name <= after.name { first += 1 }
      if after.name <= before.name { last += 1 }
      guard before.name == after.name else { continue }
      if checksTables, tables.updateValue(before.root, forKey: after.root).map({ $0 != before.root }) ?? false {
        return false
      }
      let pair = Pair(source: before.shape, destination: after.shape)
      if !infers(pair, source, destination, names[after.name]) {
        obstacle = after.name
        return false
      }
    }
    return true
  }

  private static func member(_ name: Int, in members: [Member]) -> Member? {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low < members.count && members[low].name == name ? members[low] : nil
  }

  /// True if an entity of one shape is inferred from an entity of another; the first such entities decide.
  private mutating func infers(
    _ pair: Pair, _ source: Version, _ destination: Version, _ entity: String, from sourceEntity: String? = nil
  ) -> Bool {
    if pair.source == pair.destination, !shapes[pair.source].hasIdentifiers { return true }
    if let answer = entities[pair] { return answer }
    let answer =
      shapes[pair.destination].follows(shapes[pair.source])
      || MappingInference(EntityPairing(from: source.hierarchy, to: destination.hierarchy))
        .infers(entity, from: sourceEntity ?? entity)
    entities[pair] = answer
    return answer
  }

  private mutating func pairing(_ source: Version, _ destination: Version) -> EntityPairing? {
    let pair = Pair(
      source: Self.number(ModelShape(source.hierarchy), in: &modelShapes),
      destination: Self.number(ModelShape(destination.hierarchy), in: &modelShapes))
    if let answer = pairings[pair] { return answer }
    let inference = MappingInference(EntityPairing(from: source.hierarchy, to: destination.hierarchy))
    let answer = inference.pairsEntities ? inference.pairing : nil
    pairings[pair] = .some(answer)
    return answer
  }
}

extension MappingInference {
  /// True if the pairs of entities are unique, and no tables are merged.
  fileprivate var pairsEntities: Bool {
    do {
      try checkEntities()
      return true
    } catch {
      return false
    }
  }

  /// True if an entity's properties can be inferred.
  fileprivate func infers(_ entity: String, from sourceEntity: String) -> Bool {
    do {
      _ = try attributes(of: entity, from: sourceEntity)
      _ = try relationships(of: entity, from: sourceEntity)
      return true
    } catch {
      return false
    }
  }
}

/// The parts of an entity that inference depends on; equal shapes are compared once.
struct EntityShape: Hashable, Sendable {
  /// An attribute as far as inference can fail for it.
  struct Attribute: Hashable, Sendable {
    let name: HashedText
    let identifier: String?
    let type: AttributeType
    let isTransient: Bool
    let elements: [Attribute]

    /// The names by which another property can claim the property, and by which the property claims another.
    fileprivate var claims: Set<String> { Set([name.text, identifier].compactMap(\.self)) }

    init(_ attribute: AttributeDescription) {
      name = HashedText(attribute.name)
      identifier = attribute.renamingIdentifier
      type = attribute.type
      isTransient = attribute.isTransient
      elements = attribute.elements.map(Attribute.init)
    }
  }

  /// A relationship as far as inference can fail for it.
  struct Relationship: Hashable, Sendable {
    let name: HashedText
    let identifier: String?

    fileprivate var claims: Set<String> { Set([name.text, identifier].compactMap(\.self)) }
  }

  /// Its own and inherited attributes as declared, nearest first, including attributes that an override hides.
  let attributes: [Attribute]
  /// Its own and inherited relationships, likewise.
  let relationships: [Relationship]
  /// True for an abstract entity whose sub-entities have the rows; types do not matter for it.
  let hasOnlySubentities: Bool

  /// True if a property is paired by a name other than its own.
  let hasIdentifiers: Bool

  /// True if one shape is obviously inferred from another.
  ///
  /// Names alone pair the properties, or identifiers pair only equal properties, and no attribute of both differs.
  func follows(_ source: EntityShape) -> Bool {
    guard !hasIdentifiers, !source.hasIdentifiers else {
      return Self.pairsEqualOnes(attributes, with: source.attributes, by: \.claims)
        && Self.pairsEqualOnes(relationships, with: source.relationships, by: \.claims)
    }
    // A name in different characters is a different name, and is paired anyway.
    if relationships != source.relationships {
      let names = Set(source.relationships.map(\.name.text))
      guard Set(relationships).subtracting(source.relationships).allSatisfy({ !names.contains($0.name.text) }) else {
        return false
      }
    }
    if attributes == source.attributes { return true }
    let changed = Set(attributes).subtracting(source.attributes)
    let names = Set(source.attributes.map(\.name.text))
    return names.count == source.attributes.count && changed.allSatisfy { !names.contains($0.name.text) }
  }

  /// True if each property equals a property of the source or claims none of them, and no claim occurs twice.
  private static func pairsEqualOnes<Property: Hashable>(
    _ properties: [Property], with sources: [Property], by claims: (Property) -> Set<String>
  ) -> Bool {
    guard let sourceClaims = distinct(sources.map(claims)), distinct(properties.map(claims)) != nil else {
      return false
    }
    let known = Set(sources)
    return properties.allSatisfy { known.contains($0) || claims($0).isDisjoint(with: sourceClaims) }
  }

  /// All these names; nil if two properties have one name, or if a name may have two spellings.
  private static func distinct(_ claims: [Set<String>]) -> Set<String>? {
    var names: Set<String> = []
    for name in claims.joined() {
      guard name.utf8.allSatisfy({ $0 < 0x80 }), names.insert(name).inserted else { return nil }
    }
    return names
  }

  init(_ entity: EntityDescription, in hierarchy: EntityHierarchy) {
    let lineage = hierarchy.lineage(of: entity.name)
    attributes = lineage.flatMap { $0.attributes.map(Attribute.init) }
    relationships = lineage.flatMap { member in
      member.relationships.map { Relationship(name: HashedText($0.name), identifier: $0.renamingIdentifier) }
    }
    hasOnlySubentities = hierarchy.hasOnlySubentities(entity.name)
    hasIdentifiers =
      attributes.contains { $0.identifier != nil } || relationships.contains { $0.identifier != nil }
  }
}

extension EntityHierarchy {
  /// True for an abstract entity whose sub-entities have the rows and decide about conversions.
  func hasOnlySubentities(_ entity: String) -> Bool {
    self.entity(named: entity)?.isAbstract == true && family(of: entity).contains { !$0.isAbstract }
  }
}

/// The parts of a model that decide the pairs of entities, and if their tables can be merged.
struct ModelShape: Hashable {
  /// An entity's names and its position.
  struct Member: Hashable {
    let name: HashedText
    let identifier: String?
    let superentity: String?
  }

  let members: Set<Member>

  init(_ hierarchy: EntityHierarchy) {
    members = Set(
      hierarchy.model.entities.map {
        Member(name: HashedText($0.name), identifier: $0.renamingIdentifier, superentity: $0.superentityName)
      })
  }
}
