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
        guard let writer = writer(of: side.address) else { continue }
        writing.append(writer.fill(side).about(context.subject(ofLinks: side.address)))
      } else if column == side.order, isNewOrder(of: ordered(by: side)) {
        number(side, in: transfer)
      }
    }
  }

  /// Numbers the rows of an ordered to-many that had no order.
  private mutating func number(_ side: LinkSide, in transfer: TableTransfer) {
    let rows = transfer.feeders.reduce(0) { $0 + context.rowCount(ofTable: $1.table.name) }
    let cause: PlanCause = side.isNear ? .linksOrderedAtOtherEnd(of: side.address) : .linksOrdered(side.address)
    guard let step = LinkWriter.number(side, cause: cause, rows: rows) else { return }
    writing.append(step.about(context.subject(ofLinks: side.address)))
  }

  private mutating func fill(_ join: LinkTable) {
    guard let writer = writer(of: join.address) else { return }
    let isMirrored = join.address == context.destination.inverse(of: join.address)
    let steps = [writer.fill(join)] + (isMirrored ? [writer.mirror(join, cause: .linksMirrored)] : [])
    writing += steps.about(context.subject(ofLinks: join.address))
  }

  /// Selects the links of a destination relationship into a temporary table and writes them from there; nil for one that
  /// lacks links in the source.
  private mutating func writer(of address: PropertyAddress) -> LinkWriter? {
    let sources = context.linkSources(of: address)
    guard !sources.isEmpty else { return nil }
    let name = TemporaryName.links("\(address)")
    let cause = PlanCause.linksMoved(address)
    let count = sources.reduce(0) { $0 + context.linkCount($1.address) }
    let statements: [SQLStatement] = [
      "CREATE TEMP TABLE \(name: name) AS \(context.limitedLinkQuery(address))",
      "CREATE INDEX \(name: "temp").\(name: name + "_index") ON \(name: name) (\(name: "near"))",
    ]
    let steps = statements.map { PlanStep($0, cause: cause, rows: count, writing: .nothing) }
    reading += steps.about(context.subject(ofLinks: address))
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

  /// True if the links of a to-many had no order that they can keep.
  private func isNewOrder(of address: PropertyAddress?) -> Bool {
    address.map { context.losesOrder($0) || !context.keepsOrder($0) } ?? true
  }
}

extension PlanningContext {
  /// True if the links of an ordered destination relationship were ordered in the source.
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

/// A column of references that is copied as it is, because every object it can lead to keeps its key.
///
/// Only the references to missing rows are emptied: a single query finds them in the order of an index, which costs a
/// fraction of one look-up per row.
struct CopiedReferences {
  let column: String
  let role: SQLColumn.Role
  let table: SQLTable
  /// The table of the objects they lead to.
  let target: SQLTable
  /// The entity numbers of those objects, nil if they are all that the table has.
  let numbers: [Int]?

  /// Returns nil if a key may have changed, or when more than the reference is to be written.
  ///
  /// The table referred to must hold exactly the rows of one source table, so that a key is there afterwards if and only
  /// if it was before.
  init?(_ side: LinkSide, _ atoms: [LinkAtom], in context: PlanningContext) {
    guard !context.hasCode, side.companion == nil, side.order == nil, let first = atoms.first,
      let target = context.entity(at: first.far)?.destinationTable
    else { return nil }
    let makers = context.entities(filling: target)
    guard let sourceTable = makers.first?.sourceTable,
      makers.allSatisfy({ $0.association == .kept && $0.sourceTable.name == sourceTable.name })
    else { return nil }
    let holders = Dictionary(grouping: atoms, by: \.near)
    let reached = Set(first.reached(among: holders))
    for (_, own) in holders {
      guard case .relationship = own.first?.origin, Set(own.map(\.origin)).count == 1,
        Set(own.map(\.far)) == reached, own.count == reached.count
      else { return nil }
    }
    let targets = makers.filter { reached.contains($0.position) }
    let reachedNumbers = Set(targets.map(\.destinationNumber))
    guard targets.count == reached.count,
      // Objects of one entity do not say which mapping made them.
      makers.allSatisfy({ reached.contains($0.position) || !reachedNumbers.contains($0.destinationNumber) })
    else { return nil }
    (column, role) = (side.column.name, side.column.role)
    table = side.table
    self.target = target
    numbers = targets.count == makers.count ? nil : targets.map(\.destinationNumber)
  }

  /// Empties the references that lead nowhere.
  ///
  /// - Parameter kept: the tables that stay, in which what leads nowhere can be seen beforehand.
  /// - Returns: the step, which has nothing to do where nothing leads nowhere.
  func clearing(rows: Int, keeping kept: [TableAlteration]) -> PlanStep {
    let reference: SQLStatement = "\(name: "row").\(name: column)"
    let isMapped: SQLStatement = numbers.map { " AND target.\(name: "Z_ENT") IN (\(.list($0)))" } ?? ""
    let lost: SQLStatement = """
      SELECT \(name: "row").\(name: "Z_PK") FROM \(name: table.name) AS \(name: "row") \
      WHERE \(reference) IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM \(name: target.name) AS target \
      WHERE target.\(name: "Z_PK") = \(reference)\(isMapped))
      """
    var step = PlanStep(
      "UPDATE \(name: table.name) SET \(name: column) = NULL WHERE \(name: "Z_PK") IN (\(lost))",
      cause: .referencesToNothing, rows: rows,
      writing: .columns([column], of: table.name))
    step.runIf = PlanStep.Condition(
      question: "\(lost) LIMIT 1",
      asksOriginal: numbers == nil && kept.contains { $0.destination.name == target.name }
        && kept.contains { $0.destination.name == table.name && $0.columns[column] == column })
    return step
  }
}

extension LinkAtom {
  /// The mappings whose objects those of the same mapping lead to.
  fileprivate func reached(among holders: [Int: [LinkAtom]]) -> [Int] { holders[near]?.map(\.far) ?? [] }
}
