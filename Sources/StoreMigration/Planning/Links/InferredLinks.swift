import MigrationSQL
import ModelDescription
import PersistentStores

/// Links of an inferred mapping that change their place: read before the tables change, and written where the destination
/// keeps them.
struct InferredLinks {
  private let context: PlanningContext
  /// Selecting links into temporary tables, on the source's tables.
  private(set) var reading: [PlanStep] = []
  /// Writing them, on the destination's tables.
  private(set) var writing: [PlanStep] = []

  init(for tables: TableFates, in context: PlanningContext) {
    self.context = context
    for transfer in tables.transfers { fill(transfer) }
    for join in tables.made.compactMap(LinkTable.init) { fill(join) }
  }

  /// The columns of an entity table that wait for links or for an order.
  private mutating func fill(_ transfer: TableTransfer) {
    for column in transfer.destination.columns {
      guard transfer.origins(of: column).values.contains(.later), let side = LinkSide(column, of: transfer.destination)
      else { continue }
      if column == side.column {
        if let writer = writer(of: side.address) { writing.append(writer.fill(side)) }
      } else if column == side.order, isNewOrder(of: ordered(by: side)) {
        number(side, in: transfer)
      }
    }
  }

  /// Numbers the rows of an ordered to-many that had no order.
  private mutating func number(_ side: LinkSide, in transfer: TableTransfer) {
    let rows = transfer.feeders.reduce(0) { $0 + context.rowCount(ofTable: $1.table.name) }
    let cause: PlanCause = side.isNear ? .linksOrderedAtOtherEnd(of: side.address) : .linksOrdered(side.address)
    writing += [LinkWriter.number(side, cause: cause, rows: rows)].compactMap(\.self)
  }

  /// Fills a new join table.
  private mutating func fill(_ join: LinkTable) {
    guard let writer = writer(of: join.address) else { return }
    writing.append(writer.fill(join))
    if join.address == context.destination.inverse(of: join.address) {
      writing.append(writer.mirror(join, cause: .linksMirrored(join.address)))
    }
  }

  /// Selects the links of a destination relationship into a temporary table and writes them from there; nil for one that
  /// has no links in the source.
  private mutating func writer(of address: PropertyAddress) -> LinkWriter? {
    let sources = context.linkSources(of: address)
    guard !sources.isEmpty else { return nil }
    let name = TemporaryName.links("\(address)")
    let cause = PlanCause.linksMoved(address)
    let count = sources.reduce(0) { $0 + context.linkCount($1.address) }
    reading.append(
      PlanStep(
        "CREATE TEMP TABLE \(name: name) AS \(context.limitedLinkQuery(address))", cause: cause, rows: count,
        writing: .nothing))
    reading.append(
      PlanStep(
        "CREATE INDEX \(name: "temp").\(name: name + "_index") ON \(name: name) (\(name: "near"))", cause: cause,
        rows: count, writing: .nothing))
    let hasPlaces = !isNewOrder(of: address)
    let hasInversePlaces = !isNewOrder(of: context.destination.inverse(of: address))
    let links = LinkQuery(
      rows: "\(name: name)", near: "\(name: "near")", far: "\(name: "far")",
      place: hasPlaces ? "\(name: "place")" : nil, inversePlace: hasInversePlaces ? "\(name: "inversePlace")" : nil,
      nearNumbers: context.destination.familyNumbers(of: address.entity), repetition: .ignored, count: count,
      cause: cause)
    return LinkWriter(links: links, destination: context.destination)
  }

  /// The to-many whose order the rows of a side keep.
  private func ordered(by side: LinkSide) -> PropertyAddress? {
    side.isNear ? context.destination.inverse(of: side.address) : side.address
  }

  /// True when the links of a to-many had no order that they can keep.
  private func isNewOrder(of address: PropertyAddress?) -> Bool {
    address.map { context.losesOrder($0) || !context.keepsOrder($0) } ?? true
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
