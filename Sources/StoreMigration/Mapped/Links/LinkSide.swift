import ModelDescription
import PersistentStores

/// A column that keeps the links of a pair in the rows of one side.
struct LinkSide {
  /// True when the near side has the column.
  let isNear: Bool
  let table: SQLTable
  let column: SQLColumn
  /// The column of the other object's entity number.
  let companion: SQLColumn?
  /// The column of this object's place among those of the other.
  let order: SQLColumn?

  private init(toOne address: PropertyAddress, isNear: Bool, _ table: SQLTable, _ column: SQLColumn) {
    self.isNear = isNear
    self.table = table
    self.column = column
    companion = table.column(.toOneEntity(address))
    order = table.column(.toOneOrder(address))
  }

  private init(owner address: PropertyAddress, _ table: SQLTable, _ column: SQLColumn) {
    isNear = false
    self.table = table
    self.column = column
    companion = nil
    order = table.column(.toManyOwnerOrder(address))
  }

  /// The columns of a pair; none for one that has a table of its own.
  static func sides(of pair: LinkPair) -> [LinkSide] {
    switch pair.storage {
    case .toOne(let table, let column): [LinkSide(toOne: pair.address, isNear: true, table, column)]
    case .owner(let table, let column): [LinkSide(owner: pair.address, table, column)]
    case .oneToOne(let near, let column, let far, let inverseColumn):
      [LinkSide(toOne: pair.address, isNear: true, near, column)]
        + (pair.inverse.map { [LinkSide(toOne: $0, isNear: false, far, inverseColumn)] } ?? [])
    case .join: []
    }
  }
}
