import MigrationSQL
import PersistentStores

enum TableFate {
  /// A source table is altered in place and becomes a table of the destination.
  case alter(TableAlteration)
  /// A table of the destination is made, and gets the rows of source tables.
  case copy(TableTransfer)
  /// A join table of the destination is made, and gets links.
  case make(SQLTable)
  /// A source table is dropped when its rows have been read.
  case drop(SQLTable)
}

/// The fate of every table: where a mapping is planned, it is decided here which tables stay.
struct TableFates {
  private let fates: [TableFate]

  /// Decides about tables whose rows stay what they are: they are altered where that is no dearer than a copy.
  init(inferredIn context: PlanningContext) {
    let transfers = context.tableTransfers()
    var uses: [String: Int] = [:]
    for feeder in transfers.flatMap(\.feeders) { uses[feeder.table.name, default: 0] += 1 }
    let entities = transfers.map { transfer -> TableFate in
      guard transfer.feeders.count == 1, let feeder = transfer.feeders.first, uses[feeder.table.name] == 1,
        let found = InferredAlteration(transfer, in: context)
      else { return .copy(transfer) }
      return .alter(found.alteration)
    }
    var renamed: Set<String> = []
    let joins = context.destination.joinTables.map { table -> TableFate in
      guard let rename = context.joinRename(to: table.table, table.address), renamed.insert(rename.source.name).inserted
      else { return .make(table.table) }
      return .alter(rename)
    }
    fates = Self.completed(entities + joins, in: context)
  }

  /// Decides about tables whose rows a custom mapping makes: each is altered whose rows all go on under their keys.
  ///
  /// - Parameter context: what the plan is computed from, with the tables that stay under their own names.
  init(writtenIn context: PlanningContext, altering altered: [TableAlteration]) {
    let staying = Set(altered.map(\.destination.name))
    let copies = context.transfers().filter { !staying.contains($0.destination.name) }
    fates = Self.completed(
      altered.map { .alter($0) } + copies.map { .copy($0) } + context.destination.joinTables.map { .make($0.table) },
      in: context)
  }

  /// Has every source table go that does not stay.
  private static func completed(_ fates: [TableFate], in context: PlanningContext) -> [TableFate] {
    let staying = Set(fates.compactMap(\.alteration?.source.name))
    return fates + context.source.layout.tables.filter { !staying.contains($0.name) }.map { .drop($0) }
  }

  /// The source tables that stay, those of entities first.
  var alterations: [TableAlteration] { fates.compactMap(\.alteration) }

  var copies: [TableTransfer] { fates.compactMap { if case .copy(let transfer) = $0 { transfer } else { nil } } }

  var made: [SQLTable] { fates.compactMap { if case .make(let table) = $0 { table } else { nil } } }

  /// The source tables that go, in the layout's order.
  var dropped: [SQLTable] { fates.compactMap { if case .drop(let table) = $0 { table } else { nil } } }

  /// The origin of rows that are copied or kept.
  var transfers: [TableTransfer] { copies + alterations.compactMap(\.transfer) }

  /// The names that source tables and their columns have at the end, for those that stay.
  var names: [String: (name: String, columns: [String: String])] {
    Dictionary(
      alterations.map { ($0.source.name, ($0.destination.name, $0.columns)) }, uniquingKeysWith: { first, _ in first })
  }
}

extension StoreModel {
  fileprivate var joinTables: [(table: SQLTable, address: PropertyAddress)] {
    layout.tables.compactMap { table in if case .join(let address) = table.content { (table, address) } else { nil } }
  }
}

extension TableFate {
  fileprivate var alteration: TableAlteration? { if case .alter(let alteration) = self { alteration } else { nil } }
}

extension PlanningContext {
  /// The source join table that becomes a destination one by renaming alone.
  fileprivate func joinRename(to table: SQLTable, _ address: PropertyAddress) -> TableAlteration? {
    let links = linkSources(of: address)
    guard links.count == 1, let link = links.first, !losesOrder(address), limits(of: address).isEmpty,
      !(destination.inverse(of: address).map(losesOrder) ?? false),
      // A relationship that is its own inverse has every link twice.
      destination.inverse(of: address) != address || source.inverse(of: link.address) == link.address,
      let old = source.place(
        .joinSource(link.isForward ? link.address : source.inverse(of: link.address) ?? link.address)),
      case .join(let name, let near, let far, let order, let inverseOrder) = source.linkStorage(of: link.address),
      let from = source.layout.table(named: name),
      case .join(let oldAddress) = from.content
    else { return nil }
    let isNamedAlike = link.isForward ? old.column.name == near : old.column.name == far
    guard isNamedAlike, oldAddress == (link.isForward ? link.address : source.inverse(of: link.address)) else {
      return nil
    }
    let roles: [(SQLColumn.Role, String?)] =
      link.isForward
      ? [
        (.joinSource(address), near), (.joinDestination(address), far), (.joinSourceOrder(address), inverseOrder),
        (.joinDestinationOrder(address), order),
      ]
      : [
        (.joinSource(address), far), (.joinDestination(address), near), (.joinSourceOrder(address), order),
        (.joinDestinationOrder(address), inverseOrder),
      ]
    var columns: [String: String] = [:]
    for (role, oldName) in roles {
      switch (table.column(role), oldName) {
      case (nil, nil): continue
      case (let column?, let oldName?): columns[oldName] = column.name
      default: return nil
      }
    }
    return TableAlteration(of: from, to: table, columns: columns)
  }
}
