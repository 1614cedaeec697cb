public import StoreRows

/// Reads a store as it was at one moment; ends with the closure that it was given to.
public final class StoreReading {
  private var current: RecordReading?
  /// What identifiers and types of objects are held against.
  public let identity: StoreIdentity

  init(_ reading: RecordReading, _ identity: StoreIdentity) { (current, self.identity) = (reading, identity) }

  func end() { current = nil }

  var reading: RecordReading {
    get throws(ObjectStoreError) {
      guard let current else { throw .ended }
      return current
    }
  }

  /// The objects that a request asks for.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``ObjectStoreError/ended``, `DatabaseError`.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try reading.fetch(request) }

  /// The objects that a request asks for, with those at the other ends of relationships.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try reading.fetch(request, including: inclusion)
  }

  /// The objects that a request asks for, one after the other, in flat memory.
  ///
  /// - Throws: as ``fetch(_:)``, and what the body throws.
  public func forEach(_ request: RecordRequest, _ body: (ObjectRecord) throws -> Void) throws {
    try reading.forEach(request, body)
  }

  /// The number of objects that a request asks for.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func count(_ request: RecordRequest) throws -> Int { try reading.count(request) }

  /// One object, nil when it is not there.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func object(_ id: RecordID) throws -> ObjectRecord? {
    try reading.records(of: id.entity, keys: [id.key]).first
  }

  /// The saves in the store's persistent history, oldest first.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func history(_ request: HistoryRequest = HistoryRequest()) throws -> [HistoryTransaction] {
    try reading.history(request)
  }

  /// The objects of a to-many relationship of an object, in their order.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try reading.links(along: relationship, of: id.entity, from: [id.key])[id.key] ?? []
  }
}
