import MigrationSQL
import ModelDescription
import PersistentStores

/// Writes links where the destination keeps them, whatever query gives them.
///
/// ``LinkSide`` and ``LinkTable`` know the columns, `SQLStatement.place(ofElement:)` the numbers of ordered ones. What
/// ``GatheredLinks`` has gathered is numbered there; a row's own columns are written with the row, by ``DirectLinks``,
/// and links of removed doubles are moved by `Deduplication`.
struct LinkWriter {
  let links: LinkQuery
  let destination: StoreModel

  // MARK: Join tables

  /// Fills a join table, with the places that the query gives or with new ones by ascending key.
  func fill(_ join: LinkTable) -> PlanStep {
    insert(
      into: join,
      join.values(
        near: links.near, far: links.far,
        place: place(links.place, among: links.near, by: links.far),
        inversePlace: place(links.inversePlace, among: links.far, by: links.near)),
      cause: links.cause)
  }

  /// Adds every link in the other direction, which a relationship keeps that is its own inverse.
  func mirror(_ join: LinkTable, cause: PlanCause) -> PlanStep {
    insert(into: join, join.values(near: links.far, far: links.near), cause: cause)
  }

  private func insert(
    into join: LinkTable, _ values: [(column: String, value: SQLStatement)], cause: PlanCause
  ) -> PlanStep {
    let (insertion, grouping): (SQLStatement, SQLStatement) =
      switch links.repetition {
      case .ignored: ("INSERT OR IGNORE", "")
      case .grouped: ("INSERT", " GROUP BY \(links.near), \(links.far) ORDER BY \(links.near), \(links.far)")
      }
    return PlanStep(
      """
      \(insertion) INTO \(name: join.table.name) (\(.names(values.map(\.column)))) \
      SELECT \(values.map(\.value).joined()) FROM \(links.rows)\(grouping)
      """, cause: cause, rows: links.count, writing: .rows(of: join.table.name))
  }

  private func place(_ place: SQLStatement?, among group: SQLStatement, by key: SQLStatement) -> SQLStatement {
    guard let place else { return .place(ofElement: "row_number() OVER (PARTITION BY \(group) ORDER BY \(key))") }
    return switch links.repetition {
    case .ignored: place
    case .grouped: "MIN(\(place))"
    }
  }

  // MARK: Columns

  /// Fills the columns of one side; without places its order column is left to ``number(_:cause:rows:)``.
  func fill(_ side: LinkSide) -> PlanStep {
    let (own, other, place) =
      side.isNear ? (links.near, links.far, links.inversePlace) : (links.far, links.near, links.place)
    let key: SQLStatement = "\(name: "Z_PK")"
    let assignments: SQLStatement
    switch links.repetition {
    case .ignored:
      let first: (SQLStatement) -> SQLStatement = { value in
        """
        (SELECT \(value) FROM \(links.rows) WHERE \(own) = \(name: side.table.name).\(key) \
        ORDER BY \(name: "place"), \(name: "far"), \(name: "near") LIMIT 1)
        """
      }
      let values = side.values(
        key: first(other), number: number("\(name: "Z_ENT")", ofRow: first(other), in: side), place: place.map(first))
      assignments = values.map { "\(name: $0.column) = \($0.value)" as SQLStatement }.joined()
    case .grouped:
      let values = side.values(
        key: other, number: number("target.\(name: "Z_ENT")", ofRow: other, in: side), place: place)
      let order = place ?? other
      assignments = """
        (\(.names(values.map(\.column)))) = (SELECT \(values.map(\.value).joined()) FROM \(links.rows) \
        WHERE \(own) = \(name: side.table.name).\(key) ORDER BY \(order) LIMIT 1)
        """
    }
    let numbers = side.isNear ? links.nearNumbers : nil
    let isOfEntity: SQLStatement = numbers.map { " AND \(name: "Z_ENT") IN (\(.list($0)))" } ?? ""
    return PlanStep(
      """
      UPDATE \(name: side.table.name) SET \(assignments) \
      WHERE \(key) IN (SELECT \(own) FROM \(links.rows))\(isOfEntity)
      """, cause: links.cause, rows: links.count, writing: .rows(of: side.table.name))
  }

  /// The entity number of the row that a side leads to, nil if the model does not say to which table.
  private func number(_ column: SQLStatement, ofRow key: SQLStatement, in side: LinkSide) -> SQLStatement? {
    let target = destination.relationship(side.address)?.destinationEntityName.flatMap(destination.table(ofEntity:))
    return target.map { "(SELECT \(column) FROM \(name: $0.name) AS target WHERE target.\(name: "Z_PK") = \(key))" }
  }

  /// Numbers the rows of an ordered to-many that had no order, by ascending key.
  ///
  /// - Parameters:
  ///   - side: where the links are kept.
  ///   - cause: why there was no order.
  ///   - rows: how many rows the table has at the most.
  /// - Returns: the step, nil for a side without order.
  static func number(_ side: LinkSide, cause: PlanCause, rows: Int) -> PlanStep? {
    guard let order = side.order else { return nil }
    let (table, link): (SQLStatement, SQLStatement) = ("\(name: side.table.name)", "\(name: side.column.name)")
    let key: SQLStatement = "\(name: "Z_PK")"
    return PlanStep(
      """
      UPDATE \(table) SET \(name: order.name) = \(.place(ofElement: "numbered.place")) FROM (SELECT \(key) AS row, \
      row_number() OVER (PARTITION BY \(link) ORDER BY \(key)) AS place FROM \(table) \
      WHERE \(link) IS NOT NULL) AS numbered WHERE numbered.row = \(table).\(key)
      """, cause: cause, rows: rows, writing: .columns([order.name], of: side.table.name))
  }
}

/// The columns that keep links in the rows of one side.
struct LinkSide {
  /// The relationship: a to-one of the rows that have the column, or a to-many without inverse that leads to them.
  let address: PropertyAddress
  let isNear: Bool
  let table: SQLTable
  let column: SQLColumn
  /// The column of the other object's entity number.
  let companion: SQLColumn?
  /// The column of this object's place among those of the other.
  let order: SQLColumn?

  /// Takes the column of a to-one, or that of the owner in a to-many without inverse, or the order column of either;
  /// nil for another column.
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
  func values(
    key: SQLStatement, number: SQLStatement?, place: SQLStatement?
  ) -> [(column: String, value: SQLStatement)] {
    [column.holding(key), companion?.holding(number), order?.holding(place)].compactMap(\.self)
  }
}

extension SQLColumn {
  /// The column's name with a value, nil if there is none.
  func holding(_ value: SQLStatement?) -> (column: String, value: SQLStatement)? { value.map { (name, $0) } }
}
