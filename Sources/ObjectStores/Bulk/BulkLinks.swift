import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The objects of to-many relationships of a bulk insertion, kept in temporary tables until all objects are inserted.
///
/// A link exists if either side names it. A position in an order comes from the list; objects that no list names come
/// last.
final class BulkLinks {
  typealias Relation = SavingModel.Relation

  private struct Kept {
    let relation: Relation
    let table: String
    let insertion: String
  }

  private let rows: BulkRows
  private let reading: RecordReading
  private let model: SavingModel
  private var kept: [PropertyAddress: Kept] = [:]

  private var database: Database { reading.database }
  private var store: StoreModel { reading.store }

  init(_ reading: RecordReading, _ model: SavingModel) {
    (self.reading, self.model) = (reading, model)
    rows = BulkRows(reading, model)
  }

  func add(_ targets: [RecordID], along relation: Relation, of near: Int64) throws {
    guard !targets.isEmpty else { return }
    let kept = try kept[relation.address] ?? keep(relation)
    let statement = try database.cachedStatement(sql: kept.insertion)
    for (place, target) in zip(OrderPositions.positions(for: targets.map { _ in nil }), targets) {
      let isNamed = target.entity != relation.destination
      let number: SQLValue = isNamed ? store.number(of: target.entity).map { .number($0) } ?? .null : .null
      try statement.run([.integer(near), .integer(target.key), number, .integer(place)])
    }
  }

  private func keep(_ relation: Relation) throws -> Kept {
    let table = "modelctl_links_\(kept.count)"
    try database.execute(sql: "CREATE TEMP TABLE \(table) (near INTEGER, far INTEGER, entity INTEGER, place INTEGER)")
    let new = Kept(relation: relation, table: table, insertion: "INSERT INTO \(table) VALUES (?, ?, ?, ?)")
    kept[relation.address] = new
    return new
  }

  // MARK: The end

  /// Writes the links to rows, inverses and positions.
  ///
  /// - Returns: blockers for lists with missing objects, and for sides that contradict each other.
  func settle(limit: Int) throws -> [SaveBlocker] {
    var blockers: [SaveBlocker] = []
    let lists = kept.values.sorted { $0.relation.address.description < $1.relation.address.description }
    for list in lists { blockers += try dangling(list, limit) }
    for list in lists { blockers += try write(list, limit) }
    for relation in rows.relations where !relation.isToMany { blockers += try pair(relation, limit) }
    for relation in rows.relations where relation.isToMany && relation.description.isOrdered { try append(relation) }
    for list in lists { try database.execute(sql: "DROP TABLE temp.\(list.table)") }
    return blockers
  }

  private func dangling(_ list: Kept, _ limit: Int) throws -> [SaveBlocker] {
    let relation = list.relation
    guard let near = store.table(ofEntity: relation.owner)?.name,
      let far = store.table(ofEntity: relation.destination)?.name
    else { return [] }
    return try rows.blockers(
      """
      SELECT own.Z_ENT, own.Z_PK, list.far, other.Z_ENT, list.entity FROM \(name: list.table) AS list
      JOIN \(name: near) AS own ON own.Z_PK = list.near LEFT JOIN \(name: far) AS other ON other.Z_PK = list.far
      WHERE other.Z_PK IS NULL OR other.Z_ENT NOT IN (\(.list(store.familyNumbers(of: relation.destination))))
      OR list.entity <> other.Z_ENT LIMIT \(.number(limit))
      """
    ) { object, row in rows.dangling(relation, object, row) }
  }

  private func write(_ list: Kept, _ limit: Int) throws -> [SaveBlocker] {
    let relation = list.relation
    switch store.linkStorage(of: relation.address) {
    case .join(let table, let near, let far, let order, _):
      try run(
        "INSERT OR IGNORE INTO \(name: table) (\(name: near), \(name: far)) SELECT near, far FROM \(name: list.table)")
      if relation.isOwnInverse {
        try run(
          "INSERT OR IGNORE INTO \(name: table) (\(name: near), \(name: far)) SELECT far, near FROM \(name: list.table)"
        )
      }
      if let order {
        try run(
          """
          UPDATE \(name: table) SET \(name: order) = list.place FROM \(name: list.table) AS list
          WHERE \(name: table).\(name: near) = list.near AND \(name: table).\(name: far) = list.far
          """)
      }
      return []
    case .foreignColumn(let table, let column, let order):
      let isIt: SQLStatement = "\(name: table).Z_PK = list.far"
      try run(
        """
        UPDATE \(name: table) SET \(name: column) = list.near FROM \(name: list.table) AS list
        WHERE \(isIt) AND \(name: table).\(name: column) IS NULL
        """)
      if let order {
        try run(
          """
          UPDATE \(name: table) SET \(name: order) = list.place FROM \(name: list.table) AS list
          WHERE \(isIt) AND \(name: table).\(name: column) = list.near
          """)
      }
      guard let near = store.table(ofEntity: relation.owner)?.name else { return [] }
      return try rows.blockers(
        """
        SELECT own.Z_ENT, own.Z_PK, \(name: table).Z_PK, \(name: table).Z_ENT FROM \(name: list.table) AS list
        JOIN \(name: table) ON \(isIt) JOIN \(name: near) AS own ON own.Z_PK = list.near
        WHERE \(name: table).\(name: column) <> list.near LIMIT \(.number(limit))
        """
      ) { object, row in rows.contradiction(relation, object, row) }
    case .column, nil: return []
    }
  }

  /// Fills a to-one relationship from its to-one inverse.
  private func pair(_ relation: Relation, _ limit: Int) throws -> [SaveBlocker] {
    guard let inverse = relation.inverse, !inverse.isToMany,
      let back = store.address(ofRelationship: inverse.name, in: relation.destination),
      case .column(let table, let column)? = store.linkStorage(of: relation.address),
      case .column(let other, let otherColumn)? = store.linkStorage(of: back)
    else { return [] }
    let family = store.familyNumbers(of: relation.owner)
    try run(
      """
      UPDATE \(name: table) SET \(name: column) = other.far
      FROM (SELECT Z_PK AS far, \(name: otherColumn) AS near FROM \(name: other) WHERE \(name: otherColumn) IS NOT NULL) AS other
      WHERE \(name: table).Z_PK = other.near AND \(name: table).\(name: column) IS NULL
      AND \(name: table).Z_ENT IN (\(.list(family)))
      """)
    return try rows.blockers(
      """
      SELECT own.Z_ENT, own.Z_PK, other.Z_PK, other.Z_ENT FROM \(name: table) AS own
      JOIN \(name: other) AS other ON other.Z_PK = own.\(name: column)
      WHERE other.\(name: otherColumn) <> own.Z_PK AND own.Z_ENT IN (\(.list(family))) LIMIT \(.number(limit))
      """
    ) { object, row in rows.contradiction(relation, object, row) }
  }

  /// Appends the objects without a position in an ordered relationship.
  private func append(_ relation: Relation) throws {
    let (table, near, order, key): (String, String, String, String)
    switch store.linkStorage(of: relation.address) {
    case .join(let name, let own, _, let place?, _): (table, near, order, key) = (name, own, place, "rowid")
    case .foreignColumn(let name, let column, let place?): (table, near, order, key) = (name, column, place, "Z_PK")
    default: return
    }
    let number: SQLStatement = "ROW_NUMBER() OVER (PARTITION BY missing.\(name: near) ORDER BY missing.\(name: key))"
    let place = SQLStatement.place(ofElement: number, after: "last.place")
    try run(
      """
      UPDATE \(name: table) SET \(name: order) = appended.place FROM (
      SELECT missing.\(name: key) AS row, \(place) AS place FROM \(name: table) AS missing LEFT JOIN (
      SELECT \(name: near) AS near, MAX(\(name: order)) AS place FROM \(name: table) GROUP BY \(name: near)) AS last
      ON last.near = missing.\(name: near)
      WHERE missing.\(name: near) IS NOT NULL AND missing.\(name: order) IS NULL) AS appended
      WHERE \(name: table).\(name: key) = appended.row
      """)
  }

  private func run(_ statement: SQLStatement) throws { try statement.execute(in: database) }
}

extension SavingModel.Relation {
  /// True for a relationship that is its own inverse, as that between friends.
  var isOwnInverse: Bool { inverse?.name == name && inverse?.destinationEntityName == owner }
}
