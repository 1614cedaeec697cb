import MigrationSQL
import ModelDescription
import PersistentStores

/// A join table by what its columns hold of a link.
struct LinkTable {
  /// The relationship whose side is near.
  let address: PropertyAddress
  let table: SQLTable
  let near: SQLColumn
  let far: SQLColumn
  /// The column of the far object's place among those of the near one.
  let order: SQLColumn?
  /// The column of the near object's place among those of the far one.
  let inverseOrder: SQLColumn?

  /// Returns nil for a table that holds no links.
  init?(_ table: SQLTable) {
    guard case .join(let address) = table.content, let near = table.column(.joinSource(address)),
      let far = table.column(.joinDestination(address))
    else { return nil }
    self.address = address
    self.table = table
    self.near = near
    self.far = far
    order = table.column(.joinDestinationOrder(address))
    inverseOrder = table.column(.joinSourceOrder(address))
  }

  /// The columns of a link with their values; an order column without a value is left out.
  func values(
    near: SQLStatement, far: SQLStatement, place: SQLStatement? = nil, inversePlace: SQLStatement? = nil
  ) -> [(column: String, value: SQLStatement)] {
    [
      self.near.holding(near), self.far.holding(far), order?.holding(place), inverseOrder?.holding(inversePlace),
    ].compactMap(\.self)
  }
}
