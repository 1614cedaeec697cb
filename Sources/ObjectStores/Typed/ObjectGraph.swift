import StoreRows

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
  ///
  /// - Throws: ``StoredObjectError/notIncluded(_:)``.
  public func required<Other>(_ id: ObjectID<Other>) throws(StoredObjectError) -> Other {
    guard let found = self[id] else { throw .notIncluded(id.record) }
    return found
  }

  /// The objects of a to-many relationship, in their order.
  ///
  /// - Throws: ``StoredObjectError/notLoaded(entity:)``, ``StoredObjectError/notIncluded(_:)``.
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
