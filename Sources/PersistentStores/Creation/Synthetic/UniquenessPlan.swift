import ModelDescription

/// Which attributes and relationships must differ from row to row so that every uniqueness constraint holds.
///
/// A unique index spans the whole table, so that values are made unique over the table, not only over the entity.
struct UniquenessPlan {
  /// The divisor of the row's number, by attribute.
  private(set) var divisors: [PropertyAddress: Int] = [:]
  /// The to-one relationships of which no two rows may refer to the same one.
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
    guard let toOne else {
      throw .tooFewValues(entity: entity, constraint: constraint, values: product, rows: rows)
    }
    injective.insert(PropertyAddress(entity: toOne.entity.name, property: toOne.property.name))
  }
}
