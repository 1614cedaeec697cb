import MigrationSQL
import ModelDescription
import PersistentStores

/// Links that are copied from where the source keeps them, because no row can have several candidates.
struct DirectLinks {
  /// The columns filled while the objects of a mapping are made, by its position.
  private(set) var columns: [Int: [(column: String, value: SQLStatement)]] = [:]
  /// The steps to run when all objects exist.
  private(set) var steps: [PlanStep] = []
  /// The columns that were copied as they are, for references that lead nowhere to be emptied.
  private(set) var copied: [CopiedReferences] = []
  private let context: PlanningContext
  private let pair: LinkPair

  /// Returns nil if the links have to be gathered first.
  init?(_ pair: LinkPair, _ written: [LinkAtom], in context: PlanningContext) {
    let atoms = Self.distinct(written)
    (self.context, self.pair) = (context, pair)
    let isPlanned =
      switch pair.storage {
      case .join(let table): fill(table, with: atoms)
      case .oneToOne where !isMatching(atoms): false
      default: LinkSide.sides(of: pair).allSatisfy { fill($0, with: $0.isNear ? atoms : atoms.map(\.turned)) }
      }
    guard isPlanned else { return nil }
  }

  /// Links that both sides write are written once.
  private static func distinct(_ atoms: [LinkAtom]) -> [LinkAtom] {
    atoms.reduce(into: []) { kept, atom in
      if !kept.contains(where: { $0.hasSameLinks(as: atom) }) { kept.append(atom) }
    }
  }

  /// True if every object of either side has one partner at the most, whatever the rows hold.
  private func isMatching(_ atoms: [LinkAtom]) -> Bool {
    guard !pair.isReflexive, let origin = atoms.first?.origin, atoms.allSatisfy({ $0.origin == origin }),
      haveDifferentSources(atoms.map(\.near)), haveDifferentSources(atoms.map(\.far))
    else { return false }
    guard case .relationship(let address, _) = origin else { return origin == .same }
    let ends = [address, context.staged.inverse(of: address)].compactMap { $0.flatMap(context.staged.relationship) }
    return ends.count == 2 && ends.allSatisfy { !$0.isToMany }
  }

  /// True if an object may link to two objects made of one, which have one place in the source's order.
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
      var ownPlace: SQLStatement?
      if side.order != nil {
        if let place {
          guard Set(atoms.map(\.origin)).count == 1, !haveSharedPlaces(atoms.map(\.turned)) else { return false }
          ownPlace = "CASE WHEN \(value) IS NOT NULL THEN \(place) END"
        } else {
          guard holders.count == 1 else { return false }
          isNumbered = true
        }
      }
      found[holder] = side.values(key: value, number: number(ofRow: reference, in: targets), place: ownPlace)
    }
    for (holder, values) in found { columns[holder, default: []] += values }
    if isNumbered {
      let rows = context.entities(filling: side.table).reduce(0) { $0 + context.rowCount(of: $1) }
      steps += [LinkWriter.number(side, cause: .linksKeptInOrder(pair.address), rows: rows)].compactMap(\.self)
    }
    return true
  }

  /// The references of every holder as its source rows keep them, nil if one keeps none.
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
  /// nil if it is not kept there.
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

  /// The key of the row made of another; nothing if that row is not there or is not carried over.
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

  private func holdsOnlyRows(of targets: [MappedEntity], _ table: SQLTable) -> Bool {
    guard case .hierarchy(let root) = table.content else { return false }
    let sources = Set(targets.map(\.source))
    return context.source.hierarchy.family(of: root).allSatisfy { $0.isAbstract || sources.contains($0.name) }
  }

  // MARK: Join tables

  private mutating func fill(_ join: LinkTable, with atoms: [LinkAtom]) -> Bool {
    let isOrdered = join.order != nil || join.inverseOrder != nil
    guard !isOrdered || Set(atoms.map(\.origin)).count == 1 else { return false }
    for atom in atoms {
      let places = context.staged.places(of: atom.origin)
      guard join.order == nil || places.near, join.inverseOrder == nil || places.far else { return false }
    }
    guard join.order == nil || !haveSharedPlaces(atoms),
      join.inverseOrder == nil || !haveSharedPlaces(atoms.map(\.turned))
    else { return false }
    for atom in atoms {
      guard let near = context.entity(at: atom.near), let far = context.entity(at: atom.far) else { continue }
      let cause = PlanCause.linksWritten(pair.address)
      let links = LinkQuery(
        rows: """
          (\(context.staged.links(from: atom.origin, table: near.sourceTable))) AS link \
          CROSS JOIN \(near.pairs) AS near ON near.src = link.near \
          CROSS JOIN \(far.pairs) AS far ON far.src = link.far
          """,
        near: "near.dst", far: "far.dst", place: "link.place", inversePlace: "link.inversePlace",
        repetition: .ignored, count: context.linkCount(of: atom), cause: cause)
      let writer = LinkWriter(links: links, destination: context.destination)
      steps.append(writer.fill(join))
      if pair.isReflexive { steps.append(writer.mirror(join, cause: cause)) }
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

extension PlanningContext {
  func linkCount(of atom: LinkAtom) -> Int {
    guard case .relationship(let address, _) = atom.origin else { return entity(at: atom.near).map(rowCount(of:)) ?? 0 }
    return linkCount(address)
  }
}
