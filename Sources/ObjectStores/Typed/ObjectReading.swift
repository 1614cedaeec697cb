public import StoreRows

/// What objects can be read from: a store, its state at one moment, or a transaction.
///
/// A store reads each time as it is then; several reads that belong together stand in one `read(_:)`.
public protocol ObjectReading {
  /// What identifiers and types of objects are held against.
  var identity: StoreIdentity { get }

  /// The objects that a request asks for.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``ObjectStoreError``, `StoreError`.
  func fetch(_ request: RecordRequest) throws -> [ObjectRecord]

  /// The objects that a request asks for, with those at the other ends of relationships.
  func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph

  /// The number of objects that a request asks for.
  func count(_ request: RecordRequest) throws -> Int

  /// The objects of some identifiers, in the order of the identifiers; one that is not there is left out.
  func objects(_ ids: [RecordID]) throws -> [ObjectRecord]

  /// The objects of a to-many relationship of an object, in their order.
  func links(along relationship: String, of id: RecordID) throws -> [RecordID]
}

extension ObjectReading {
  /// The objects of a type that a request asks for.
  ///
  /// - Throws: `RecordRequestError`, `RecordValueError`, ``StoredObjectError``, ``ObjectStoreError``, `StoreError`.
  public func fetch<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> [Object] {
    try fetch(request.checked(identity)).map { try Object(StoredRecord($0, of: identity)) }
  }

  /// The objects of a type for which a predicate holds.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  /// - Throws: as `fetch(_:)` of a request.
  public func fetch<Object: StoredObject>(
    _ type: Object.Type, where text: String? = nil, _ arguments: any PredicateArgument...
  ) throws -> [Object] {
    try fetch(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// The objects of a type for which a condition on their properties holds.
  ///
  /// - Throws: as `fetch(_:)` of a request.
  public func fetch<Object: StoredObject>(
    _ type: Object.Type, where condition: (Object.Properties) -> ObjectCondition
  ) throws -> [Object] {
    try fetch(FetchRequest<Object>(where: condition))
  }

  /// The objects of a type that a request asks for, with those that relationships lead to, however many there are: one
  /// statement for a relationship, two for one that is ordered or has a join table.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - keyPaths: relationships, such as `customer` and `rows.service`.
  /// - Returns: the objects, whose included to-many relationships are loaded, and those that came along.
  /// - Throws: as `fetch(_:)` of a request.
  public func fetch<Object: StoredObject>(
    _ request: FetchRequest<Object>, including keyPaths: String...
  ) throws -> ObjectGraph<Object> {
    let inclusion = InclusionTree(keyPaths)
    return try ObjectGraph(fetch(request.checked(identity), including: inclusion), inclusion, of: identity)
  }

  /// The number of objects that a request asks for, its limit and offset left out.
  ///
  /// - Throws: as `fetch(_:)` of a request.
  public func count<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> Int {
    try count(request.checked(identity))
  }

  /// The number of objects of a type for which a predicate holds.
  ///
  /// - Throws: as `fetch(_:)` of a request.
  public func count<Object: StoredObject>(
    _ type: Object.Type, where text: String? = nil, _ arguments: any PredicateArgument...
  ) throws -> Int {
    try count(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// The number of objects of a type for which a condition on their properties holds.
  ///
  /// - Throws: as `fetch(_:)` of a request.
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

  /// The objects at the other end of a to-many relationship of an object as the store has it, in their order.
  ///
  /// - Throws: ``StoredObjectError/notSaved(entity:)``, and as `fetch(_:)` of a request.
  public func related<Object: StoredObject, Other: StoredObject>(
    _ relationship: KeyPath<Object.Properties, StoredToMany<Other>>, of object: Object
  ) throws -> [Other] {
    try Other.storedEntity.check(identity)
    let id = try object.savedRow(in: identity)
    let name = Object.Properties(.object)[keyPath: relationship].path.text
    return try objects(links(along: name, of: id)).map { try Other(StoredRecord($0, of: identity)) }
  }

  /// The object at the other end of a to-one relationship of an object as the store has it; nil for none.
  ///
  /// - Throws: ``StoredObjectError``, and as `fetch(_:)` of a request.
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
  /// What identifies an object that is in a store, for links to it.
  ///
  /// - Throws: ``StoredObjectError/notSaved(entity:)`` for a new one.
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
  /// The objects of some identifiers, in the order of the identifiers; one that is not there is left out.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try reading.objects(ids) }

  /// The objects of a type that a request asks for, one after the other, in flat memory.
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

/// Objects, and those that were brought along with them; asking for others is an error or nil, never a query.
public struct ObjectGraph<Object: StoredObject>: Sendable {
  /// An object as one of a type: one object can be at the ends of relationships of different types of its family.
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let id: RecordID
  }

  /// The objects that were asked for, in their order.
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

  /// The object that a to-one relationship leads to; nil for none, and for one that was not included.
  public subscript<Other>(id: ObjectID<Other>?) -> Other? {
    id.flatMap { included[Key(type: ObjectIdentifier(Other.self), id: $0.record)] as? Other }
  }

  /// The objects of a to-many relationship, in their order; nil when they were not included.
  public subscript<Other>(links: ObjectLinks<Other>) -> [Other]? {
    guard let ids = links.ids else { return nil }
    let found = ids.compactMap { self[$0] }
    return found.count == ids.count ? found : nil
  }

  /// The object that a to-one relationship leads to.
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
  /// The objects at the other end of a relationship that was read.
  fileprivate func ids(of relationship: String) -> [RecordID] {
    switch values[relationship] {
    case .object(let id): [id]
    case .objects(let ids): ids
    default: []
    }
  }
}
