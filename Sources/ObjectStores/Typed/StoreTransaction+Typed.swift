public import StoreRows

extension StoreTransaction: ObjectReading {
  /// Returns the objects of a request with the objects of included relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try seeing { try $0.fetch(request, including: inclusion) }
  }

  /// Returns the existing objects with some identifiers, in the order of the identifiers.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try seeing { try $0.objects(ids) } }

  /// The objects of a to-many relationship of an object, in their order.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try seeing { try $0.links(along: relationship, of: id.entity, from: [id.key])[id.key] ?? [] }
  }

  /// Inserts an object.
  ///
  /// - Returns: the object with its identifier, so that others can be linked to it immediately. Read it after the save
  ///   to get computed values.
  /// - Throws: ``StoredObjectError``, `RecordWritingError`, `DatabaseError`.
  @discardableResult
  public func insert<Object: StoredObject>(_ object: Object) throws -> Object {
    try Object.storedEntity.check(identity)
    if let id = object.objectID { throw StoredObjectError.alreadySaved(id: id.uri) }
    var values = StoredValues(of: identity)
    try object.store(in: &values)
    let id = try insert(Object.storedEntity.name, values.values)
    return try Object(StoredRecord(id, number: nil, values.values, of: identity))
  }

  /// Saves the changes of an object since it was read, and the edits of its to-many relationships.
  ///
  /// Read the object again before you change it again, because the given object keeps the version that was read.
  ///
  /// - Throws: ``StoredObjectError``, `RecordRequestError`; the end of the transaction throws ``SaveError`` if another
  ///   save changed the object since it was read.
  public func update<Object: StoredObject>(_ object: Object) throws {
    let id = try object.savedRow(in: identity)
    var values = StoredValues(of: identity, since: object.version, id)
    try object.store(in: &values)
    try update(
      RecordUpdate(
        id, version: object.version?.number, read: object.version?.values ?? [:], values: values.values,
        edits: values.edits))
  }

  /// Deletes an object and applies its delete rules.
  ///
  /// - Throws: ``StoredObjectError``; the end of the transaction throws ``SaveError`` if another save changed the
  ///   object since it was read.
  public func delete<Object: StoredObject>(_ object: Object) throws {
    try delete(object.savedRow(in: identity), version: object.version?.number)
  }

  /// Deletes an object, even if another save changed it, and applies its delete rules.
  ///
  /// - Throws: ``StoredObjectError``.
  public func delete<Object: StoredObject>(_ id: ObjectID<Object>) throws {
    try Object.storedEntity.check(identity)
    try id.check(identity)
    try delete(id.record)
  }

  /// Deletes the objects of a request.
  ///
  /// - Returns: the number of objects, without those deleted by delete rules.
  @discardableResult
  public func delete<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> Int {
    try delete(request.checked(identity))
  }

  /// Deletes the objects of a type that meet a predicate.
  ///
  /// - Returns: the number of objects, without those deleted by delete rules.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ type: Object.Type, where text: String?, _ arguments: any PredicateArgument...
  ) throws -> Int {
    try delete(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// Deletes the objects of a type that meet a condition on their properties.
  ///
  /// - Returns: the number of objects, without those deleted by delete rules.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ type: Object.Type, where condition: (Object.Properties) -> ObjectCondition
  ) throws -> Int {
    try delete(FetchRequest<Object>(where: condition))
  }
}
