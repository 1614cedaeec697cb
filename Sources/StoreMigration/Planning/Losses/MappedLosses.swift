import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The losses of a mapping model, each with the query that counts it.
struct MappedLosses {
  private(set) var losses: [PlannedLoss] = []
  private let context: PlanningContext

  /// Finds what is neither read nor written as one of the gathered links.
  init(_ context: PlanningContext, _ gathering: LinkGathering) throws(MigrationRefusal) {
    self.context = context
    let carried = Dictionary(uniqueKeysWithValues: context.entities.map { ($0.position, $0.carriedPaths) })
    for entity in context.source.hierarchy.numberedEntities where !entity.isAbstract {
      let readers = context.entities(reading: entity.name)
      guard !readers.isEmpty else {
        let removal = context.mapping.entityMappings.first { $0.source == entity.name }?.name
        add(entity, removal.map { .removed(byMapping: $0) } ?? .noEntityMapping, condition: nil)
        continue
      }
      if readers.contains(where: \.isCoded) { continue }
      let taken = try taken(by: readers)
      if let taken { add(entity, .filtered, condition: "NOT (\(taken))") }
      try addAttributes(of: entity, readers, carried, taken: taken)
    }
    losses += try LinkLosses(context, gathering.readings).losses
    if !context.hasCode { addOrders(gathering) }
  }

  /// Holds for the rows that one of several mappings of an entity takes, nil if one takes all.
  private func taken(by readers: [MappedEntity]) throws(MigrationRefusal) -> SQLStatement? {
    var conditions: [SQLStatement] = []
    for reader in readers {
      guard let filter = reader.mapping.filter else { return nil }
      conditions.append("(\(try context.compiled(filter, of: reader, isStaged: false))) IS TRUE")
    }
    return conditions.joined(" OR ")
  }

  /// The order of a source relationship whose links come into unordered relationships only.
  private mutating func addOrders(_ gathering: LinkGathering) {
    let carriers = carriers(gathering)
    for entity in context.source.hierarchy.numberedEntities {
      for relationship in entity.relationships where relationship.isToMany && relationship.isOrdered {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        let destinations = carriers[address] ?? []
        guard let destination = destinations.first,
          destinations.allSatisfy({ !(context.destination.relationship($0)?.isOrdered ?? false) }),
          let table = context.source.table(ofEntity: entity.name)
        else { continue }
        let links = context.source.links(from: .relationship(address, isForward: true), table: table)
        losses.append(
          PlannedLoss(
            loss: DataLoss(
              element: address.description, kind: .orderLost, cause: .unordered(destination: destination.description)),
            countQuery: """
              SELECT COUNT(*) FROM (SELECT near FROM (\(links)) WHERE place IS NOT NULL GROUP BY near HAVING COUNT(*) > 1)
              """, isImplied: context.mapping.drops([address.description])))
      }
    }
  }

  /// The destination relationships that take the links of each source relationship, as they are gathered.
  private func carriers(_ gathering: LinkGathering) -> [PropertyAddress: [PropertyAddress]] {
    var carriers: [PropertyAddress: [PropertyAddress]] = [:]
    for (pair, atoms) in gathering.pairs {
      let inverse = pair.inverse ?? pair.address
      for atom in atoms {
        guard case .relationship(let address, let isForward) = atom.origin else { continue }
        carriers[address, default: []].append(isForward ? pair.address : inverse)
        guard let other = context.staged.inverse(of: address), other != address else { continue }
        carriers[other, default: []].append(isForward ? inverse : pair.address)
      }
    }
    return carriers
  }

  private mutating func add(_ entity: EntityDescription, _ cause: DataLoss.Cause, condition: SQLStatement?) {
    guard let (from, _) = rows(of: entity.name) else { return }
    let more: SQLStatement = condition.map { " AND \($0)" } ?? ""
    losses.append(
      PlannedLoss(
        loss: DataLoss(element: entity.name, kind: .entityRemoved, cause: cause),
        countQuery: "SELECT COUNT(*) FROM \(from)\(more)", isImplied: context.mapping.drops([entity.name])))
  }

  /// The rows of exactly an entity, to be followed by further conditions, and its number.
  private func rows(of entity: String) -> (SQLStatement, number: Int)? {
    guard let table = context.source.table(ofEntity: entity), let number = context.source.number(of: entity) else {
      return nil
    }
    return (
      """
      \(name: table.name) AS \(name: "source") WHERE \(name: "source").\(name: "Z_ENT") = \(.number(number))
      """, number
    )
  }

  /// Asks for the values on rows that are carried over, but by none of the mappings that read the attribute.
  private mutating func addAttributes(
    of entity: EntityDescription, _ readers: [MappedEntity], _ carried: [Int: CarriedPaths], taken: SQLStatement?
  ) throws(MigrationRefusal) {
    for (name, declared) in context.source.hierarchy.allAttributes(of: entity.name).sorted(by: { $0.key < $1.key }) {
      guard !declared.property.isTransient, declared.property.derivation == nil else { continue }
      for leaf in declared.property.leaves {
        let path = leaf.path.joined(separator: ".")
        let names = ["\(entity.name).\(path)", "\(declared.entity.name).\(path)", "\(entity.name).\(name)"]
        let reading = readers.filter { carried[$0.position]?.hasAttribute(leaf.path) ?? false }
        guard reading.count < readers.count,
          let place = context.source.place(.attribute(PropertyAddress(entity: declared.entity.name, property: path))),
          let (from, _) = rows(of: entity.name)
        else { continue }
        var query: SQLStatement = "SELECT COUNT(\(name: "source").\(name: place.column.name)) FROM \(from)"
        if let taken { query = "\(query) AND (\(taken))" }
        if !reading.isEmpty {
          guard let read = try self.taken(by: reading) else { continue }
          query = "\(query) AND NOT (\(read))"
        }
        losses.append(
          PlannedLoss(
            loss: DataLoss(
              element: names[0], otherElement: names[1], kind: .attributeRemoved,
              cause: reading.isEmpty ? .unread : .filtered),
            countQuery: query, isImplied: context.mapping.drops(names)))
      }
    }
  }
}
