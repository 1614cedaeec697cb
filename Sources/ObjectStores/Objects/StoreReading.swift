import GRDB
import PersistentStores
public import StoreRows
import VersionHashing

/// Reads a store at one moment, until the closure that received it ends.
public final class StoreReading {
  private var current: RecordReading?
  private let use: StoreUse
  /// The identity that object identifiers and types are checked against.
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

  /// Returns the objects of a request.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``ObjectStoreError/ended``, `DatabaseError`.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try reading.fetch(request) }

  /// Returns the objects of a request with the objects of included relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try reading.fetch(request, including: inclusion)
  }

  /// Calls a closure with each object of a request, with constant memory.
  public func forEach(_ request: RecordRequest, _ body: (ObjectRecord) throws -> Void) throws {
    try reading.forEach(request, body)
  }

  /// Returns the number of objects of a request.
  public func count(_ request: RecordRequest) throws -> Int { try reading.count(request) }

  /// Returns one object; nil if it does not exist.
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

  /// Returns the objects of a fetch request template of the store's model.
  ///
  /// - Parameter variables: the values of the variables in its predicate.
  public func fetch(template: String, _ variables: [String: any PredicateArgument] = [:]) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(template: template, of: reading.hierarchy, variables: variables))
  }

  /// The objects of a fetched property of an object.
  public func fetch(property: String, of id: RecordID) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(fetchedProperty: property, of: id, in: reading.hierarchy))
  }

  /// Returns aggregates of groups of objects, with a single statement.
  ///
  /// - Parameters:
  ///   - keyPaths: the values that the objects of a group have in common: attributes and to-one relationships.
  ///   - request: the objects; its limit and offset apply to the groups, and it must lack an order.
  /// - Returns: the groups, sorted by the values they share; a missing value comes first.
  public func groups(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> [RecordGroup] { try reading.groups(aggregates, by: keyPaths, of: request) }

  /// Returns an aggregate of all objects of a request.
  public func aggregate(_ aggregate: RecordAggregate, of request: RecordRequest) throws -> RecordValue {
    try reading.aggregate(aggregate, of: request)
  }

  /// Returns the distinct values of a key path among the objects of a request, in ascending order; a missing value
  /// comes first.
  public func distinct(_ keyPath: String, of request: RecordRequest) throws -> [RecordValue] {
    try reading.distinct(keyPath, of: request)
  }

  /// Explains how SQLite runs a request, without reading objects.
  public func explain(_ request: RecordRequest) throws -> RequestExplanation { try reading.explain(request) }
}

/// The identity of a store and the definitions of its entities, which object identifiers and types are checked against.
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
