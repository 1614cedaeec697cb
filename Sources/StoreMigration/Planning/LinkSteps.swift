import ModelDescription
import PersistentStores

/// Sets links aside before the tables change and writes them where the destination keeps them.
struct LinkSteps {
  private let context: PlanningContext
  private let planning: TablePlanning
  /// Selecting links into temporary tables, on the source's tables.
  private(set) var reading: [PlanStep] = []
  /// Writing them, on the destination's tables.
  private(set) var writing: [PlanStep] = []

  init(for planning: TablePlanning, in context: PlanningContext) {
    self.context = context
    self.planning = planning
    for transfer in planning.copies + planning.alterations.map(\.transfer) { fill(transfer) }
    for table in planning.newJoins { fill(table) }
  }

  /// The columns of an entity table that wait for links or for an order.
  private mutating func fill(_ transfer: TableTransfer) {
    for column in transfer.destination.columns {
      guard transfer.origins(of: column).values.contains(.later) else { continue }
      switch column.role {
      case .toOne(let address): writeToOne(column, address, in: transfer.destination)
      case .toManyOwner(let address): writeOwner(column, address, in: transfer.destination)
      case .toOneOrder(let address) where hasNewOrder(address):
        number(column, groupedBy: .toOne(address), in: transfer, because: "the other end of \(address) is now ordered")
      case .toManyOwnerOrder(let address) where isNewOrder(of: address):
        number(column, groupedBy: .toManyOwner(address), in: transfer, because: "\(address) is now ordered")
      default: continue
      }
    }
  }

  /// Selects the links of a destination relationship into a temporary table of which each side is indexed as needed.
  private mutating func read(_ address: PropertyAddress) -> String? {
    let links = context.linkSources(of: address)
    guard !links.isEmpty else { return nil }
    let name = TemporaryName.links("\(address)")
    let cause = "the links of \(address) are stored in another way"
    let rows = links.reduce(0) { $0 + context.linkCount($1.address) }
    let query: SQLStatement = "CREATE TEMP TABLE \(name: name) AS \(context.limitedLinkQuery(address))"
    guard !reading.contains(where: { $0.statement == query }) else { return name }
    reading.append(PlanStep(query, cause: cause, rows: rows, writing: .nothing))
    reading.append(
      PlanStep(
        "CREATE INDEX \(name: "temp").\(name: name + "_index") ON \(name: name) (\(name: "near"))", cause: cause,
        rows: rows, writing: .nothing))
    return name
  }

  private mutating func writeToOne(_ column: SQLColumn, _ address: PropertyAddress, in table: SQLTable) {
    guard let links = read(address) else { return }
    let source = link("far", from: links, key: "near", of: table)
    var assignments: [SQLStatement] = ["\(name: column.name) = \(source)"]
    if let companion = table.column(.toOneEntity(address)), let target = target(of: address) {
      let row: SQLStatement = "SELECT \(name: "Z_ENT") FROM \(name: target.name) AS target"
      assignments.append("\(name: companion.name) = (\(row) WHERE target.\(name: "Z_PK") = \(source))")
    }
    if let order = table.column(.toOneOrder(address)), !hasNewOrder(address) {
      assignments.append("\(name: order.name) = \(link("inversePlace", from: links, key: "near", of: table))")
    }
    let numbers = context.destination.familyNumbers(of: address.entity)
    let isLinked: SQLStatement = "\(name: "Z_PK") IN (SELECT \(name: "near") FROM \(name: links))"
    writing.append(
      PlanStep(
        """
        UPDATE \(name: table.name) SET \(assignments.joined()) \
        WHERE \(isLinked) AND \(name: "Z_ENT") IN (\(.list(numbers)))
        """,
        cause: "the links of \(address) are stored in another way", rows: reading.last?.rows ?? 0,
        writing: .rows(of: table.name)))
  }

  private mutating func writeOwner(_ column: SQLColumn, _ address: PropertyAddress, in table: SQLTable) {
    guard let links = read(address) else { return }
    var assignments: [SQLStatement] = ["\(name: column.name) = \(link("near", from: links, key: "far", of: table))"]
    if let order = table.column(.toManyOwnerOrder(address)), !isNewOrder(of: address) {
      assignments.append("\(name: order.name) = \(link("place", from: links, key: "far", of: table))")
    }
    let cause = "the links of \(address) are stored in another way"
    writing.append(
      PlanStep(
        """
        UPDATE \(name: table.name) SET \(assignments.joined()) \
        WHERE \(name: "Z_PK") IN (SELECT \(name: "far") FROM \(name: links))
        """, cause: cause, rows: reading.last?.rows ?? 0, writing: .rows(of: table.name)))
  }

  /// The first link of a row, where there could be several.
  private func link(_ value: String, from links: String, key: String, of table: SQLTable) -> SQLStatement {
    let row: SQLStatement = "\(name: table.name).\(name: "Z_PK")"
    return """
      (SELECT \(name: value) FROM \(name: links) WHERE \(name: key) = \(row) \
      ORDER BY \(name: "place"), \(name: "far"), \(name: "near") LIMIT 1)
      """
  }

  private func hasNewOrder(_ toOne: PropertyAddress) -> Bool {
    guard let inverse = context.destination.inverse(of: toOne) else { return true }
    return context.losesOrder(inverse) || !context.keepsOrder(inverse)
  }

  /// Numbers the rows of an ordered to-many that had no order, by ascending `Z_PK`.
  private mutating func number(
    _ column: SQLColumn, groupedBy role: SQLColumn.Role, in transfer: TableTransfer, because cause: String
  ) {
    let table = transfer.destination
    guard let link = table.column(role) else { return }
    let rows = transfer.feeders.reduce(0) { $0 + context.rowCount(ofTable: $1.table.name) }
    let key: SQLStatement = "\(name: "Z_PK")"
    writing.append(
      PlanStep(
        """
        UPDATE \(name: table.name) SET \(name: column.name) = \(.place(ofElement: "numbered.place")) FROM (SELECT \(key) AS row, \
        row_number() OVER (PARTITION BY \(name: link.name) ORDER BY \(key)) AS place FROM \(name: table.name) \
        WHERE \(name: link.name) IS NOT NULL) AS numbered WHERE numbered.row = \(name: table.name).\(key)
        """, cause: cause, rows: rows, writing: .columns([column.name], of: table.name)))
  }

  /// Fills a new join table.
  private mutating func fill(_ table: SQLTable) {
    guard case .join(let address) = table.content, let links = read(address),
      let near = table.column(.joinSource(address)), let far = table.column(.joinDestination(address))
    else { return }
    var columns = [near.name, far.name]
    var values: [SQLStatement] = ["\(name: "near")", "\(name: "far")"]
    if let order = table.column(.joinDestinationOrder(address)) {
      columns.append(order.name)
      values.append(place("place", within: "near", by: "far", isNew: isNewOrder(of: address)))
    }
    if let order = table.column(.joinSourceOrder(address)) {
      columns.append(order.name)
      let inverse = context.destination.inverse(of: address)
      values.append(place("inversePlace", within: "far", by: "near", isNew: inverse.map(isNewOrder) ?? true))
    }
    writing.append(
      PlanStep(
        "INSERT OR IGNORE INTO \(name: table.name) (\(.names(columns))) SELECT \(values.joined()) FROM \(name: links)",
        cause: "the links of \(address) are stored in another way", rows: reading.last?.rows ?? 0,
        writing: .rows(of: table.name)))
    if address == context.destination.inverse(of: address) { mirror(table, near: near.name, far: far.name, links) }
  }

  /// A relationship that is its own inverse keeps every link in both directions.
  private mutating func mirror(_ table: SQLTable, near: String, far: String, _ links: String) {
    writing.append(
      PlanStep(
        """
        INSERT OR IGNORE INTO \(name: table.name) (\(name: near), \(name: far)) \
        SELECT \(name: "far"), \(name: "near") FROM \(name: links)
        """, cause: "the relationship is now its own inverse", rows: reading.last?.rows ?? 0,
        writing: .rows(of: table.name)))
  }

  private func isNewOrder(of address: PropertyAddress) -> Bool {
    context.losesOrder(address) || !context.keepsOrder(address)
  }

  private func place(_ column: String, within group: String, by key: String, isNew: Bool) -> SQLStatement {
    guard isNew else { return "\(name: column)" }
    return .place(ofElement: "row_number() OVER (PARTITION BY \(name: group) ORDER BY \(name: key))")
  }

  private func target(of address: PropertyAddress) -> SQLTable? {
    context.destination.relationship(address)?.destinationEntityName.flatMap(context.destination.table(ofEntity:))
  }
}

extension PlanningContext {
  /// True when the links of an ordered destination relationship were ordered in the source.
  func keepsOrder(_ address: PropertyAddress) -> Bool {
    linkSources(of: address).contains { link in
      let side = link.isForward ? link.address : source.inverse(of: link.address)
      return side.flatMap(source.relationship)?.isOrdered ?? false
    }
  }

  /// The number of links of a source relationship at the most.
  func linkCount(_ address: PropertyAddress) -> Int {
    switch source.linkStorage(of: address) {
    case .column(let table, _), .foreignColumn(let table, _, _), .join(let table, _, _, _, _): rowCount(ofTable: table)
    case nil: 0
    }
  }
}
