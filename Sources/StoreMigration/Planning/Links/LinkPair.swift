import MigrationSQL
import ModelDescription
import PersistentStores

/// A destination relationship with its inverse: one set of links, seen from the relationship whose column or table keeps
/// them.
struct LinkPair {
  /// The columns or the table that store the links.
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

  var isReflexive: Bool { inverse == address }

  /// True if a near object can have one far object only.
  var isNearLimited: Bool {
    switch storage {
    case .toOne, .oneToOne: true
    case .owner, .join: false
    }
  }

  /// True if a far object can have one near object only.
  var isFarLimited: Bool {
    switch storage {
    case .oneToOne, .owner: true
    case .toOne, .join: false
    }
  }

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

/// Links between the objects of two mappings, which one origin gives.
struct LinkAtom: Hashable {
  /// The position of the mapping that makes the near objects.
  let near: Int
  /// The position of the mapping that makes the far objects.
  let far: Int
  /// Which near source object leads to which far one.
  let origin: LinkOrigin
  let turn: Turn

  /// The order in which Core Data writes relationships: by mapping, by object, by name.
  struct Turn: Hashable {
    /// The position of the mapping whose object is written to.
    let mapping: Int
    /// The place of the property among the mapping's.
    let property: Int
    let isNear: Bool
  }

  /// The same links seen from the other side.
  var turned: LinkAtom {
    LinkAtom(
      near: far, far: near, origin: origin.turned,
      turn: Turn(mapping: turn.mapping, property: turn.property, isNear: !turn.isNear))
  }

  /// True for links between the same objects, regardless of the side that writes them.
  func hasSameLinks(as other: LinkAtom) -> Bool { near == other.near && far == other.far && origin == other.origin }
}

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
    (self.address, self.table, self.near, self.far) = (address, table, near, far)
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
