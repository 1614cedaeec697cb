import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The links between objects that are carried over which no mapping carries over with them.
///
/// If an object is deleted, the name that allows this also allows the loss of its links.
struct LinkLosses {
  private(set) var losses: [PlannedLoss] = []
  private let context: PlanningContext
  /// The mappings whose objects are found through a relationship, by that of the mapping that looks them up.
  private let lookups: [Lookup: Set<Int>]
  /// The look-ups of objects that are chosen among those of a relationship.
  private let chosen: [Lookup: [LinkLookUp]]
  /// The relationships that the SQL in place of a policy's functions reads, by mapping.
  private let functions: [Int: Set<String>]
  /// The source entities from which a relationship of a name is followed, with those above them.
  private let followers: [String: Set<String>]

  /// A relationship of the objects that a mapping takes.
  private struct Lookup: Hashable {
    let mapping: Int
    let relationship: String
  }

  init(_ context: PlanningContext, _ readings: [LinkLookUp]) throws(MigrationRefusal) {
    self.context = context
    functions = Dictionary(
      uniqueKeysWithValues: context.entities.map { ($0.position, $0.functionPaths.wholeProperties) })
    var (lookups, chosen) = ([Lookup: Set<Int>](), [Lookup: [LinkLookUp]]())
    var followers: [String: Set<String>] = [:]
    for reading in readings {
      for relationship in reading.relationships {
        let lookup = Lookup(mapping: reading.mapping, relationship: relationship)
        if reading.isWhole {
          lookups[lookup, default: []].formUnion(reading.found)
        } else {
          chosen[lookup, default: []].append(reading)
        }
        if let source = context.entity(at: reading.mapping)?.source {
          let lineage = context.source.hierarchy.lineage(of: source).map(\.name)
          followers[relationship, default: []].formUnion(lineage)
        }
      }
    }
    (self.lookups, self.chosen, self.followers) = (lookups, chosen, followers)
    for entity in context.source.hierarchy.numberedEntities where !entity.isAbstract {
      let near = context.entities(reading: entity.name)
      guard !near.isEmpty else { continue }
      let relationships = context.source.hierarchy.allRelationships(of: entity.name)
      for (name, declared) in relationships.sorted(by: { $0.key < $1.key }) {
        try add(PropertyAddress(entity: declared.entity.name, property: name), of: entity.name, near)
      }
    }
  }

  private mutating func add(
    _ address: PropertyAddress, of entity: String, _ near: [MappedEntity]
  ) throws(MigrationRefusal) {
    let inverse = context.source.inverse(of: address)
    guard let target = context.source.relationship(address)?.destinationEntityName,
      let table = context.source.table(ofEntity: entity), context.source.linkStorage(of: address) != nil,
      isReported(of: address, inverse)
    else { return }
    let far = context.entities(readingFamilyOf: target)
    guard !far.isEmpty else { return }
    let handled = near.map { mapping in far.map { isHandled(address, inverse, mapping, $0) } }
    guard !isCovered(handled, near, far) else { return }
    var conditions: [SQLStatement] = [try anyTakes("near", near), try anyTakes("far", far)]
    for (mapping, row) in zip(near, handled) {
      let found = zip(far, row).filter { $0.1 }.map { $0.0 }
      guard !found.isEmpty else { continue }
      conditions.append("NOT (\(try anyTakes("near", [mapping])) AND \(try anyTakes("far", found)))")
    }
    conditions += try leftOut(address.property, ("near", near), ("far", far))
    if let inverse { conditions += try leftOut(inverse.property, ("far", far), ("near", near)) }
    let links = context.source.links(from: .relationship(address, isForward: true), table: table)
    let isRead = conditions.count > 2
    let names = ["\(entity).\(address.property)", address.description] + [inverse?.description].compactMap { $0 }
    losses.append(
      PlannedLoss(
        loss: DataLoss(
          element: names[0], otherElement: names.last, kind: .relationshipRemoved, cause: isRead ? .notFound : .unread),
        countQuery: "SELECT COUNT(*) FROM (\(links)) AS link WHERE \(conditions.joined(" AND "))",
        isImplied: context.mapping.drops(names)))
  }

  /// Holds for the links that no look-up of chosen objects of a relationship finds.
  private func leftOut(
    _ relationship: String, _ own: (end: SQLStatement, mappings: [MappedEntity]),
    _ other: (end: SQLStatement, mappings: [MappedEntity])
  ) throws(MigrationRefusal) -> [SQLStatement] {
    var conditions: [SQLStatement] = []
    for mapping in own.mappings {
      for reading in chosen[Lookup(mapping: mapping.position, relationship: relationship)] ?? [] {
        let found = other.mappings.filter { reading.found.contains($0.position) }
        guard !found.isEmpty else { continue }
        let links = try context.links(reading.objects, of: mapping)
        conditions.append(
          """
          NOT (\(try anyTakes(own.end, [mapping])) AND \(try anyTakes(other.end, found)) \
          AND (link.\(own.end), link.\(other.end)) IN (SELECT owner, target FROM (\(links))))
          """)
      }
    }
    return conditions
  }

  /// True for the one of two inverse relationships that the links are named by: the one that look-ups follow.
  private func isReported(of address: PropertyAddress, _ inverse: PropertyAddress?) -> Bool {
    guard let inverse, context.source.linkStorage(of: inverse) != nil, context.source.inverse(of: inverse) == address
    else { return true }
    guard isFollowed(address) == isFollowed(inverse) else { return isFollowed(address) }
    return address.description <= inverse.description
  }

  private func isFollowed(_ address: PropertyAddress) -> Bool {
    followers[address.property]?.contains(address.entity) ?? false
  }

  /// True if the links between what two mappings take are carried over, or handed to code.
  private func isHandled(
    _ address: PropertyAddress, _ inverse: PropertyAddress?, _ near: MappedEntity, _ far: MappedEntity
  ) -> Bool {
    near.isCoded || far.isCoded || follows(address.property, near, far)
      || (inverse.map { follows($0.property, far, near) } ?? false)
  }

  private func follows(_ name: String, _ mapping: MappedEntity, _ found: MappedEntity) -> Bool {
    if functions[mapping.position]?.contains(name) ?? false { return true }
    let lookup = Lookup(mapping: mapping.position, relationship: name)
    return lookups[lookup]?.contains(found.position) ?? false
  }

  /// True if the links between all objects that are carried over are handled, whatever the filters take.
  private func isCovered(_ handled: [[Bool]], _ near: [MappedEntity], _ far: [MappedEntity]) -> Bool {
    Set(far.map(\.source)).allSatisfy { source in
      let columns = far.indices.filter { far[$0].source == source }
      return choices(Array(near.indices), near).contains { rows in
        choices(columns, far).contains { columns in
          rows.allSatisfy { row in columns.allSatisfy { handled[row][$0] } }
        }
      }
    }
  }

  /// The sets of mappings of which one is sure to take an object that any takes.
  private func choices(_ positions: [Int], _ mappings: [MappedEntity]) -> [[Int]] {
    [positions] + positions.filter { mappings[$0].mapping.filter == nil }.map { [$0] }
  }

  /// Holds for the links whose object at one end one of several mappings takes.
  private func anyTakes(_ end: SQLStatement, _ mappings: [MappedEntity]) throws(MigrationRefusal) -> SQLStatement {
    var conditions: [SQLStatement] = []
    for mapping in mappings {
      guard let table = context.source.table(ofEntity: mapping.source) else { continue }
      conditions.append(
        """
        link.\(end) IN (SELECT \(name: "source").\(name: "Z_PK") FROM \(name: table.name) AS \(name: "source") \
        WHERE \(try context.condition(of: mapping, isStaged: false)))
        """)
    }
    return conditions.isEmpty ? "0" : "(\(conditions.joined(" OR ")))"
  }
}

extension PlanningContext {
  /// The links from the rows that a mapping reads to the objects that an expression gives, before anything is written.
  fileprivate func links(
    _ objects: ValueExpression, of entity: MappedEntity
  ) throws(MigrationRefusal) -> SQLStatement {
    do {
      return try compiler(of: entity, isStaged: false).links(objects)
    } catch {
      throw .mapping(name: entity.mapping.name, .expression(property: nil, ExpressionError(error)))
    }
  }
}
