import PersistentStores

/// The fate of every table: altered, copied, made or dropped.
struct TablePlanning {
  private(set) var alterations: [TableAlteration] = []
  private(set) var copies: [TableTransfer] = []
  private(set) var joinRenames: [JoinRename] = []
  private(set) var newJoins: [SQLTable] = []

  /// A join table that only changes its names.
  struct JoinRename {
    let from: SQLTable
    let to: SQLTable
    /// The destination's name for every column.
    let columns: [String: String]
  }

  init(_ context: PlanningContext) {
    let transfers = context.tableTransfers()
    var uses: [String: Int] = [:]
    for feeder in transfers.flatMap(\.feeders) { uses[feeder.table.name, default: 0] += 1 }
    for transfer in transfers {
      if transfer.feeders.count == 1, let feeder = transfer.feeders.first, uses[feeder.table.name] == 1,
        let alteration = TableAlteration(transfer, in: context)
      {
        alterations.append(alteration)
      } else {
        copies.append(transfer)
      }
    }
    for table in context.destination.layout.tables {
      guard case .join(let address) = table.content else { continue }
      if let rename = context.joinRename(to: table, address), !joinRenames.contains(where: { $0.from == rename.from }) {
        joinRenames.append(rename)
      } else {
        newJoins.append(table)
      }
    }
  }

  /// Plans a copy of every entity table but those that stay, and every join table anew.
  init(copying transfers: [TableTransfer], to destination: StoreModel, keeping kept: [JoinRename]) {
    copies = transfers
    joinRenames = kept
    newJoins = destination.layout.tables.filter { if case .join = $0.content { true } else { false } }
  }

  /// The names that source tables and their columns have at the end, for those that stay.
  var keptTables: [String: (name: String, columns: [String: String])] {
    var kept: [String: (name: String, columns: [String: String])] = [:]
    for alteration in alterations {
      kept[alteration.feeder.table.name] = (alteration.transfer.destination.name, alteration.renames)
    }
    for rename in joinRenames { kept[rename.from.name] = (rename.to.name, rename.columns) }
    return kept
  }
}

extension PlanningContext {
  /// The source join table that becomes a destination one by renaming alone.
  fileprivate func joinRename(to table: SQLTable, _ address: PropertyAddress) -> TablePlanning.JoinRename? {
    let links = linkSources(of: address)
    guard links.count == 1, let link = links.first, !losesOrder(address), limits(of: address).isEmpty,
      !(destination.inverse(of: address).map(losesOrder) ?? false),
      // A relationship that is its own inverse has every link twice.
      destination.inverse(of: address) != address || source.inverse(of: link.address) == link.address,
      let old = source.place(
        .joinSource(link.isForward ? link.address : source.inverse(of: link.address) ?? link.address)),
      case .join(let name, let near, let far, let order, let inverseOrder) = source.linkStorage(of: link.address),
      let from = source.layout.tables.first(where: { $0.name == name }),
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
    return TablePlanning.JoinRename(from: from, to: table, columns: columns)
  }
}
