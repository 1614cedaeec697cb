import MappingModels
import ModelDescription
import PersistentStores

/// Links that are gathered in a temporary table before they are written, because a row may have several candidates, or
/// because places in an order have to be found.
///
/// Core Data writes relationships one after the other: mapping by mapping, object by object, by name, and each write
/// takes an object away from its former partner where only one is allowed. So the later write holds; of several
/// candidates of one write the first in its order. Both happen only with consent: without it the rows are an obstacle.
struct GatheredLinks {
  /// Making the temporary tables.
  private(set) var tables: [PlanStep] = []
  /// Gathering and writing.
  private(set) var steps: [PlanStep] = []
  private(set) var checks: [PlanCheck] = []
  /// The temporary table.
  let name: String
  private let context: MappedContext
  private let pair: LinkPair
  private let table: SQLStatement
  private let rows: Int

  init(_ pair: LinkPair, _ atoms: [LinkAtom], table name: String, in context: MappedContext) {
    self.context = context
    self.pair = pair
    self.name = name
    table = "\(name: "temp").\(name: name)"
    rows = atoms.reduce(0) { $0 + context.linkCount(of: $1) }
    make()
    gather(atoms)
    limit()
    switch pair.storage {
    case .join(let table, let near, let far): fill(table, near, far)
    default: for side in LinkSide.sides(of: pair) { fill(side) }
    }
  }

  private mutating func step(_ statement: SQLStatement, _ cause: String, writing: PlanStep.Writing = .nothing) {
    steps.append(PlanStep(statement, cause: cause, rows: rows, writing: writing))
  }

  /// The temporary table of the objects whose links a policy has set.
  static func setTable(of links: String) -> String { links + "_set" }

  private mutating func make() {
    let cause = "the links of \(pair.address) are gathered"
    tables.append(
      PlanStep(
        """
        CREATE TABLE \(table) (near INTEGER, far INTEGER, place INTEGER, inversePlace INTEGER, mapping INTEGER, \
        object INTEGER, property INTEGER, isNear INTEGER, list INTEGER)
        """, cause: cause))
    guard context.hasCode else { return }
    indexSides()
    tables.append(
      PlanStep(
        """
        CREATE TABLE \(name: "temp").\(name: Self.setTable(of: name)) (isNear INTEGER, object INTEGER, \
        PRIMARY KEY (isNear, object)) WITHOUT ROWID
        """, cause: cause))
  }

  /// A policy finds its own links again while it works; else links are indexed when all are there.
  private mutating func indexSides() {
    let cause = "the links of \(pair.address) are gathered"
    for side in ["near", "far"] {
      let index: SQLStatement =
        "CREATE INDEX \(name: "temp").\(name: "\(name)_\(side)") ON \(name: name) (\(name: side))"
      if context.hasCode { tables.append(PlanStep(index, cause: cause)) } else { step(index, cause) }
    }
  }

  /// What a policy has left to the mapping's expressions, nil for a mapping without code.
  private func condition(on atom: LinkAtom) -> SQLStatement? {
    guard let writer = context.entity(at: atom.turn.mapping), writer.isCoded else { return nil }
    let object: SQLStatement = atom.turn.isNear ? "near.dst" : "far.dst"
    return """
      EXISTS (SELECT 1 FROM \(name: "temp").\(name: writer.defaultsTable) AS kept WHERE kept.dst = \(object)) \
      AND NOT EXISTS (SELECT 1 FROM \(name: "temp").\(name: Self.setTable(of: name)) AS given \
      WHERE given.isNear = \(.number(atom.turn.isNear ? 1 : 0)) AND given.object = \(object))
      """
  }

  private mutating func gather(_ atoms: [LinkAtom]) {
    let cause = "the links of \(pair.address) are gathered"
    for atom in atoms {
      guard let near = context.entity(at: atom.near), let far = context.entity(at: atom.far) else { continue }
      let columns: SQLStatement = "near.dst, far.dst, link.place, link.inversePlace"
      let list = atoms.firstIndex { $0.origin == atom.origin } ?? 0
      let condition: SQLStatement = condition(on: atom).map { " WHERE \($0)" } ?? ""
      let writer: SQLStatement = atom.turn.isNear ? "link.near" : "link.far"
      let mirrored: SQLStatement = "far.dst, near.dst, link.inversePlace, link.place"
      for (values, isNear) in [(columns, atom.turn.isNear)] + (pair.isReflexive ? [(mirrored, !atom.turn.isNear)] : [])
      {
        step(
          """
          INSERT INTO \(table) SELECT \(values), \(.number(atom.turn.mapping)), \
          \(writer), \(.number(atom.turn.property)), \(.number(isNear ? 1 : 0)), \(.number(list)) \
          FROM (\(context.staged.links(from: atom.origin, table: near.sourceTable))) AS link \
          CROSS JOIN \(near.pairs) AS near ON near.src = link.near CROSS JOIN \(far.pairs) AS far ON far.src = link.far\(condition)
          """, cause)
      }
    }
    if !context.hasCode { indexSides() }
  }

  // MARK: Several candidates

  private mutating func limit() {
    let near = pair.isNearLimited ? pair.address : nil
    let far = pair.isFarLimited ? pair.inverse ?? pair.address : nil
    let keepsNear = near.map(context.surroundings.keepsFirst(of:)) ?? false
    let keepsFar = far.map(context.surroundings.keepsFirst(of:)) ?? false
    if let near, !keepsNear { check("near", near) }
    if let far, !keepsFar { check("far", far) }
    var conditions: [SQLStatement] = []
    if keepsNear {
      keepFirst(of: "near", "place", "far", isNear: 1)
      conditions.append(isSuperseded("near"))
    }
    if keepsFar {
      if pair.isNearLimited { keepFirst(of: "far", "inversePlace", "near", isNear: 0) }
      conditions.append(isSuperseded("far"))
    }
    if !conditions.isEmpty {
      step(
        "DELETE FROM \(table) WHERE \(conditions.joined(" OR "))",
        "of several links of \(pair.address) the latest holds")
    }
  }

  /// Of the candidates of one write to a to-one the first stays.
  private mutating func keepFirst(of side: SQLStatement, _ place: SQLStatement, _ other: SQLStatement, isNear: Int) {
    step(
      """
      DELETE FROM \(table) WHERE rowid IN (SELECT id FROM (SELECT rowid AS id, row_number() OVER (PARTITION BY \(side), \
      mapping, object, property ORDER BY \(place) IS NULL, \(place), \(other)) AS rank FROM \(table) \
      WHERE isNear = \(.number(isNear))) WHERE rank > 1)
      """, "of several candidates of \(pair.address) the first is kept")
  }

  private func isSuperseded(_ side: SQLStatement) -> SQLStatement {
    let turn: (String) -> SQLStatement = { table in
      let columns = ["mapping", "object", "property"].map { "\(name: table).\(name: $0)" as SQLStatement }
      return "(\(columns.joined()))"
    }
    return """
      EXISTS (SELECT 1 FROM \(table) AS \(name: "later") WHERE \(name: "later").\(side) = \(name: name).\(side) \
      AND \(turn("later")) > \(turn(name)))
      """
  }

  private mutating func check(_ side: SQLStatement, _ address: PropertyAddress) {
    let isToOne = context.destination.relationship(address).map { !$0.isToMany } ?? true
    let other: SQLStatement = side == "near" ? "far" : "near"
    var check = PlanCheck(
      obstacle: PlanCheck.Obstacle(
        element: .property(entity: address.entity, name: address.property), code: .migration,
        reason: isToOne
          ? "Cannot migrate store: too many objects for a to-one destination relationship"
          : "Cannot migrate store: an object in several to-many relationships without inverse",
        explanation: "the mapping gives an object several partners here, and it can have one",
        remedy: "--keep-first \(address)"),
      query: """
        SELECT \(side) FROM \(table) GROUP BY \(side) HAVING MIN(\(other)) <> MAX(\(other)) ORDER BY \(side)
        """)
    check.readsGathered = true
    checks.append(check)
  }

  // MARK: Writing

  /// Gives links their places: those with a place in the source first, one source list after the other, then the others
  /// in the order they are written.
  private mutating func number(_ place: SQLStatement, within group: SQLStatement, by other: SQLStatement) {
    step(
      """
      UPDATE \(table) SET \(place) = \(.place(ofElement: "numbered.number")) FROM (SELECT rowid AS id, row_number() OVER (PARTITION BY \(group) \
      ORDER BY \(place) IS NULL, CASE WHEN \(place) IS NOT NULL THEN list END, \(place), mapping, \(other)) AS number FROM \(table)) AS numbered \
      WHERE numbered.id = \(name: name).rowid
      """, "the order of \(pair.address)")
  }

  private mutating func fill(_ side: LinkSide) {
    let (key, value): (SQLStatement, SQLStatement) = side.isNear ? ("near", "far") : ("far", "near")
    let place: SQLStatement = side.isNear ? "inversePlace" : "place"
    var columns = [side.column.name]
    var values: [SQLStatement] = [value]
    if let companion = side.companion, let other = otherTable(of: side) {
      columns.append(companion.name)
      values.append(
        "(SELECT target.\(name: "Z_ENT") FROM \(name: other.name) AS target WHERE target.\(name: "Z_PK") = \(value))")
    }
    if let order = side.order {
      number(place, within: value, by: key)
      columns.append(order.name)
      values.append(place)
    }
    step(
      """
      UPDATE \(name: side.table.name) SET (\(.names(columns))) = (SELECT \(values.joined()) FROM \(table) \
      WHERE \(key) = \(name: side.table.name).\(name: "Z_PK") ORDER BY \(place) LIMIT 1) \
      WHERE \(name: "Z_PK") IN (SELECT \(key) FROM \(table))
      """, "the links of \(pair.address)", writing: .columns(columns, of: side.table.name))
  }

  private func otherTable(of side: LinkSide) -> SQLTable? {
    let address = side.isNear ? pair.address : pair.inverse
    return address.flatMap(context.destination.relationship)?.destinationEntityName
      .flatMap(context.destination.table(ofEntity:))
  }

  private mutating func fill(_ join: SQLTable, _ near: SQLColumn, _ far: SQLColumn) {
    var columns = [near.name, far.name]
    var values: [SQLStatement] = ["near", "far"]
    if let order = join.column(.joinDestinationOrder(pair.address)) {
      number("place", within: "near", by: "far")
      columns.append(order.name)
      values.append("MIN(place)")
    }
    if let order = join.column(.joinSourceOrder(pair.address)) {
      number("inversePlace", within: "far", by: "near")
      columns.append(order.name)
      values.append("MIN(inversePlace)")
    }
    step(
      """
      INSERT INTO \(name: join.name) (\(.names(columns))) SELECT \(values.joined()) FROM \(table) \
      GROUP BY near, far ORDER BY near, far
      """, "the links of \(pair.address)", writing: .rows(of: join.name))
  }
}
