public import StoreRows

/// A source of objects: a store, a reading of it at one moment, or a transaction.
///
/// Each read of a store sees its current state; use one `read(_:)` for reads that belong together.
public protocol ObjectReading {
  /// The identity that object identifiers and types are checked against.
  var identity: StoreIdentity { get }

  /// Returns the objects of a request.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``ObjectStoreError``, `StoreError`.
  func fetch(_ request: RecordRequest) throws -> [ObjectRecord]

  /// Returns the objects of a request with the objects of included relationships.
  func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph

  /// Returns the number of objects of a request.
  func count(_ request: RecordRequest) throws -> Int

  /// Returns the existing objects with some identifiers, in the order of the identifiers.
  func objects(_ ids: [RecordID]) throws -> [ObjectRecord]

  /// The objects of a to-many relationship of an object, in their order.
  func links(along relationship: String, of id: RecordID) throws -> [RecordID]
}

extension ObjectReading {
  /// Returns the objects of a typed request.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``StoredObjectError``, ``ObjectStoreError``, `StoreError`.
  public func fetch<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> [Object] {
    try fetch(request.checked(identity)).map { try Object(StoredRecord($0, of: identity)) }
  }

  /// Returns the objects of a type that meet a predicate.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func fetch<Object: StoredObject>(
    _ type: Object.Type, where text: String? = nil, _ arguments: any PredicateArgument...
  ) throws -> [Object] {
    try fetch(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// Returns the objects of a type that meet a condition on their properties.
  ///
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func fetch<Object: StoredObject>(
    _ type: Object.Type, where condition: (Object.Properties) -> ObjectCondition
  ) throws -> [Object] {
    try fetch(FetchRequest<Object>(where: condition))
  }

  /// Returns the objects of a typed request with the objects of included relationships.
  ///
  /// For any number of objects this takes one statement per relationship, or two if the relationship is ordered or has
  /// a join table.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - keyPaths: relationships, such as `customer` and `rows.service`.
  /// - Returns: the objects with loaded to-many relationships, and the objects of the relationships.
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func fetch<Object: StoredObject>(
    _ request: FetchRequest<Object>, including keyPaths: String...
  ) throws -> ObjectGraph<Object> {
    let inclusion = InclusionTree(keyPaths)
    return try ObjectGraph(fetch(request.checked(identity), including: inclusion), inclusion, of: identity)
  }

  /// Returns the number of objects of a request, without its limit and offset.
  ///
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func count<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> Int {
    try count(request.checked(identity))
  }

  /// Returns the number of objects of a type that meet a predicate.
  ///
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func count<Object: StoredObject>(
    _ type: Object.Type, where text: String? = nil, _ arguments: any PredicateArgument...
  ) throws -> Int {
    try count(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// Returns the number of objects of a type that meet a condition on their properties.
  ///
  /// - Throws: the errors of `fetch(_:)` with a request.
  public func count<Object: StoredObject>(
    _ type: Object.Type, where condition: (Object.Properties) -> ObjectCondition
  ) throws -> Int {
    try count(FetchRequest<Object>(where: condition))
  }

  /// One object.
  ///
  /// - Throws: ``StoredObjectError/notFound(id:)``, and as `fetch(_:)` of a request.
  public func get<Object: StoredObject>(_ id: ObjectID<Object>) throws -> Object {
    try Object.storedEntity.check(identity)
    try id.check(identity)
    guard let record = try objects([id.record]).first, Object.storedEntity.family.contains(record.id.entity) else {
      throw StoredObjectError.notFound(id: id.uri)
    }
    return try Object(StoredRecord(record, of: identity))
  }

  /// Returns the stored destination objects of an object's to-many relationship, in their order.
  ///
  /// - Throws: ``StoredObjectError/notSaved(entity:)``, and the errors of `fetch(_:)` with a request.
  public func related<Object: StoredObject, Other: StoredObject>(
    _ relationship: KeyPath<Object.Properties, StoredToMany<Other>>, of object: Object
  ) throws -> [Other] {
    try Other.storedEntity.check(identity)
    let id = try object.savedRow(in: identity)
    let name = Object.Properties(.object)[keyPath: relationship].path.text
    return try objects(links(along: name, of: id)).map { try Other(StoredRecord($0, of: identity)) }
  }

  /// Returns the stored destination object of an object's to-one relationship; nil for none.
  ///
  /// - Throws: ``StoredObjectError``, and the errors of `fetch(_:)` with a request.
  public func related<Object: StoredObject, Other: StoredObject>(
    _ relationship: KeyPath<Object.Properties, StoredToOne<Other>>, of object: Object
  ) throws -> Other? {
    try Other.storedEntity.check(identity)
    let id = try object.savedRow(in: identity)
    let name = Object.Properties(.object)[keyPath: relationship].path.text
    guard let record = try objects([id]).first else { throw StoredObjectError.notFound(id: "\(id)") }
    guard case .object(let other)? = record[name] else { return nil }
    return try objects([other]).first.map { try Other(StoredRecord($0, of: identity)) }
  }
}

extension StoredObject {
  /// The identifier of a saved object, for links to it.
  ///
  /// - Throws: ``StoredObjectError/notSaved(entity:)`` for a new object.
  public var savedID: ObjectID<Self> {
    get throws(StoredObjectError) {
      guard let objectID else { throw .notSaved(entity: Self.storedEntity.name) }
      return objectID
    }
  }

  func savedRow(in identity: StoreIdentity) throws(StoredObjectError) -> RecordID {
    try Self.storedEntity.check(identity)
    let id = try savedID
    try id.check(identity)
    return id.record
  }
}

extension StoreReading: ObjectReading {
  /// Returns the existing objects with some identifiers, in the order of the identifiers.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try reading.objects(ids) }

  /// Calls a closure with each object of a typed request, with constant memory.
  public func forEach<Object: StoredObject>(_ request: FetchRequest<Object>, _ body: (Object) throws -> Void) throws {
    try forEach(request.checked(identity)) { try body(Object(StoredRecord($0, of: identity))) }
  }
}

extension RecordReading {
  func objects(_ ids: [RecordID]) throws -> [ObjectRecord] {
    var positions: [String: [Int64: ObjectRecord]] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
      let records = try records(of: entity, keys: ids.map(\.key))
      positions[entity] = Dictionary(records.map { ($0.id.key, $0) }) { first, _ in first }
    }
    return ids.compactMap { positions[$0.entity]?[$0.key] }
  }
}

/// The objects of a request and the objects that were loaded with them.
///
/// Access to any other object is an error or nil, never a query.
public struct ObjectGraph<Object: StoredObject>: Sendable {
  /// An object as a value of a single type; relationships of different types can point to the same object.
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let id: RecordID
  }

  /// The requested objects in their order.
  public let objects: [Object]
  private var included: [Key: any StoredObject] = [:]

  init(_ graph: RecordGraph, _ inclusion: InclusionTree, of identity: StoreIdentity) throws {
    objects = try graph.objects.map { try Object(StoredRecord($0, of: identity)) }
    try include(inclusion, of: Object.self, graph.objects, in: graph, identity)
  }

  private mutating func include(
    _ inclusion: InclusionTree, of type: any StoredObject.Type, _ records: [ObjectRecord], in graph: RecordGraph,
    _ identity: StoreIdentity
  ) throws {
    for (name, further) in inclusion.branches.sorted(by: { $0.key < $1.key }) {
      guard let destination = type.storedEntity.destinations[name] else { continue }
      try destination.storedEntity.check(identity)
      var seen: Set<RecordID> = []
      let found = records.flatMap { $0.ids(of: name) }.filter { seen.insert($0).inserted }.compactMap { graph[$0] }
      for record in found {
        let key = Key(type: ObjectIdentifier(destination), id: record.id)
        if included[key] == nil { included[key] = try destination.init(StoredRecord(record, of: identity)) }
      }
      try include(further, of: destination, found, in: graph, identity)
    }
  }

  /// The destination object of a to-one relationship; nil for none, and for an object that was not included.
  public subscript<Other>(id: ObjectID<Other>?) -> Other? {
    id.flatMap { included[Key(type: ObjectIdentifier(Other.self), id: $0.record)] as? Other }
  }

  /// The objects of a to-many relationship, in their order; nil when they were not included.
  public subscript<Other>(links: ObjectLinks<Other>) -> [Other]? {
    guard let ids = links.ids else { return nil }
    let found = ids.compactMap { self[$0] }
    return found.count == ids.count ? found : nil
  }

  /// Returns the destination object of a to-one relationship.
  public func required<Other>(_ id: ObjectID<Other>) throws(StoredObjectError) -> Other {
    guard let found = self[id] else { throw .notIncluded(id.record) }
    return found
  }

  /// The objects of a to-many relationship, in their order.
  public func required<Other>(_ links: ObjectLinks<Other>) throws(StoredObjectError) -> [Other] {
    guard let ids = links.ids else { throw .notLoaded(entity: Other.storedEntity.name) }
    var found: [Other] = []
    for id in ids { found.append(try required(id)) }
    return found
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
