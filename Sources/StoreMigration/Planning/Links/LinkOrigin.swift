import MigrationSQL
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
  /// The same links by the side of a relationship that is first by name, so that equal ones are known as equal.
  func canonical(_ origin: LinkOrigin) -> LinkOrigin {
    guard case .relationship(let address, let isForward) = origin, let inverse = inverse(of: address),
      linkStorage(of: inverse) != nil, self.inverse(of: inverse) == address
    else { return origin }
    if inverse == address { return .relationship(address, isForward: true) }
    return inverse.description < address.description ? .relationship(inverse, isForward: !isForward) : origin
  }

  /// Selects the links of an origin from objects of a table: `near`, `far`, and the place of each in the other's order
  /// where there is one.
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
    case .relationship(let address, let isForward):
      return linkQuery(along: address, isForward: isForward)
        ?? "SELECT NULL AS near, NULL AS far, NULL AS place, NULL AS inversePlace WHERE 0"
    }
  }
}
