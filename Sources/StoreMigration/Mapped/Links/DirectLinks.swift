import ModelDescription
import PersistentStores

/// Links that are copied from where the source keeps them, because no row can have several candidates.
struct DirectLinks {
  /// The columns filled while the objects of a mapping are made, by its position.
  private(set) var columns: [Int: [(column: String, value: SQLStatement)]] = [:]
  /// What is written when all objects are made.
  private(set) var steps: [PlanStep] = []
  /// The columns that were copied as they are, for references that lead nowhere to be emptied.
  private(set) var copied: [CopiedReferences] = []
  private let context: MappedContext
  private let pair: LinkPair

  /// Returns nil when the links have to be gathered first.
  init?(_ pair: LinkPair, _ written: [LinkAtom], in context: MappedContext) {
    let atoms = Self.distinct(written)
    self.context = context
    self.pair = pair
    let isPlanned =
      switch pair.storage {
      case .join(let table, let near, let far): fill(table, near, far, with: atoms)
      case .oneToOne where !isMatching(atoms): false
      default: LinkSide.sides(of: pair).allSatisfy { fill($0, with: $0.isNear ? atoms : atoms.map(\.turned)) }
      }
    guard isPlanned else { return nil }
  }

  /// What both sides write is written once.
  private static func distinct(_ atoms: [LinkAtom]) -> [LinkAtom] {
    atoms.reduce(into: []) { kept, atom in
      if !kept.contains(where: { $0.hasSameLinks(as: atom) }) { kept.append(atom) }
    }
  }

  /// True when every object of either side has one partner at the most, whatever the rows hold.
  private func isMatching(_ atoms: [LinkAtom]) -> Bool {
    guard !pair.isReflexive, let origin = atoms.first?.origin, atoms.allSatisfy({ $0.origin == origin }),
      haveDifferentSources(atoms.map(\.near)), haveDifferentSources(atoms.map(\.far))
    else { return false }
    guard case .relationship(let address, _) = origin else { return origin == .same }
    let ends = [address, context.staged.inverse(of: address)].compactMap { $0.flatMap(context.staged.relationship) }
    return ends.count == 2 && ends.allSatisfy { !$0.isToMany }
  }

  /// True when an object may link to two objects made of one, which have one place in the source's order.
  private func haveSharedPlaces(_ atoms: [LinkAtom]) -> Bool {
    Dictionary(grouping: atoms, by: \.near).values.contains { !haveDifferentSources($0.map(\.far)) }
  }

  private func haveDifferentSources(_ positions: [Int]) -> Bool {
    let sources = Set(positions).compactMap { context.entity(at: $0)?.source }
    return Set(sources).count == sources.count
  }

  // MARK: Columns

  private mutating func fill(_ side: LinkSide, with atoms: [LinkAtom]) -> Bool {
    let holders = Set(atoms.map(\.near)).sorted()
    if let references = CopiedReferences(side, atoms, in: context), let values = copies(side, holders, atoms) {
      for (holder, value) in values { columns[holder, default: []].append((side.column.name, value)) }
      copied.append(references)
      return true
    }
    var found: [Int: [(column: String, value: SQLStatement)]] = [:]
    var isNumbered = false
    for holder in holders {
      let own = atoms.filter { $0.near == holder }
      guard let entity = context.entity(at: holder), let origin = own.first?.origin,
        own.allSatisfy({ $0.origin == origin }), haveDifferentSources(own.map(\.far)),
        let (reference, place) = reference(origin, of: entity)
      else { return false }
      let targets = own.compactMap { context.entity(at: $0.far) }
      let isSame = origin == .same && targets.allSatisfy { $0.association == .kept && $0.source == entity.source }
      let value = isSame ? reference : key(ofRow: reference, in: targets)
      var values = [(side.column.name, value)]
      if let companion = side.companion { values.append((companion.name, number(ofRow: reference, in: targets))) }
      if let order = side.order {
        if let place {
          guard Set(atoms.map(\.origin)).count == 1, !haveSharedPlaces(atoms.map(\.turned)) else { return false }
          values.append((order.name, "CASE WHEN \(value) IS NOT NULL THEN \(place) END"))
        } else {
          guard holders.count == 1 else { return false }
          isNumbered = true
        }
      }
      found[holder] = values
    }
    for (holder, values) in found { columns[holder, default: []] += values }
    if isNumbered, let order = side.order { number(order, of: side) }
    return true
  }

  /// The references of every holder as its source rows keep them, nil where one keeps none.
  private func copies(_ side: LinkSide, _ holders: [Int], _ atoms: [LinkAtom]) -> [(Int, SQLStatement)]? {
    var values: [(Int, SQLStatement)] = []
    for holder in holders {
      guard let entity = context.entity(at: holder), let atom = atoms.first(where: { $0.near == holder }),
        let (reference, _) = reference(atom.origin, of: entity)
      else { return nil }
      values.append((holder, reference))
    }
    return values
  }

  /// The key of the other source row in a row of the holder's source table, and this row's place in the other's order;
  /// nil when it is not kept there.
  private func reference(_ origin: LinkOrigin, of entity: MappedEntity) -> (SQLStatement, place: SQLStatement?)? {
    let staged = context.staged
    switch origin {
    case .same: return ("\(name: "source").\(name: "Z_PK")", nil)
    case .query: return nil
    case .relationship(let address, let isForward):
      let (table, column, order): (String, String, String?)
      let owner: String?
      switch staged.linkStorage(of: address) {
      case .column(let name, let link) where isForward:
        (table, column, order) = (name, link, staged.place(.toOneOrder(address))?.column.name)
        owner = address.entity
      case .foreignColumn(let name, let link, let place) where !isForward:
        (table, column, order) = (name, link, place)
        owner = staged.relationship(address)?.destinationEntityName
      case .column:
        guard let inverse = staged.inverse(of: address), staged.inverse(of: inverse) == address,
          case .column(let name, let link) = staged.linkStorage(of: inverse)
        else { return nil }
        (table, column, order, owner) = (name, link, nil, inverse.entity)
      default: return nil
      }
      guard table == entity.sourceTable.name, let owner, staged.hierarchy.isEntity(entity.source, kindOf: owner) else {
        return nil
      }
      return ("\(name: "source").\(name: column)", order.map { "\(name: "source").\(name: $0)" })
    }
  }

  /// The key of the row made of another; nothing where that row is not there or is not carried over.
  private func key(ofRow reference: SQLStatement, in targets: [MappedEntity]) -> SQLStatement {
    let kept = targets.filter { $0.association == .kept }
    guard kept.count == targets.count, let table = kept.first?.sourceTable else {
      let keys = targets.map { $0.key(ofRow: reference) }
      return keys.count == 1 ? keys[0] : "COALESCE(\(keys.joined()))"
    }
    let isMapped: SQLStatement =
      holdsOnlyRows(of: kept, table) ? "" : " AND target.\(name: "Z_ENT") IN (\(.list(kept.map(\.sourceNumber))))"
    return """
      (SELECT target.\(name: "Z_PK") FROM \(name: table.name) AS target \
      WHERE target.\(name: "Z_PK") = \(reference)\(isMapped))
      """
  }

  /// The entity number of the row made of another.
  private func number(ofRow reference: SQLStatement, in targets: [MappedEntity]) -> SQLStatement {
    let numbers = targets.map { target -> SQLStatement in
      "CASE WHEN \(target.key(ofRow: reference)) IS NOT NULL THEN \(.number(target.destinationNumber)) END"
    }
    return numbers.count == 1 ? numbers[0] : "COALESCE(\(numbers.joined()))"
  }

  /// True when the mappings take every row of a source table.
  private func holdsOnlyRows(of targets: [MappedEntity], _ table: SQLTable) -> Bool {
    guard case .hierarchy(let root) = table.content else { return false }
    let sources = Set(targets.map(\.source))
    return context.source.hierarchy.family(of: root).allSatisfy { $0.isAbstract || sources.contains($0.name) }
  }

  /// Numbers the rows of an ordered to-many that had no order, by ascending key.
  private mutating func number(_ column: SQLColumn, of side: LinkSide) {
    let key: SQLStatement = "\(name: "Z_PK")"
    let link: SQLStatement = "\(name: side.column.name)"
    steps.append(
      PlanStep(
        """
        UPDATE \(name: side.table.name) SET \(name: column.name) = \(.place(ofElement: "numbered.place")) FROM (SELECT \(key) \
        AS row, row_number() OVER (PARTITION BY \(link) ORDER BY \(key)) AS place FROM \(name: side.table.name) \
        WHERE \(link) IS NOT NULL) AS numbered WHERE numbered.row = \(name: side.table.name).\(key)
        """, cause: "\(pair.address) is kept in an order now",
        rows: context.entities(filling: side.table).reduce(0) { $0 + context.rowCount(of: $1) },
        writing: .columns([column.name], of: side.table.name)))
  }

  // MARK: Join tables

  private mutating func fill(_ table: SQLTable, _ near: SQLColumn, _ far: SQLColumn, with atoms: [LinkAtom]) -> Bool {
    let order = table.column(.joinDestinationOrder(pair.address))
    let inverseOrder = table.column(.joinSourceOrder(pair.address))
    let isOrdered = order != nil || inverseOrder != nil
    guard !isOrdered || Set(atoms.map(\.origin)).count == 1 else { return false }
    for atom in atoms {
      let places = context.staged.places(of: atom.origin)
      guard order == nil || places.near, inverseOrder == nil || places.far else { return false }
    }
    guard order == nil || !haveSharedPlaces(atoms), inverseOrder == nil || !haveSharedPlaces(atoms.map(\.turned)) else {
      return false
    }
    for atom in atoms {
      guard let nearEntity = context.entity(at: atom.near), let farEntity = context.entity(at: atom.far) else {
        continue
      }
      var columns = [near.name, far.name]
      var values: [SQLStatement] = ["near.dst", "far.dst"]
      if let order {
        columns.append(order.name)
        values.append("link.place")
      }
      if let inverseOrder {
        columns.append(inverseOrder.name)
        values.append("link.inversePlace")
      }
      let links: SQLStatement = """
        FROM (\(context.staged.links(from: atom.origin, table: nearEntity.sourceTable))) AS link \
        CROSS JOIN \(nearEntity.pairs) AS near ON near.src = link.near \
        CROSS JOIN \(farEntity.pairs) AS far ON far.src = link.far
        """
      let cause = "the links of \(pair.address)"
      let rows = context.linkCount(of: atom)
      let insertion: SQLStatement = "INSERT OR IGNORE INTO \(name: table.name)"
      steps.append(
        PlanStep(
          "\(insertion) (\(.names(columns))) SELECT \(values.joined()) \(links)", cause: cause, rows: rows,
          writing: .rows(of: table.name)))
      guard pair.isReflexive else { continue }
      steps.append(
        PlanStep(
          "\(insertion) (\(name: near.name), \(name: far.name)) SELECT far.dst, near.dst \(links)", cause: cause,
          rows: rows, writing: .rows(of: table.name)))
    }
    return true
  }
}

extension StoreModel {
  /// Whether the links of an origin have places: of the far object among the near one's, and the other way round.
  func places(of origin: LinkOrigin) -> (near: Bool, far: Bool) {
    guard case .relationship(let address, let isForward) = origin else { return (false, false) }
    let ordered = relationship(address).map { $0.isToMany && $0.isOrdered } ?? false
    let inverse = inverse(of: address).flatMap(relationship).map { $0.isToMany && $0.isOrdered } ?? false
    return isForward ? (ordered, inverse) : (inverse, ordered)
  }
}

extension MappedContext {
  /// The number of links of an atom at the most.
  func linkCount(of atom: LinkAtom) -> Int {
    guard case .relationship(let address, _) = atom.origin else {
      return entity(at: atom.near).map(rowCount(of:)) ?? 0
    }
    switch source.linkStorage(of: address) {
    case .column(let table, _), .foreignColumn(let table, _, _), .join(let table, _, _, _, _):
      return surroundings.rowCount(ofTable: table)
    case nil: return 0
    }
  }
}
