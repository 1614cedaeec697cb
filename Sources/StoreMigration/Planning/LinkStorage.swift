import ModelDescription
import PersistentStores

/// The table that holds the links of a relationship and its columns, seen from the side of that relationship.
enum LinkStorage: Hashable {
  /// A column of this side's table.
  case column(table: String, column: String)
  /// A column of the other side's table, with the column of the order that this side's to-many keeps.
  case foreignColumn(table: String, column: String, order: String?)
  /// A join table; `order` is the order this side keeps, `inverseOrder` the other side's.
  case join(table: String, near: String, far: String, order: String?, inverseOrder: String?)
}

extension StoreModel {
  /// Where the links of a relationship are kept, nil for a transient or broken one.
  func linkStorage(of address: PropertyAddress) -> LinkStorage? {
    switch layout.storage(ofRelationship: address, in: hierarchy) {
    case .toOne(let table, let column, _, _):
      .column(table: table, column: column)
    case .owner(let table, let column, let order):
      .foreignColumn(table: table, column: column, order: order)
    case .join(let table, let near, let far, let inverseOrder, let order):
      .join(table: table, near: near, far: far, order: order, inverseOrder: inverseOrder)
    case .inverseOfToOne(let inverse):
      place(.toOne(inverse)).map { place in
        .foreignColumn(
          table: place.table.name, column: place.column.name, order: self.place(.toOneOrder(inverse))?.column.name)
      }
    case nil: nil
    }
  }
}
