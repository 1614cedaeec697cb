import ModelDescription
import PersistentStores

/// Which source object leads to which other.
enum LinkOrigin: Hashable {
  /// The source object itself.
  case same
  /// A source relationship; when it is not forward, from its destination back.
  case relationship(PropertyAddress, isForward: Bool)
  /// A query of `near`, `far` and `place`; when it is not forward, from far to near.
  case query(SQLStatement, isForward: Bool)

  /// The same links from the other side.
  var turned: LinkOrigin {
    switch self {
    case .same: .same
    case .relationship(let address, let isForward): .relationship(address, isForward: !isForward)
    case .query(let query, let isForward): .query(query, isForward: !isForward)
    }
  }
}

extension StoreModel {
  /// The same links by the side of a relationship that is first by name, so that equal ones are told as equal.
  func canonical(_ origin: LinkOrigin) -> LinkOrigin {
    guard case .relationship(let address, let isForward) = origin, let inverse = inverse(of: address),
      linkStorage(of: inverse) != nil, self.inverse(of: inverse) == address
    else { return origin }
    if inverse == address { return .relationship(address, isForward: true) }
    return inverse.description < address.description ? .relationship(inverse, isForward: !isForward) : origin
  }

  /// Selects the links of an origin: `near`, `far`, and the place of each in the other's order where there is one.
  ///
  /// - Parameter table: the table of the near objects.
  func links(from origin: LinkOrigin, table: SQLTable) -> SQLStatement {
    switch origin {
    case .same:
      return """
        SELECT \(name: "Z_PK") AS near, \(name: "Z_PK") AS far, NULL AS place, NULL AS inversePlace \
        FROM \(name: table.name)
        """
    case .query(let query, let isForward):
      return isForward
        ? "SELECT near, far, place, NULL AS inversePlace FROM (\(query))"
        : "SELECT far AS near, near AS far, NULL AS place, place AS inversePlace FROM (\(query))"
    case .relationship(let address, let isForward): return links(along: address, isForward: isForward)
    }
  }

  private func links(along address: PropertyAddress, isForward: Bool) -> SQLStatement {
    guard let storage = linkStorage(of: address) else {
      return "SELECT NULL AS near, NULL AS far, NULL AS place, NULL AS inversePlace WHERE 0"
    }
    let (table, near, far, order, inverseOrder): (String, String, String, String?, String?) =
      switch storage {
      case .column(let table, let column): (table, "Z_PK", column, nil, place(.toOneOrder(address))?.column.name)
      case .foreignColumn(let table, let column, let order): (table, column, "Z_PK", order, nil)
      case .join(let table, let near, let far, let order, let inverseOrder): (table, near, far, order, inverseOrder)
      }
    let place: SQLStatement = order.map { "\(name: $0)" } ?? "NULL"
    let inversePlace: SQLStatement = inverseOrder.map { "\(name: $0)" } ?? "NULL"
    let (first, second): (SQLStatement, SQLStatement) = ("\(name: near)", "\(name: far)")
    let columns: SQLStatement =
      isForward
      ? "\(first) AS near, \(second) AS far, \(place) AS place, \(inversePlace) AS inversePlace"
      : "\(second) AS near, \(first) AS far, \(inversePlace) AS place, \(place) AS inversePlace"
    return "SELECT \(columns) FROM \(name: table) WHERE \(first) IS NOT NULL AND \(second) IS NOT NULL"
  }
}
