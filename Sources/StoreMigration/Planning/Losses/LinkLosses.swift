import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The links between objects that are carried over which no mapping carries over with them.
///
/// Links of an object that goes itself go with the consent to that.
struct LinkLosses {
  private(set) var losses: [PlannedLoss] = []
  private let context: PlanningContext
  /// The mappings whose objects are found through a relationship, by that of the mapping that looks them up.
  private let lookups: [Lookup: Set<Int>]
  /// What is found so on one way through a `TERNARY` only.
  private let partial: [Lookup: [PartialLookup]]
  /// The source entities from which a relationship of a name is followed, with those above them.
  private let followers: [String: Set<String>]
  /// What other expressions of links and the functions of policies read, by mapping.
  private let carried: [Int: CarriedPaths]

  /// A relationship of the objects that a mapping takes.
  private struct Lookup: Hashable {
    let mapping: Int
    let relationship: String
  }

  private struct PartialLookup {
    let found: Set<Int>
    let branches: [LinkReading.Branch]
  }

  init(_ context: PlanningContext, _ readings: [LinkReading]) throws(MigrationRefusal) {
    self.context = context
    var carried = Dictionary(uniqueKeysWithValues: context.entities.map { ($0.position, $0.functionPaths) })
    var (lookups, partial) = ([Lookup: Set<Int>](), [Lookup: [PartialLookup]]())
    var followers: [String: Set<String>] = [:]
    for reading in readings {
      guard let relationship = reading.relationship else {
        carried[reading.mapping, default: CarriedPaths()].add(reading.objects)
        continue
      }
      let lookup = Lookup(mapping: reading.mapping, relationship: relationship)
      if reading.branches.isEmpty {
        lookups[lookup, default: []].formUnion(reading.found)
      } else {
        partial[lookup, default: []].append(PartialLookup(found: reading.found, branches: reading.branches))
      }
      if let source = context.entity(at: reading.mapping)?.source {
        let lineage = context.source.hierarchy.lineage(of: source).map(\.name)
        followers[relationship, default: []].formUnion(lineage)
      }
    }
    (self.carried, self.lookups, self.partial, self.followers) = (carried, lookups, partial, followers)
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
    conditions += try partialConditions(address.property, ("near", near), ("far", far))
    if let inverse { conditions += try partialConditions(inverse.property, ("far", far), ("near", near)) }
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

  /// Holds for the links that look-ups over a relationship in branches of a `TERNARY` do not find.
  private func partialConditions(
    _ relationship: String, _ own: (end: SQLStatement, mappings: [MappedEntity]),
    _ other: (end: SQLStatement, mappings: [MappedEntity])
  ) throws(MigrationRefusal) -> [SQLStatement] {
    var conditions: [SQLStatement] = []
    for mapping in own.mappings {
      for lookup in partial[Lookup(mapping: mapping.position, relationship: relationship)] ?? [] {
        let found = other.mappings.filter { lookup.found.contains($0.position) }
        guard !found.isEmpty else { continue }
        let taken = try anyTakes(own.end, [mapping], in: lookup.branches)
        conditions.append("NOT (\(taken) AND \(try anyTakes(other.end, found)))")
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

  /// True when the links between what two mappings take are carried over, or handed to code.
  private func isHandled(
    _ address: PropertyAddress, _ inverse: PropertyAddress?, _ near: MappedEntity, _ far: MappedEntity
  ) -> Bool {
    near.isCoded || far.isCoded || follows(address.property, near, far)
      || (inverse.map { follows($0.property, far, near) } ?? false)
  }

  private func follows(_ name: String, _ mapping: MappedEntity, _ found: MappedEntity) -> Bool {
    if carried[mapping.position]?.hasRelationship(name) ?? false { return true }
    let lookup = Lookup(mapping: mapping.position, relationship: name)
    return lookups[lookup]?.contains(found.position) ?? false
  }

  /// True when the links between all objects that are carried over are handled, whatever the filters take.
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

  /// Holds for the links whose object at one end one of several mappings takes, on some ways through a `TERNARY`.
  private func anyTakes(
    _ end: SQLStatement, _ mappings: [MappedEntity], in branches: [LinkReading.Branch] = []
  ) throws(MigrationRefusal) -> SQLStatement {
    var conditions: [SQLStatement] = []
    for mapping in mappings {
      guard let table = context.source.table(ofEntity: mapping.source) else { continue }
      var condition = try context.condition(of: mapping, isStaged: false)
      for branch in branches {
        let holds = try context.compiled(branch.condition, of: mapping, isStaged: false)
        condition = branch.holds ? "\(condition) AND (\(holds)) IS TRUE" : "\(condition) AND (\(holds)) IS NOT TRUE"
      }
      conditions.append(
        """
        link.\(end) IN (SELECT \(name: "source").\(name: "Z_PK") FROM \(name: table.name) AS \(name: "source") \
        WHERE \(condition))
        """)
    }
    return conditions.isEmpty ? "0" : "(\(conditions.joined(" OR ")))"
  }
}
