import MigrationSQL
import ModelDescription
import PersistentStores

/// The columns that keep links in the rows of one side.
struct LinkSide {
  /// The relationship: a to-one of the rows that have the column, or a to-many without inverse that leads to them.
  let address: PropertyAddress
  /// True when the near side has the column.
  let isNear: Bool
  let table: SQLTable
  let column: SQLColumn
  /// The column of the other object's entity number.
  let companion: SQLColumn?
  /// The column of this object's place among those of the other.
  let order: SQLColumn?

  /// Takes the column of a to-one, or that of the owner in a to-many without inverse, or the order column of either.
  ///
  /// - Returns: nil for another column.
  init?(_ column: SQLColumn, of table: SQLTable, isNear: Bool? = nil) {
    switch column.role {
    case .toOne(let address), .toOneOrder(let address):
      guard let link = table.column(.toOne(address)) else { return nil }
      (self.address, self.isNear, self.column) = (address, isNear ?? true, link)
      companion = table.column(.toOneEntity(address))
      order = table.column(.toOneOrder(address))
    case .toManyOwner(let address), .toManyOwnerOrder(let address):
      guard let link = table.column(.toManyOwner(address)) else { return nil }
      (self.address, self.isNear, self.column) = (address, false, link)
      companion = nil
      order = table.column(.toManyOwnerOrder(address))
    default: return nil
    }
    self.table = table
  }

  /// The columns of a pair; none for one that has a table of its own.
  static func sides(of pair: LinkPair) -> [LinkSide] {
    switch pair.storage {
    case .toOne(let table, let column), .owner(let table, let column): [LinkSide(column, of: table)].compactMap(\.self)
    case .oneToOne(let near, let column, let far, let inverseColumn):
      [LinkSide(column, of: near), LinkSide(inverseColumn, of: far, isNear: false)].compactMap(\.self)
    case .join: []
    }
  }

  /// The columns of a link with their values; a column without a value is left out.
  ///
  /// - Parameters:
  ///   - key: the other object's key.
  ///   - number: the other object's entity number.
  ///   - place: this object's place among those of the other.
  /// - Returns: the names of the columns, each with its value.
  func values(
    key: SQLStatement, number: SQLStatement?, place: SQLStatement?
  ) -> [(column: String, value: SQLStatement)] {
    [column.holding(key), companion?.holding(number), order?.holding(place)].compactMap(\.self)
  }
}

extension SQLColumn {
  /// The column's name with a value, nil where there is none.
  func holding(_ value: SQLStatement?) -> (column: String, value: SQLStatement)? { value.map { (name, $0) } }
}
