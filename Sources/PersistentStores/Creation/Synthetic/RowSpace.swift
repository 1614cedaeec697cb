import ModelDescription

/// A run of primary keys in a root entity's table.
struct RowRange: Hashable {
  let root: String
  let start: Int
  let count: Int

  func primaryKey(at position: Int) -> Int { start + position + 1 }

  /// How many rows may refer to these when at most so many may refer to each; 0 or less allows any number.
  func capacity(forEach most: Int) -> Int {
    guard most > 0 else { return Int.max }
    let product = count.multipliedReportingOverflow(by: most)
    return product.overflow ? Int.max : product.partialValue
  }
}

/// The primary keys of the synthetic rows of each entity.
///
/// The rows of an entity are followed by those of its subentities, depth first. All objects of an entity, including its
/// subentities, are therefore one range.
struct RowSpace {
  let rowsPerEntity: Int
  private let counts: [String: Int]
  private var ranges: [String: RowRange] = [:]
  private var numbers: [String: [(end: Int, number: Int)]] = [:]
  /// The entities that have rows, in the order they are written.
  private(set) var concreteEntities: [EntityDescription] = []

  init(hierarchy: EntityHierarchy, layout: SQLStoreLayout, rowsPerEntity: Int) {
    self.rowsPerEntity = rowsPerEntity
    let counts = RowCounts(hierarchy: hierarchy, rowsPerEntity: rowsPerEntity).counts
    self.counts = counts
    let entityNumbers = Dictionary(layout.entityNumbers.map { ($0.name, $0.number) }) { first, _ in first }
    for root in hierarchy.roots {
      let family = hierarchy.family(of: root.name)
      let concrete = family.filter { !$0.isAbstract }
      concreteEntities += concrete
      var start = 0
      for entity in family {
        let below = hierarchy.family(of: entity.name).reduce(0) { $0 + counts[$1.name, default: 0] }
        ranges[entity.name] = RowRange(root: root.name, start: start, count: below)
        guard !entity.isAbstract else { continue }
        start += counts[entity.name, default: 0]
        if let number = entityNumbers[entity.name] { numbers[root.name, default: []].append((start, number)) }
      }
    }
  }

  func rows(of entity: String) -> RowRange { ranges[entity] ?? RowRange(root: entity, start: 0, count: 0) }

  func ownRows(of entity: EntityDescription) -> RowRange {
    let all = rows(of: entity.name)
    return RowRange(root: all.root, start: all.start, count: counts[entity.name, default: 0])
  }

  /// The entity numbers of a root's table, each with the last primary key that has it.
  func entityNumbers(ofRoot root: String) -> [(end: Int, number: Int)] { numbers[root] ?? [] }

  var total: Int { concreteEntities.reduce(0) { $0 + counts[$1.name, default: 0] } }
}

/// The number of rows of every entity, so that each row can have its required links.
///
/// An entity gets fewer rows than requested if there are too few destination objects for a minimum or maximum count.
struct RowCounts {
  private let hierarchy: EntityHierarchy
  private(set) var counts: [String: Int] = [:]

  /// The maximum number of passes over the relationships; counts that depend on each other in a circle are then
  /// accepted as they are.
  private static let rounds = 8
  /// The maximum count of links that is considered, so that no product overflows.
  private static let mostLinks = 1 << 16

  init(hierarchy: EntityHierarchy, rowsPerEntity: Int) {
    self.hierarchy = hierarchy
    for entity in hierarchy.model.entities where !entity.isAbstract { counts[entity.name] = rowsPerEntity }
    guard rowsPerEntity > 0 else { return }
    let ends = hierarchy.model.entities.flatMap { entity in
      entity.relationships.compactMap { RelationshipEnds($0, declaredBy: entity.name, in: hierarchy) }
    }.filter(\.limitsRows)
    for _ in 0..<Self.rounds where !ends.isEmpty {
      let previous = counts
      for end in ends { limit(end) }
      if previous == counts { break }
    }
  }

  /// Reduces the rows at one end if the other end cannot link all of them.
  private mutating func limit(_ ends: RelationshipEnds) {
    guard let inverse = ends.inverse?.relationship, !ends.isReflexive else { return }
    let (near, far) = (rows(of: ends.address.entity), rows(of: ends.destination.name))
    guard near > 0, far > 0 else { return }
    let least = min(ends.relationship.leastLinks, Self.mostLinks)
    guard least > 0 else { return }
    // Each object at the far end has at most so many links.
    let most = inverse.isToMany ? min(inverse.maxCount, Self.mostLinks) : 1
    guard most > 0, near * least > far * most else { return }
    scale(ends.address.entity, by: Double(far * most) / Double(near * least))
  }

  private func rows(of entity: String) -> Int {
    hierarchy.family(of: entity).reduce(0) { $0 + counts[$1.name, default: 0] }
  }

  private mutating func scale(_ entity: String, by factor: Double) {
    for member in hierarchy.family(of: entity) {
      guard let count = counts[member.name] else { continue }
      counts[member.name] = max(1, Int(Double(count) * factor))
    }
  }
}

extension RelationshipEnds {
  /// True if one end can require more links than the other end allows.
  fileprivate var limitsRows: Bool { relationship.leastLinks > 0 && inverse != nil }
}

/// The pseudo-random generator SplitMix64: small, fast and the same everywhere.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Spreads the bits of a number.
  static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A seed for a single property, so that adding a property does not change the values of other properties.
  static func seed(_ seed: UInt64, for address: PropertyAddress) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(address.entity).\(address.property)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return mix(seed &+ mix(hash))
  }
}

/// The attributes and relationships that must differ in every row to satisfy the uniqueness constraints.
///
/// A unique index covers the complete table, so values are unique in the table and not only in the entity.
struct UniquenessPlan {
  /// The divisor of the row's number, by attribute.
  private(set) var divisors: [PropertyAddress: Int] = [:]
  /// The to-one relationships whose rows must all refer to different rows.
  private(set) var injective: Set<PropertyAddress> = []

  init(hierarchy: EntityHierarchy, space: RowSpace, seed: UInt64) throws(StoreCreationError) {
    for entity in hierarchy.numberedEntities {
      let rows = space.rows(of: hierarchy.rootName(of: entity.name)).count
      for constraint in entity.uniquenessConstraints where !constraint.isEmpty && rows > 1 {
        try add(constraint, of: entity.name, rows: rows, hierarchy: hierarchy, seed: seed)
      }
    }
  }

  private mutating func add(
    _ constraint: [String], of entity: String, rows: Int, hierarchy: EntityHierarchy, seed: UInt64
  ) throws(StoreCreationError) {
    let declared = hierarchy.allAttributes(of: entity)
    let attributes = constraint.compactMap { name in
      declared[name].map { (PropertyAddress(entity: $0.entity.name, property: name), $0.property) }
    }.filter { SQLColumn.DeclaredType($0.1.type) != nil && !$0.1.isTransient }
    if attributes.contains(where: { divisors[$0.0] == 1 && ValueDomain($0.1, seed: seed).count >= rows }) { return }
    let domains = attributes.map { (address: $0.0, count: ValueDomain($0.1, seed: seed).count) }
    if let sufficient = domains.first(where: { $0.count >= rows && divisors[$0.address] == nil }) {
      divisors[sufficient.address] = 1
      return
    }
    var product = 1
    for domain in domains where product < rows {
      divisors[domain.address] = product
      product = product.multipliedReportingOverflow(by: domain.count).overflow ? rows : product * domain.count
    }
    guard product < rows else { return }
    let relationships = hierarchy.allRelationships(of: entity)
    let toOne = constraint.compactMap { relationships[$0] }.first { !$0.property.isToMany && $0.property.isOptional }
    guard let toOne else { throw .tooFewValues(entity: entity, constraint: constraint, values: product, rows: rows) }
    injective.insert(PropertyAddress(entity: toOne.entity.name, property: toOne.property.name))
  }
}
