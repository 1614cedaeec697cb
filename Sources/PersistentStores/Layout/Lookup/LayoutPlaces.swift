import ModelDescription

/// What is looked up in a layout.
struct LayoutPlaces: Sendable {
  private(set) var numbers: [String: Int] = [:]
  private(set) var names: [Int: String] = [:]
  private(set) var superentities: [String: String] = [:]
  private(set) var children: [String: [String]] = [:]
  /// The positions of tables by their names.
  private(set) var tables: [String: Int] = [:]
  /// The positions of the tables of root entities.
  private(set) var roots: [String: Int] = [:]
  /// The positions of join tables by the relationships that name them.
  private(set) var joins: [PropertyAddress: Int] = [:]
  private(set) var columns: [SQLColumn.Role: SQLColumn] = [:]

  /// Looks a layout through once.
  init(_ layout: SQLStoreLayout) {
    for entity in layout.entityNumbers {
      if numbers[entity.name] == nil { numbers[entity.name] = entity.number }
      if names[entity.number] == nil { names[entity.number] = entity.name }
    }
    for entity in layout.entityNumbers where entity.superentityNumber != 0 {
      guard let parent = names[entity.superentityNumber], superentities[entity.name] == nil else { continue }
      superentities[entity.name] = parent
      children[parent, default: []].append(entity.name)
    }
    for (position, table) in layout.tables.enumerated() {
      if tables[table.name] == nil { tables[table.name] = position }
      switch table.content {
      case .hierarchy(let root): if roots[root] == nil { roots[root] = position }
      case .join(let naming): if joins[naming] == nil { joins[naming] = position }
      }
      for column in table.columns {
        switch column.role {
        case .primaryKey, .entityNumber, .optimisticLock: continue
        default: if columns[column.role] == nil { columns[column.role] = column }
        }
      }
    }
  }
}
