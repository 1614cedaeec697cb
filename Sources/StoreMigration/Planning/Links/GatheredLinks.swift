import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Links that are gathered in a temporary table before they are written, because a row may have several candidates, or
/// because places in an order have to be found.
///
/// Core Data writes relationships one after the other: mapping by mapping, object by object, by name, and each write
/// takes an object away from its earlier partner where only one is allowed. So the later write holds; of several
/// candidates of one write the first in its order. Both happen only with consent: without it the rows are an blocker.
struct GatheredLinks {
  /// Making the temporary tables.
  private(set) var tables: [PlanStep] = []
  /// Gathering and writing.
  private(set) var steps: [PlanStep] = []
  private(set) var checks: [PlanCheck] = []
  let name: String
  private let context: PlanningContext
  private let pair: LinkPair
  private let table: SQLStatement
  private let rows: Int

  init(_ pair: LinkPair, _ atoms: [LinkAtom], table name: String, in context: PlanningContext) {
    (self.context, self.pair, self.name) = (context, pair, name)
    table = "\(name: "temp").\(name: name)"
    rows = atoms.reduce(0) { $0 + context.linkCount(of: $1) }
    make()
    gather(atoms)
    limit()
    switch pair.storage {
    case .join(let table): fill(table)
    default: for side in LinkSide.sides(of: pair) { fill(side) }
    }
  }

  private mutating func step(_ statement: SQLStatement, _ cause: PlanCause) {
    steps.append(PlanStep(statement, cause: cause, rows: rows, writing: .nothing))
  }

  /// The temporary table of the objects whose links a policy has set.
  static func setTable(of links: String) -> String { links + "_set" }

  private mutating func make() {
    let cause = PlanCause.linksGathered(pair.address)
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
    let cause = PlanCause.linksGathered(pair.address)
    for side in ["near", "far"] {
      let index: SQLStatement =
        "CREATE INDEX \(name: "temp").\(name: "\(name)_\(side)") ON \(name: name) (\(name: side))"
      if context.hasCode { tables.append(PlanStep(index, cause: cause)) } else { step(index, cause) }
    }
  }

  /// The work that a policy leaves to the mapping's expressions; nil for a mapping without code.
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
    let cause = PlanCause.linksGathered(pair.address)
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
    let keepsNear = near.map(context.keepsFirst(of:)) ?? false
    let keepsFar = far.map(context.keepsFirst(of:)) ?? false
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
      step("DELETE FROM \(table) WHERE \(conditions.joined(" OR "))", .linksSuperseded(pair.address))
    }
  }

  /// The first of the candidates of one write to a to-one relationship is kept.
  private mutating func keepFirst(of side: SQLStatement, _ place: SQLStatement, _ other: SQLStatement, isNear: Int) {
    step(
      """
      DELETE FROM \(table) WHERE rowid IN (SELECT id FROM (SELECT rowid AS id, row_number() OVER (PARTITION BY \(side), \
      mapping, object, property ORDER BY \(place) IS NULL, \(place), \(other)) AS rank FROM \(table) \
      WHERE isNear = \(.number(isNear))) WHERE rank > 1)
      """, .linkCandidates(pair.address))
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
      blocker: .severalPartners(address, isToOne: isToOne),
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
      """, .linkPlaces(pair.address))
  }

  private var writer: LinkWriter {
    LinkWriter(
      links: LinkQuery(rows: table, repetition: .grouped, count: rows, cause: .linksWritten(pair.address)),
      destination: context.destination)
  }

  private mutating func fill(_ side: LinkSide) {
    if side.order != nil {
      side.isNear ? number("inversePlace", within: "far", by: "near") : number("place", within: "near", by: "far")
    }
    steps.append(writer.fill(side))
  }

  private mutating func fill(_ join: LinkTable) {
    if join.order != nil { number("place", within: "near", by: "far") }
    if join.inverseOrder != nil { number("inversePlace", within: "far", by: "near") }
    steps.append(writer.fill(join))
  }
}
