import ModelDescription

/// Where the attributes and to-one relationships of a model are stored.
struct StoredColumns {
  private let hierarchy: EntityHierarchy
  private var columns: [PropertyAddress: SQLColumn] = [:]
  private var owners: [PropertyAddress: SQLColumn] = [:]
  private var tables: [String: String] = [:]

  init(hierarchy: EntityHierarchy, tables: [SQLTable]) {
    self.hierarchy = hierarchy
    for table in tables {
      guard case .hierarchy(let root) = table.content else { continue }
      self.tables[root] = table.name
      for column in table.columns {
        switch column.role {
        case .attribute(let address), .toOne(let address): columns[address] = column
        case .toManyOwner(let address): owners[address] = column
        default: break
        }
      }
    }
  }

  /// The table that holds the rows of an entity.
  func table(of entity: String) -> String? { tables[hierarchy.rootName(of: entity)] }

  /// The column of an attribute or to-one relationship of an entity, its own or inherited.
  func column(of property: String, in entity: String) -> SQLColumn? {
    for ancestor in hierarchy.lineage(of: entity) {
      if let column = columns[PropertyAddress(entity: ancestor.name, property: property)] { return column }
    }
    return nil
  }

  /// The column that a to-many without inverse has in the table of its destination.
  func ownerColumn(of address: PropertyAddress) -> SQLColumn? { owners[address] }
}
