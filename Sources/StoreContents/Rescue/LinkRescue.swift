import GRDB
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// Repairs contradictions between objects of a new store: equal objects, links to missing objects, and the two sides of
/// a link.
struct LinkRescue {
  private let reading: RecordReading
  private let layout: SQLStoreLayout
  var tally: RescueTally
  private let names: [Int64: String]

  private var store: StoreModel { reading.store }
  private var database: Database { reading.database }

  /// - Parameter layout: the layout of the new store with its unique indexes.
  init(_ reading: RecordReading, _ layout: SQLStoreLayout, _ tally: RescueTally) {
    (self.reading, self.layout, self.tally) = (reading, layout, tally)
    names = Dictionary(layout.entityNumbers.map { (Int64($0.number), $0.name) }) { first, _ in first }
  }

  /// Removes the values that the model does not allow, and records them.
  mutating func run() throws {
    for index in layout.indexes where index.isUnique { try removeEqualObjects(index) }
    for entity in store.hierarchy.model.entities.sorted(by: { $0.name < $1.name }) {
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where !relationship.isTransient {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        guard let destination = relationship.destinationEntityName,
          let target = store.table(ofEntity: destination)?.name, let own = store.table(ofEntity: entity.name)?.name,
          let storage = store.layout.storage(ofRelationship: address, in: store.hierarchy)
        else { continue }
        switch storage {
        case .toOne(let table, let column, let number, let order):
          try emptyLinks(address, table, column, [number, order].compactMap { $0 }, to: target, of: destination)
          if let number { try renumber(address, table, column, number, target) }
        case .owner(let table, let column, let order):
          try emptyOwners(address, table, column, order, own, destination)
        case .join(let table, let near, let far, _, _):
          try removeLinks(address, table, near, own, of: entity.name)
          try removeLinks(address, table, far, target, of: destination)
        case .inverseOfToOne: continue
        }
      }
    }
    try fillOtherSides()
  }

  // MARK: Equal objects

  private mutating func removeEqualObjects(_ index: SQLIndex) throws {
    guard layout.tables.contains(where: { $0.name == index.table && $0.column(.entityNumber) != nil }) else { return }
    let columns = index.columns.map { "\(name: $0.name)" as SQLStatement }
    let isThere = columns.map { "\($0) IS NOT NULL" as SQLStatement }.joined(" AND ")
    let condition: SQLStatement = index.condition.map { " AND (\(SQLStatement(verbatim: $0)))" } ?? ""
    let query: SQLStatement = """
      SELECT Z_ENT, Z_PK FROM (SELECT Z_ENT, Z_PK, ROW_NUMBER() OVER (PARTITION BY \(columns.joined()) ORDER BY Z_PK) \
      AS number FROM \(name: index.table) WHERE \(isThere)\(condition)) WHERE number > 1
      """
    let found = try ids(query)
    guard !found.isEmpty else { return }
    let list = index.columns.map { column in property(of: column.name, in: index.table) }.joined(separator: ", ")
    for (entity, ids) in Dictionary(grouping: found, by: \.entity).sorted(by: { $0.key < $1.key }) {
      for start in stride(from: 0, to: ids.count, by: 500) {
        let part = ids[start..<min(start + 500, ids.count)]
        var writes = RecordWrites()
        writes.deletions = try reading.records(of: entity, keys: part.map(\.key)).filter { $0.id.entity == entity }
        let files = ExternalFiles(ofStore: reading.path)
        try RecordWriting(reading, files: files).write(writes, keys: RecordKeys(), author: nil, derived: .restored)
        files.finish()
      }
      for id in ids {
        tally.add(
          .duplicate, lost: true, entity, "another object has the same \(list), and the model allows one such object",
          key: id.key)
        tally.kept[entity, default: 0] -= 1
      }
    }
  }

  private func property(of column: String, in table: String) -> String {
    let found = layout.tables.first { $0.name == table }?.columns.first { $0.name == column }
    switch found?.role {
    case .attribute(let address)?, .toOne(let address)?: return address.property
    default: return column
    }
  }

  // MARK: Links

  /// Clears the links of a to-one relationship that point to missing objects, or to objects of wrong entities.
  private mutating func emptyLinks(
    _ address: PropertyAddress, _ table: String, _ column: String, _ others: [String], to target: String,
    of destination: String
  ) throws {
    let family: SQLStatement = .list(store.familyNumbers(of: address.entity))
    let broken: SQLStatement = """
      FROM \(name: table) AS own LEFT JOIN \(name: target) AS other ON other.Z_PK = own.\(name: column) \
      WHERE own.\(name: column) IS NOT NULL AND own.Z_ENT IN (\(family)) AND (other.Z_PK IS NULL \
      OR other.Z_ENT NOT IN (\(.list(store.familyNumbers(of: destination)))))
      """
    let found = try ids("SELECT own.Z_ENT, own.Z_PK \(broken)")
    guard !found.isEmpty else { return }
    let emptied = ([column] + others).map { "\(name: $0) = NULL" as SQLStatement }.joined()
    let update: SQLStatement =
      "UPDATE \(name: table) SET \(emptied) WHERE Z_PK IN (SELECT own.Z_PK \(broken)) AND Z_ENT IN (\(family))"
    try update.execute(in: database)
    for id in found {
      tally.add(
        .link, lost: true, id.entity, address.property, "the linked object does not exist", key: id.key)
    }
  }

  /// Sets the entity numbers of links to the numbers of their targets.
  private mutating func renumber(
    _ address: PropertyAddress, _ table: String, _ column: String, _ number: String, _ target: String
  ) throws {
    let family: SQLStatement = .list(store.familyNumbers(of: address.entity))
    let right: SQLStatement =
      "(SELECT other.Z_ENT FROM \(name: target) AS other WHERE other.Z_PK = \(name: table).\(name: column))"
    let wrong: SQLStatement = "Z_ENT IN (\(family)) AND \(name: column) IS NOT NULL AND \(name: number) IS NOT \(right)"
    let found = try ids("SELECT Z_ENT, Z_PK FROM \(name: table) WHERE \(wrong)")
    guard !found.isEmpty else { return }
    let update: SQLStatement = "UPDATE \(name: table) SET \(name: number) = \(right) WHERE \(wrong)"
    try update.execute(in: database)
    for id in found {
      tally.add(
        .link, lost: false, id.entity, address.property, "the entity number of the link was set to that of the object",
        key: id.key)
    }
  }

  private mutating func emptyOwners(
    _ address: PropertyAddress, _ table: String, _ column: String, _ order: String?, _ owner: String,
    _ destination: String
  ) throws {
    let broken: SQLStatement = """
      \(name: column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(name: owner) AS near \
      WHERE near.Z_PK = \(name: table).\(name: column) AND near.Z_ENT IN (\(.list(store.familyNumbers(of: address.entity)))))
      """
    let found = try ids("SELECT Z_ENT, Z_PK FROM \(name: table) WHERE \(broken)")
    guard !found.isEmpty else { return }
    let place: SQLStatement = order.map { ", \(name: $0) = NULL" } ?? ""
    let update: SQLStatement = "UPDATE \(name: table) SET \(name: column) = NULL\(place) WHERE \(broken)"
    try update.execute(in: database)
    for id in found {
      tally.add(
        .link, lost: true, id.entity, "the object of \(address) that has the link does not exist", key: id.key)
    }
  }

  /// Removes the links of a join table with a missing end.
  private mutating func removeLinks(
    _ address: PropertyAddress, _ table: String, _ column: String, _ owner: String, of entity: String
  ) throws {
    let broken: SQLStatement = """
      NOT EXISTS (SELECT 1 FROM \(name: owner) AS near WHERE near.Z_PK = \(name: table).\(name: column) \
      AND near.Z_ENT IN (\(.list(store.familyNumbers(of: entity)))))
      """
    let query: SQLStatement = "SELECT \(name: column) FROM \(name: table) WHERE \(broken)"
    let keys = try Int64.fetchAll(database, sql: query.text, arguments: query.databaseArguments)
    guard !keys.isEmpty else { return }
    let delete: SQLStatement = "DELETE FROM \(name: table) WHERE \(broken)"
    try delete.execute(in: database)
    for key in keys {
      tally.add(
        .link, lost: true, address.entity, address.property,
        entity == address.entity
          ? "the object that has the link does not exist" : "the linked object does not exist",
        key: key)
    }
  }

  /// Fills the empty side of a link between two objects if only the other side has it.
  private mutating func fillOtherSides() throws {
    for entity in store.hierarchy.model.entities.sorted(by: { $0.name < $1.name }) {
      for relationship in entity.relationships where !relationship.isToMany && !relationship.isTransient {
        let address = PropertyAddress(entity: entity.name, property: relationship.name)
        guard let back = store.inverse(of: address), back != address,
          store.relationship(back)?.isToMany == false,
          case .toOne(let table, let column, let number, _)? = store.layout.storage(
            ofRelationship: address, in: store.hierarchy),
          case .column(let other, let otherColumn)? = store.linkStorage(of: back)
        else { continue }
        let family: SQLStatement = .list(store.familyNumbers(of: entity.name))
        let query: SQLStatement = """
          SELECT own.Z_ENT, own.Z_PK, MIN(other.Z_PK), MIN(other.Z_ENT) FROM \(name: other) AS other \
          JOIN \(name: table) AS own ON own.Z_PK = other.\(name: otherColumn) \
          WHERE own.\(name: column) IS NULL AND own.Z_ENT IN (\(family)) GROUP BY own.Z_PK HAVING COUNT(*) = 1
          """
        for row in try Row.fetchAll(database, sql: query.text, arguments: query.databaseArguments) {
          guard let key = Int64.fromDatabaseValue(row[1]), let far = Int64.fromDatabaseValue(row[2]),
            let name = Int64.fromDatabaseValue(row[0]).flatMap({ names[$0] })
          else { continue }
          let said: SQLStatement =
            number.map { ", \(name: $0) = \(.integer(Int64.fromDatabaseValue(row[3]) ?? 0))" } ?? ""
          let update: SQLStatement =
            "UPDATE \(name: table) SET \(name: column) = \(.integer(far))\(said) WHERE Z_PK = \(.integer(key))"
          try update.execute(in: database)
          tally.add(
            .link, lost: false, name, address.property, "the link was only in the other object, and is in both now",
            key: key)
        }
      }
    }
  }

  private func ids(_ query: SQLStatement) throws -> [RecordID] {
    try Row.fetchAll(database, sql: query.text, arguments: query.databaseArguments).compactMap { row in
      guard let number = Int64.fromDatabaseValue(row[0]), let name = names[number],
        let key = Int64.fromDatabaseValue(row[1])
      else { return nil }
      return RecordID(entity: name, key: key)
    }
  }
}
