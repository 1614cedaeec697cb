public import StoreRows

extension StoreTransaction: ObjectReading {
  /// The objects that a request asks for, with those at the other ends of relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try seeing { try $0.fetch(request, including: inclusion) }
  }

  /// The objects of some identifiers, in the order of the identifiers; one that is not there is left out.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try seeing { try $0.objects(ids) } }

  /// The objects of a to-many relationship of an object, in their order.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try seeing { try $0.links(along: relationship, of: id.entity, from: [id.key])[id.key] ?? [] }
  }

  /// Inserts an object.
  ///
  /// - Returns: the object with its identifier, to which others can be linked at once. What a store works out it has
  ///   when it is read after the save.
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

  /// Saves what was changed in an object since it was read, and the edits of its to-many relationships.
  ///
  /// Read the object again before it is changed again: the one that was given stays at the version that was read.
  ///
  /// - Throws: ``StoredObjectError``, `RecordRequestError`; the end of the transaction throws ``SaveError`` when
  ///   somebody else saved the object since it was read.
  public func update<Object: StoredObject>(_ object: Object) throws {
    let id = try object.savedRow(in: identity)
    var values = StoredValues(of: identity, since: object.version, id)
    try object.store(in: &values)
    try update(
      RecordUpdate(
        id, version: object.version?.number, read: object.version?.values ?? [:], values: values.values,
        edits: values.edits))
  }

  /// Deletes an object, and what its delete rules reach.
  ///
  /// - Throws: ``StoredObjectError``; the end of the transaction throws ``SaveError`` when somebody else saved the
  ///   object since it was read.
  public func delete<Object: StoredObject>(_ object: Object) throws {
    try delete(object.savedRow(in: identity), version: object.version?.number)
  }

  /// Deletes an object, whatever was saved meanwhile, and what its delete rules reach.
  ///
  /// - Throws: ``StoredObjectError``.
  public func delete<Object: StoredObject>(_ id: ObjectID<Object>) throws {
    try Object.storedEntity.check(identity)
    try id.check(identity)
    try delete(id.record)
  }

  /// Deletes the objects that a request asks for.
  ///
  /// - Returns: how many they are, without what their delete rules reach.
  @discardableResult
  public func delete<Object: StoredObject>(_ request: FetchRequest<Object>) throws -> Int {
    try delete(request.checked(identity))
  }

  /// Deletes the objects of a type for which a predicate holds.
  ///
  /// - Returns: how many they are, without what their delete rules reach.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ type: Object.Type, where text: String?, _ arguments: any PredicateArgument...
  ) throws -> Int {
    try delete(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// Deletes the objects of a type for which a condition on their properties holds.
  ///
  /// - Returns: how many they are, without what their delete rules reach.
  @discardableResult
  public func delete<Object: StoredObject>(
    _ type: Object.Type, where condition: (Object.Properties) -> ObjectCondition
  ) throws -> Int {
    try delete(FetchRequest<Object>(where: condition))
  }
}
