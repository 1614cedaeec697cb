import GRDB
import PersistentStores
public import StoreRows
import VersionHashing

/// Reads a store as it was at one moment; ends with the closure that it was given to.
public final class StoreReading {
  private var current: RecordReading?
  private let use: StoreUse
  /// What identifiers and types of objects are held against.
  public let identity: StoreIdentity

  init(_ reading: RecordReading, _ identity: StoreIdentity, _ use: StoreUse) {
    (current, self.identity, self.use) = (reading, identity, use)
  }

  func end() { current = nil }

  var reading: RecordReading {
    get throws {
      guard let current else { throw ObjectStoreError.ended }
      guard use.isHere else { throw ObjectStoreError.elsewhere }
      try use.beforeReading?()
      return current
    }
  }

  /// The objects that a request asks for.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``ObjectStoreError/ended``, `DatabaseError`.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try reading.fetch(request) }

  /// The objects that a request asks for, with those at the other ends of relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try reading.fetch(request, including: inclusion)
  }

  /// The objects that a request asks for, one after the other, in flat memory.
  public func forEach(_ request: RecordRequest, _ body: (ObjectRecord) throws -> Void) throws {
    try reading.forEach(request, body)
  }

  /// The number of objects that a request asks for.
  public func count(_ request: RecordRequest) throws -> Int { try reading.count(request) }

  /// One object, nil when it is not there.
  public func object(_ id: RecordID) throws -> ObjectRecord? {
    try reading.records(of: id.entity, keys: [id.key]).first
  }

  /// The saves in the store's persistent history, oldest first.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try reading.history(request)
  }

  /// The objects of a to-many relationship of an object, in their order.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try reading.links(along: relationship, of: id.entity, from: [id.key])[id.key] ?? []
  }

  /// The objects of a fetch request template of the store's model.
  ///
  /// - Parameter variables: what stands for each `$NAME` in its predicate.
  public func fetch(template: String, _ variables: [String: any PredicateArgument] = [:]) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(template: template, of: reading.hierarchy, variables: variables))
  }

  /// The objects of a fetched property of an object.
  public func fetch(property: String, of id: RecordID) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(fetchedProperty: property, of: id, in: reading.hierarchy))
  }

  /// What is made of objects that have some values in common, by one statement.
  ///
  /// - Parameters:
  ///   - keyPaths: what the objects of a group have in common: attributes and relationships to one object.
  ///   - request: which objects; its limit and offset are those of the groups, and it has no order.
  /// - Returns: the groups, sorted by what they have in common, a missing value first.
  public func groups(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> [RecordGroup] { try reading.groups(aggregates, by: keyPaths, of: request) }

  /// One value that is made of all objects of a request.
  public func aggregate(_ aggregate: RecordAggregate, of request: RecordRequest) throws -> RecordValue {
    try reading.aggregate(aggregate, of: request)
  }

  /// The distinct values of a key path among the objects of a request, least first, a missing one before them.
  public func distinct(_ keyPath: String, of request: RecordRequest) throws -> [RecordValue] {
    try reading.distinct(keyPath, of: request)
  }

  /// How SQLite would answer a request; nothing is read.
  public func explain(_ request: RecordRequest) throws -> RequestExplanation { try reading.explain(request) }
}

/// What identifiers and types of objects are held against: which store it is, and how its entities are defined.
public struct StoreIdentity: Hashable, Sendable {
  /// The store's path.
  public let path: String
  /// The store's UUID, which every migration keeps.
  public let uuid: String
  /// The version hashes of the entities in base64, by name.
  let hashes: [String: String]

  init(reading database: Database, path: String) throws {
    let metadata = try StoreMetadata(reading: database, path: path)
    (self.path, uuid) = (path, metadata.uuid)
    hashes = metadata.versionHashes.entities.mapValues(\.base64)
  }
}
