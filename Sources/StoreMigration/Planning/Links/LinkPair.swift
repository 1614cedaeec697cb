import MigrationSQL
import ModelDescription
import PersistentStores

/// A destination relationship with its inverse: one set of links, seen from the relationship whose column or table keeps
/// them.
struct LinkPair {
  /// Where the links are kept.
  enum Storage {
    /// In a column of the near side; the inverse is to-many or not there.
    case toOne(SQLTable, column: SQLColumn)
    /// In a column of each side.
    case oneToOne(near: SQLTable, column: SQLColumn, far: SQLTable, inverseColumn: SQLColumn)
    /// In a column of the far side, because the near side is a to-many without inverse.
    case owner(SQLTable, column: SQLColumn)
    /// In a table of their own.
    case join(LinkTable)
  }

  /// The relationship whose side is near.
  let address: PropertyAddress
  /// The other side's relationship.
  let inverse: PropertyAddress?
  let storage: Storage

  /// True for a relationship that is its own inverse.
  var isReflexive: Bool { inverse == address }

  /// True when a near object can have one far object only.
  var isNearLimited: Bool {
    switch storage {
    case .toOne, .oneToOne: true
    case .owner, .join: false
    }
  }

  /// True when a far object can have one near object only.
  var isFarLimited: Bool {
    switch storage {
    case .oneToOne, .owner: true
    case .toOne, .join: false
    }
  }
}

extension LinkPair {
  /// The pairs of a model that are stored, in the layout's order.
  static func pairs(of model: StoreModel) -> [LinkPair] {
    model.layout.tables.flatMap { table -> [LinkPair] in
      if let join = LinkTable(table) {
        return [LinkPair(address: join.address, inverse: model.inverse(of: join.address), storage: .join(join))]
      }
      return table.columns.compactMap { column in
        switch column.role {
        case .toOne(let address): toOne(address, table, column, in: model)
        case .toManyOwner(let address): LinkPair(address: address, inverse: nil, storage: .owner(table, column: column))
        default: nil
        }
      }
    }
  }

  private static func toOne(
    _ address: PropertyAddress, _ table: SQLTable, _ column: SQLColumn, in model: StoreModel
  ) -> LinkPair? {
    let inverse = model.inverse(of: address)
    guard let inverse, let place = model.place(.toOne(inverse)) else {
      return LinkPair(address: address, inverse: inverse, storage: .toOne(table, column: column))
    }
    guard address.description <= inverse.description else { return nil }
    return LinkPair(
      address: address, inverse: inverse,
      storage: .oneToOne(near: table, column: column, far: place.table, inverseColumn: place.column))
  }
}
