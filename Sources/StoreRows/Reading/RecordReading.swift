import Foundation
public import GRDB
import GRDBSQLite
package import MigrationSQL
public import ModelDescription
public import PersistentStores

/// Reads the objects of a single store, as values, on an open connection.
public struct RecordReading {
  /// The store's model and tables, by the names that this very store has.
  package let store: StoreModel
  package let database: Database
  package let path: String
  private let plans: WholeRecordPlans

  /// Creates a reader.
  ///
  /// - Parameter path: the store's path, next to which its external data is.
  /// - Throws: `StoreError` if the store has stale indexes, `DatabaseError`.
  public init(of hierarchy: EntityHierarchy, path: String, in database: Database) throws {
    try self.init(of: hierarchy, path: path, in: database, provingIndexes: true)
  }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - path: the store's path, next to which its external data is.
  ///   - provingIndexes: false for a store that modelctl has just created.
  ///   - exactly: true for the SQLite copy of an atomic store, to also read and write values that its columns cannot
  ///     store.
  /// - Throws: `StoreError` if the store has stale indexes, `DatabaseError`.
  package init(
    of hierarchy: EntityHierarchy, path: String, in database: Database, provingIndexes: Bool, exactly: Bool = false
  ) throws {
    if provingIndexes { try IndexCheck.prove(database, path: path) }
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    var store = StoreModel(hierarchy: hierarchy, layout: BoundLayout(of: hierarchy, to: snapshot).layout)
    store.keepsExactValues = exactly
    self.init(store, path: path, in: database)
    Self.prepare(database, path: path)
  }

  /// Creates a reader for the SQLite file of a store reader.
  ///
  /// - Parameter database: the store reader's connection.
  /// - Throws: `StoreError` if the store has stale indexes, `DatabaseError`.
  public init(of hierarchy: EntityHierarchy, readBy reader: StoreReader, in database: Database) throws {
    try self.init(of: hierarchy, readBy: reader, in: database, exactly: true)
  }

  /// Creates a reader for the SQLite file of a store reader.
  ///
  /// - Parameter exactly: false to read only the values that an SQLite store keeps.
  package init(of hierarchy: EntityHierarchy, readBy reader: StoreReader, in database: Database, exactly: Bool) throws {
    // The SQLite copy of an atomic store was just created.
    try self.init(
      of: hierarchy, path: reader.file, in: database, provingIndexes: !reader.isTemporary,
      exactly: exactly && reader.isTemporary)
  }

  /// Creates a reader with a known layout, on a prepared connection.
  package init(_ store: StoreModel, path: String, in database: Database, plans: WholeRecordPlans = WholeRecordPlans()) {
    (self.store, self.database, self.path, self.plans) = (store, database, path, plans)
  }

  /// Refuses to copy a store that lacks tables or columns of the objects.
  ///
  /// - Parameter entities: the entities whose objects are copied; nil for all.
  /// - Throws: `StoreError`, `DatabaseError`.
  package func checkWholeness(for entities: [String]? = nil) throws {
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    try BoundLayout(of: store.hierarchy, to: snapshot)
      .checkWholeness(for: entities, of: store.hierarchy, path: path)
  }

  /// Counts rows that no request finds, because their number in `Z_ENT` is of no entity of their table.
  ///
  /// A table of one entity has none: Core Data does not read the number there.
  ///
  /// - Parameter entities: the entities whose tables are read; nil for all.
  package func rowsOfNoEntity(in entities: [String]? = nil) throws -> Int {
    let roots = entities.map { Set($0.map(store.hierarchy.rootName)) }
    return try store.layout.tables.reduce(0) { count, table in
      guard case .hierarchy(let root) = table.content, roots?.contains(root) ?? true else { return count }
      let numbers = store.hierarchy.family(of: root).compactMap { store.layout.number(of: $0.name) }
      guard numbers.count > 1 else { return count }
      let sql: SQLStatement = """
        SELECT count(*) FROM \(name: table.name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(.list(numbers)))
        """
      return try count + (Int.fetchOne(database, sql: sql.text, arguments: sql.databaseArguments) ?? 0)
    }
  }

  /// Registers the functions that requests call, once for each connection.
  package static func prepare(_ database: Database, path: String) {
    ConversionFunctions(store: path).register(in: database)
    for order in RecordSort.TextOrder.allCases {
      guard let name = order.collation else { continue }
      database.add(collation: DatabaseCollation(name) { order.compare($0, $1) })
    }
  }

  /// Calls a closure with each object of a request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - body: called with each object.
  /// - Throws: ``RecordRequestError``, ``RecordValueError`` for an invalid value in the store, `DatabaseError`, and the
  ///   errors of `body`.
  public func forEach(_ request: RecordRequest, _ body: (ObjectRecord) throws -> Void) throws {
    try forEach(request, only: nil, body)
  }

  /// Returns the objects of a request.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] {
    var records: [ObjectRecord] = []
    try forEach(request) { records.append($0) }
    return records
  }

  /// Returns the objects of a request with the objects of included relationships.
  ///
  /// For any number of objects this takes one statement per relationship, or two if the relationship is ordered or has
  /// a join table.
  ///
  /// - Parameter request: the request.
  /// - Returns: the objects; their values include the identifiers of included to-many relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    let request = try request.reading(inclusion.branches.keys, in: store.hierarchy)
    var objects = try fetch(request)
    var related: [RecordID: ObjectRecord] = [:]
    try include(inclusion, in: &objects, of: request.entity, into: &related)
    return RecordGraph(objects: objects, related: related)
  }

  private func include(
    _ inclusion: InclusionTree, in objects: inout [ObjectRecord], of entity: String,
    into related: inout [RecordID: ObjectRecord]
  ) throws {
    for (name, further) in inclusion.branches.sorted(by: { $0.key < $1.key }) {
      guard let relationship = store.hierarchy.allRelationships(of: entity)[name]?.property,
        let destination = relationship.destinationEntityName
      else { throw RecordRequestError.noLinks(name, entity: entity) }
      let request = try RecordRequest(destination).reading(further.branches.keys, in: store.hierarchy)
      var found: [ObjectRecord] = []
      var links: [Int64: [RecordID]] = [:]
      if let column = columnOfOwners(along: name, of: entity), let inverse = relationship.inverseName {
        try forEach(request, only: KeyFilter(column, objects.map(\.id.key))) { object in
          found.append(object)
          for owner in object.ids(of: inverse) { links[owner.key, default: []].append(object.id) }
        }
      } else {
        if relationship.isToMany { links = try self.links(along: name, of: entity, from: objects.map(\.id.key)) }
        let ids = relationship.isToMany ? Array(links.values.joined()) : objects.flatMap { $0.ids(of: name) }
        try forEach(request, only: KeyFilter(of: Set(ids.map(\.key)).sorted())) { found.append($0) }
      }
      if relationship.isToMany {
        for position in objects.indices {
          objects[position].values[name] = .objects(links[objects[position].id.key] ?? [])
        }
      }
      try include(further, in: &found, of: destination, into: &related)
      for object in found {
        related[object.id, default: object].values.merge(object.values) { _, new in new }
      }
    }
  }

  /// The column of the objects of a to-many relationship that refers to their owner, so that one statement returns both
  /// the objects and the links.
  ///
  /// It is nil if the links have an order or a table, or may be those of objects that are not of the relationship.
  private func columnOfOwners(along relationship: String, of entity: String) -> String? {
    guard let address = store.address(ofRelationship: relationship, in: entity),
      case .foreignColumn(_, let column, nil)? = store.linkStorage(of: address),
      let inverse = store.inverse(of: address), inverse.entity == store.relationship(address)?.destinationEntityName
    else { return nil }
    return column
  }

  /// Returns the number of objects of a request, without its limit and offset.
  ///
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func count(_ request: RecordRequest) throws -> Int {
    let query = try RecordPlan.count(request, of: store, now: now)
    return try Int.fetchOne(database, sql: query.text, arguments: query.databaseArguments) ?? 0
  }

  /// Returns the number of objects of each entity, including its sub-entities, sorted by name.
  ///
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  package func entityCounts() throws -> [(entity: String, count: Int)] {
    try store.hierarchy.model.entities.map(\.name).sorted().map { ($0, try count(RecordRequest($0))) }
  }

  /// Returns the objects of a to-many relationship for several source objects, with a single statement.
  ///
  /// - Parameter entity: the entity that declares or inherits the relationship.
  /// - Returns: the objects by the keys of their source objects, in the order of the relationship, or by key if it has
  ///   no order.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func links(along relationship: String, of entity: String, from keys: [Int64]) throws -> [Int64: [RecordID]] {
    try placedLinks(along: relationship, of: entity, from: keys).mapValues { $0.map(\.id) }
  }

  /// Returns the same objects with their positions if the relationship is ordered.
  public func placedLinks(
    along relationship: String, of entity: String, from keys: [Int64]
  ) throws -> [Int64: [PlacedLink]] {
    guard let found = store.hierarchy.allRelationships(of: entity)[relationship],
      let destination = found.property.destinationEntityName, let target = store.table(ofEntity: destination)
    else { throw RecordRequestError.noLinks(relationship, entity: entity) }
    let address = PropertyAddress(entity: found.entity.name, property: relationship)
    let query = store.linkQuery(along: address, isForward: true) { own, _ in
      ["\(own) IN (\(SQLStatement.values(keys)))"]
    }
    guard let query else { throw RecordRequestError.noLinks(relationship, entity: entity) }
    let sql: SQLStatement = """
      SELECT l.near, l.far, d.Z_ENT, l.place FROM (\(query)) AS l JOIN \(name: target.name) AS d ON d.Z_PK = l.far \
      ORDER BY l.near, l.place, l.far
      """
    var links: [Int64: [PlacedLink]] = [:]
    let rows = try Row.fetchCursor(database, sql: sql.text, arguments: sql.databaseArguments)
    while let row = try rows.next() {
      guard let near = Int64.fromDatabaseValue(row[0]), let far = Int64.fromDatabaseValue(row[1]) else { continue }
      let number = Int.fromDatabaseValue(row[2])
      let id = RecordID(entity: number.flatMap(store.layout.entity(number:)) ?? destination, key: far)
      links[near, default: []].append(PlacedLink(id, place: Int64.fromDatabaseValue(row[3])))
    }
    return links
  }

  /// Returns the objects that refer to some others in a relationship, by the keys of the others.
  public func owners(
    along relationship: String, of entity: String, having keys: [Int64]
  ) throws -> [Int64: [RecordID]] {
    guard let address = store.address(ofRelationship: relationship, in: entity),
      let table = store.table(ofEntity: address.entity),
      let query = store.linkQuery(
        along: address, isForward: true, where: { _, other in ["\(other) IN (\(SQLStatement.values(keys)))"] })
    else { throw RecordRequestError.noLinks(relationship, entity: entity) }
    let sql: SQLStatement = """
      SELECT l.far, l.near, o.Z_ENT FROM (\(query)) AS l JOIN \(name: table.name) AS o ON o.Z_PK = l.near \
      ORDER BY l.far, l.near
      """
    var owners: [Int64: [RecordID]] = [:]
    let rows = try Row.fetchCursor(database, sql: sql.text, arguments: sql.databaseArguments)
    while let row = try rows.next() {
      guard let far = Int64.fromDatabaseValue(row[0]), let near = Int64.fromDatabaseValue(row[1]) else { continue }
      let name = Int.fromDatabaseValue(row[2]).flatMap(store.layout.entity(number:)) ?? address.entity
      owners[far, default: []].append(RecordID(entity: name, key: near))
    }
    return owners
  }

  /// Returns the objects with some keys, each with all properties of its own entity.
  ///
  /// - Parameter entity: the entity of the objects, or an ancestor of it.
  public func records(of entity: String, keys: [Int64]) throws -> [ObjectRecord] {
    let table = try store.existingTable(ofEntity: entity)
    let list = SQLStatement.keyList(keys)
    let family = store.familyNumbers(of: store.hierarchy.rootName(of: entity))
    if family.count == 1 { return try wholeRecords(of: entity, list) }
    let sql: SQLStatement = """
      SELECT DISTINCT Z_ENT FROM \(name: table.name) WHERE Z_PK IN (SELECT value FROM json_each(\(.text(list)))) ORDER BY Z_ENT
      """
    let statement = try database.cachedStatement(sql: sql.text)
    let numbers = try Int?.fetchAll(statement, arguments: sql.databaseArguments)
    let entities = numbers.compactMap { $0.flatMap(store.layout.entity(number:)) }
      .filter { store.hierarchy.isEntity($0, kindOf: entity) }
    return try entities.flatMap { try wholeRecords(of: $0, list) }
  }

  private func wholeRecords(of entity: String, _ keys: String) throws -> [ObjectRecord] {
    let plan = try plans.plan(of: entity, in: store)
    let statement = try database.cachedStatement(sql: plan.sql)
    statement.arguments = plan.arguments(keys)
    let cursor = RecordCursor(statement, plan.decoding)
    var records: [ObjectRecord] = []
    while let record = try cursor.next() { records.append(record) }
    return records
  }

  var now: Double { Date().timeIntervalSinceReferenceDate }

  private func forEach(
    _ request: RecordRequest, only filter: KeyFilter?, _ body: (ObjectRecord) throws -> Void
  ) throws {
    let cursor = try cursor(request, only: filter)
    while let record = try cursor.next() { try body(record) }
  }
}

extension RecordRequest {
  /// The same request, reading also the given to-one relationships if the request selects properties.
  fileprivate func reading(
    _ names: some Sequence<String>, in hierarchy: EntityHierarchy
  ) throws(RecordRequestError) -> RecordRequest {
    let relationships = hierarchy.allRelationships(of: entity)
    var request = self
    for name in names {
      guard let relationship = relationships[name]?.property, !relationship.isTransient else {
        throw .unknownRelationship(
          name, entity: entity, near: NearNames.nearest(to: name, among: relationships.keys.sorted()))
      }
      if !relationship.isToMany, request.properties?.contains(name) == false { request.properties?.append(name) }
    }
    return request
  }
}

extension ObjectRecord {
  /// The destination objects of a relationship that was read.
  fileprivate func ids(of relationship: String) -> [RecordID] {
    switch values[relationship] {
    case .object(let id): [id]
    case .objects(let ids): ids
    default: []
    }
  }
}

/// Returns the objects of a request one at a time, with constant memory, while its reader exists.
public final class RecordCursor {
  private let cursor: StatementCursor

  init(_ statement: Statement, _ decoding: RecordDecoding) { cursor = StatementCursor(statement, decoding) }

  /// Returns the next object; nil after the last object.
  ///
  /// - Throws: ``RecordValueError`` for an invalid value in the store, `DatabaseError`.
  public func next() throws -> ObjectRecord? { try cursor.next() }
}

extension RecordReading {
  /// Returns a cursor over the objects of a request.
  ///
  /// - Parameter request: the request.
  /// - Returns: the cursor, which can only be used on the connection of the reader.
  /// - Throws: ``RecordRequestError``, `DatabaseError`.
  public func cursor(_ request: RecordRequest) throws -> RecordCursor { try cursor(request, only: nil) }

  func cursor(_ request: RecordRequest, only filter: KeyFilter?) throws -> RecordCursor {
    let plan = try RecordPlan(request, of: store, only: filter, now: now)
    let decoding = RecordDecoding(plan: plan, layout: store.layout, entity: request.entity)
    let statement = try database.makeStatement(sql: plan.statement.text)
    statement.arguments = plan.statement.databaseArguments
    return RecordCursor(statement, decoding)
  }
}

/// Steps through the rows of a statement.
private final class StatementCursor: DatabaseCursor {
  typealias Element = ObjectRecord

  var _isDone = false
  let _statement: Statement
  private let decoding: RecordDecoding

  init(_ statement: Statement, _ decoding: RecordDecoding) { (_statement, self.decoding) = (statement, decoding) }

  func _element(sqliteStatement: SQLiteStatement) throws -> ObjectRecord {
    try decoding.record(SteppedRow(statement: sqliteStatement))
  }
}
