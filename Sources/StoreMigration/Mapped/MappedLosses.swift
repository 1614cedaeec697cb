import MappingModels
import ModelDescription
import PersistentStores

/// What a mapping model leaves behind, each with the question how much of it there is.
struct MappedLosses {
  private(set) var losses: [PlannedLoss] = []
  private let context: MappedContext
  private let reads: [String: Set<String>]

  /// Finds what is neither read nor written as one of the gathered links.
  init(_ context: MappedContext, _ gathering: LinkGathering) throws(MigrationRefusal) {
    self.context = context
    var reads: [String: Set<String>] = [:]
    for entity in context.entities {
      let unread = gathering.unread[entity.position] ?? []
      reads[entity.source, default: []].formUnion(entity.keysRead(except: unread))
    }
    self.reads = reads
    for entity in context.source.hierarchy.numberedEntities where !entity.isAbstract {
      let readers = context.entities(reading: entity.name)
      guard !readers.isEmpty else {
        let isStated = context.mapping.entityMappings.contains { $0.source == entity.name }
        add(entity, "entity \(entity.name) is \(isStated ? "removed" : "in no entity mapping")", condition: nil)
        continue
      }
      if readers.contains(where: \.isCoded) { continue }
      let filters = readers.compactMap { reader in reader.mapping.filter.map { (reader, $0) } }
      if filters.count == readers.count {
        var conditions: [SQLStatement] = []
        for (reader, filter) in filters {
          conditions.append("(\(try context.compiled(filter, of: reader, isStaged: false))) IS NOT TRUE")
        }
        add(
          entity, "objects of \(entity.name) that no filter takes are not carried over",
          condition: conditions.joined(" AND "))
      }
      addAttributes(of: entity)
      addRelationships(of: entity)
    }
    if !context.hasCode { addOrders(gathering) }
  }

  /// The order of a source relationship whose links come into unordered relationships only.
  private mutating func addOrders(_ gathering: LinkGathering) {
    for entity in context.source.hierarchy.numberedEntities {
      for relationship in entity.relationships where relationship.isToMany && relationship.isOrdered {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        let heirs = gathering.pairs.flatMap { pair, atoms in
          atoms.compactMap { context.direction(of: address, in: $0) }.map {
            $0 ? pair.address : pair.inverse ?? pair.address
          }
        }
        guard let heir = heirs.first, !isGranted([address.description]),
          heirs.allSatisfy({ !(context.destination.relationship($0)?.isOrdered ?? false) }),
          let table = context.source.table(ofEntity: entity.name)
        else { continue }
        let links = context.source.links(from: .relationship(address, isForward: true), table: table)
        losses.append(
          PlannedLoss(
            loss: DataLoss(
              element: address.description, kind: .orderLost,
              sentence: "the order of \(address) is lost, because \(heir) keeps none"),
            countQuery: """
              SELECT COUNT(*) FROM (SELECT near FROM (\(links)) WHERE place IS NOT NULL GROUP BY near HAVING COUNT(*) > 1)
              """))
      }
    }
  }

  private func isGranted(_ names: [String]) -> Bool { names.contains(where: context.mapping.droppedData.contains) }

  private mutating func add(_ entity: EntityDescription, _ sentence: String, condition: SQLStatement?) {
    guard !isGranted([entity.name]), let (from, _) = rows(of: entity.name) else { return }
    let more: SQLStatement = condition.map { " AND \($0)" } ?? ""
    losses.append(
      PlannedLoss(
        loss: DataLoss(element: entity.name, kind: .entityRemoved, sentence: sentence),
        countQuery: "SELECT COUNT(*) FROM \(from)\(more)"))
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

  private mutating func addAttributes(of entity: EntityDescription) {
    let read = reads[entity.name] ?? []
    for (name, declared) in context.source.hierarchy.allAttributes(of: entity.name).sorted(by: { $0.key < $1.key }) {
      guard !declared.property.isTransient, declared.property.derivation == nil else { continue }
      for leaf in declared.property.leaves {
        let path = leaf.path.joined(separator: ".")
        guard !read.contains(name), !read.contains(path),
          let place = context.source.place(.attribute(PropertyAddress(entity: declared.entity.name, property: path))),
          let (from, _) = rows(of: entity.name)
        else { continue }
        let names = ["\(entity.name).\(path)", "\(declared.entity.name).\(path)", "\(entity.name).\(name)"]
        guard !isGranted(names) else { continue }
        losses.append(
          PlannedLoss(
            loss: DataLoss(
              element: names[0], otherElement: names[1], kind: .attributeRemoved,
              sentence: "nothing reads the values of \(names[0])"),
            countQuery: "SELECT COUNT(\(name: "source").\(name: place.column.name)) FROM \(from)"))
      }
    }
  }

  private mutating func addRelationships(of entity: EntityDescription) {
    let all = context.source.hierarchy.allRelationships(of: entity.name).sorted { $0.key < $1.key }
    for (name, declared) in all where !(reads[entity.name] ?? []).contains(name) {
      let address = PropertyAddress(entity: declared.entity.name, property: name)
      guard let number = context.source.number(of: entity.name),
        let table = context.source.table(ofEntity: entity.name),
        context.source.linkStorage(of: address) != nil, !isReadFromInverse(address)
      else { continue }
      let names = ["\(entity.name).\(name)", "\(declared.entity.name).\(name)"]
      let inverse = context.source.inverse(of: address)?.description
      guard !isGranted(names + [inverse].compactMap { $0 }) else { continue }
      let links = context.source.links(from: .relationship(address, isForward: true), table: table)
      losses.append(
        PlannedLoss(
          loss: DataLoss(
            element: names[0], otherElement: inverse ?? names[1], kind: .relationshipRemoved,
            sentence: "nothing reads the links of \(names[0])"),
          countQuery: """
            SELECT COUNT(*) FROM (\(links)) AS link JOIN \(name: table.name) AS owner ON owner.\(name: "Z_PK") = link.near \
            WHERE owner.\(name: "Z_ENT") = \(.number(number))
            """))
    }
  }

  /// True when the mapping of an entity at the other end reads the same links.
  private func isReadFromInverse(_ address: PropertyAddress) -> Bool {
    guard let inverse = context.source.inverse(of: address),
      let target = context.source.relationship(address)?.destinationEntityName
    else { return false }
    return context.source.hierarchy.family(of: target).contains { member in
      let readers = context.entities(reading: member.name)
      return readers.contains(where: \.isCoded) || (reads[member.name] ?? []).contains(inverse.property)
    }
  }
}

extension MappedContext {
  /// Whether the near objects of an atom own the list of a source relationship, nil for other links.
  fileprivate func direction(of address: PropertyAddress, in atom: LinkAtom) -> Bool? {
    guard case .relationship(let other, let isForward) = atom.origin else { return nil }
    if other == address { return isForward }
    return staged.inverse(of: other) == address ? !isForward : nil
  }
}
