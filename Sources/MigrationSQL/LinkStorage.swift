import ModelDescription
package import PersistentStores

/// The table that holds the links of a relationship and its columns, seen from the side of that relationship.
package enum LinkStorage: Hashable {
  /// A column of this side's table.
  case column(table: String, column: String)
  /// A column of the other side's table, with the column of the order that this side's to-many keeps.
  case foreignColumn(table: String, column: String, order: String?)
  /// A join table; `order` is the order this side keeps, `inverseOrder` the other side's.
  case join(table: String, near: String, far: String, order: String?, inverseOrder: String?)
}

extension StoreModel {
  /// Returns the storage of a relationship's links; nil for a transient or broken relationship.
  package func linkStorage(of address: PropertyAddress) -> LinkStorage? {
    switch layout.storage(ofRelationship: address, in: hierarchy) {
    case .toOne(let table, let column, _, _): .column(table: table, column: column)
    case .owner(let table, let column, let order): .foreignColumn(table: table, column: column, order: order)
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

  /// Returns SQL that selects the links of a relationship from the tables of this model.
  ///
  /// The query's `place` is the position of the far object among the near object's links, and `inversePlace` is the
  /// reverse.
  ///
  /// - Parameters:
  ///   - isForward: true to see the links from the relationship's own side; false to see them from its destination's
  ///     side.
  ///   - conditions: further conditions, given the columns of the relationship's own side and of the other side.
  /// - Returns: a query of `near` and `far`, and the two positions in ordered relationships, NULL without an order; nil
  ///   for a relationship that is not stored.
  package func linkQuery(
    along address: PropertyAddress, isForward: Bool,
    where conditions: (_ own: SQLStatement, _ other: SQLStatement) -> [SQLStatement] = { _, _ in [] }
  ) -> SQLStatement? {
    guard let storage = linkStorage(of: address) else { return nil }
    let (table, own, other, order, inverseOrder): (String, String, String, String?, String?) =
      switch storage {
      case .column(let table, let column): (table, "Z_PK", column, nil, place(.toOneOrder(address))?.column.name)
      case .foreignColumn(let table, let column, let order): (table, column, "Z_PK", order, nil)
      case .join(let table, let near, let far, let order, let inverseOrder): (table, near, far, order, inverseOrder)
      }
    let place: SQLStatement = order.map { "\(name: $0)" } ?? "NULL"
    let inversePlace: SQLStatement = inverseOrder.map { "\(name: $0)" } ?? "NULL"
    let (first, second): (SQLStatement, SQLStatement) = ("\(name: own)", "\(name: other)")
    let columns: SQLStatement =
      isForward
      ? "\(first) AS near, \(second) AS far, \(place) AS place, \(inversePlace) AS inversePlace"
      : "\(second) AS near, \(first) AS far, \(inversePlace) AS place, \(place) AS inversePlace"
    let present: [SQLStatement] = ["\(first) IS NOT NULL", "\(second) IS NOT NULL"]
    return """
      SELECT \(columns) FROM \(name: table) WHERE \((present + conditions(first, second)).joined(" AND "))
      """
  }
}
