public import ModelDescription
public import PersistentStores

/// A model together with the SQL layout of a store of it.
public struct StoreModel: Sendable {
  /// The model.
  public let hierarchy: EntityHierarchy
  /// The tables, columns and entity numbers: of the file for a source, or of a new store for a destination.
  public let layout: SQLStoreLayout
  /// True for a store that represents a store of a different type, and has an `ExactValueTable`.
  package var keepsExactValues = false
  private let places: [SQLColumn.Role: (table: Int, column: SQLColumn)]
  private let numbers: [String: Int]
  /// The positions of the tables of root entities.
  private let roots: [String: Int]

  /// Indexes a layout by the roles of its columns.
  public init(hierarchy: EntityHierarchy, layout: SQLStoreLayout) {
    (self.hierarchy, self.layout) = (hierarchy, layout)
    var places: [SQLColumn.Role: (table: Int, column: SQLColumn)] = [:]
    var roots: [String: Int] = [:]
    for (position, table) in layout.tables.enumerated() {
      if case .hierarchy(let root) = table.content, roots[root] == nil { roots[root] = position }
      for column in table.columns {
        switch column.role {
        case .primaryKey, .entityNumber, .optimisticLock: continue
        default: places[column.role] = (position, column)
        }
      }
    }
    (self.places, self.roots) = (places, roots)
    numbers = Dictionary(layout.entityNumbers.map { ($0.name, $0.number) }) { first, _ in first }
  }

  /// The number of an entity.
  public func number(of entity: String) -> Int? { numbers[entity] }

  package func place(_ role: SQLColumn.Role) -> (table: SQLTable, column: SQLColumn)? {
    places[role].map { (layout.tables[$0.table], $0.column) }
  }

  package func table(ofEntity name: String) -> SQLTable? {
    let root = hierarchy.rootName(of: name)
    return roots[root].map { layout.tables[$0] }
  }

  /// Returns the address of an attribute, by leaf path, at the entity that declares it.
  package func address(ofAttribute path: String, in entity: String) -> PropertyAddress? {
    hierarchy.allAttributes(of: entity)[PropertyAddress.property(ofPath: path)].map {
      PropertyAddress(entity: $0.entity.name, property: path)
    }
  }

  /// Returns the address of a relationship at the entity that declares it.
  package func address(ofRelationship name: String, in entity: String) -> PropertyAddress? {
    hierarchy.allRelationships(of: entity)[name].map { PropertyAddress(entity: $0.entity.name, property: name) }
  }

  package func relationship(_ address: PropertyAddress) -> RelationshipDescription? {
    guard let found = hierarchy.allRelationships(of: address.entity)[address.property],
      found.entity.name == address.entity
    else { return nil }
    return found.property
  }

  package func inverse(of address: PropertyAddress) -> PropertyAddress? {
    guard let relationship = relationship(address), let inverse = relationship.inverseName,
      let destination = relationship.destinationEntityName
    else { return nil }
    return self.address(ofRelationship: inverse, in: destination)
  }

  package func familyNumbers(of entity: String) -> [Int] {
    hierarchy.family(of: entity).compactMap { number(of: $0.name) }
  }

  /// Returns the warnings of this layout that another layout does not have.
  package func newWarnings(since other: StoreModel) -> [LayoutWarning] {
    let known = Set(other.layout.warnings)
    return layout.warnings.filter { !known.contains($0) }
  }
}
