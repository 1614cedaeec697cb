public import StoreRows

extension ObjectStore: ObjectReading {
  /// Returns the objects of a request.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try read { try $0.fetch(request) } }

  /// Returns the objects of a request with the objects of included relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try read { try $0.fetch(request, including: inclusion) }
  }

  /// Returns the number of objects of a request.
  public func count(_ request: RecordRequest) throws -> Int { try read { try $0.count(request) } }

  /// Returns the existing objects with some identifiers, in the order of the identifiers.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try read { try $0.objects(ids) } }

  /// The objects of a to-many relationship of an object, in their order.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try read { try $0.links(along: relationship, of: id) }
  }

  /// Saves a new object.
  ///
  /// - Parameter policy: the handling of equal unique values.
  /// - Returns: the saved object, or the existing object that replaced it because of the policy.
  @discardableResult
  public func insert<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws -> Object {
    var inserted: ObjectID<Object>?
    let saving = try saving(merging: policy, isWritten: true) { inserted = try $0.insert(object).objectID }
    return try get(saved(inserted, saving))
  }

  /// Saves the changes of an object since it was read.
  ///
  /// - Parameter policy: the handling of changes by another save.
  /// - Returns: the saved object, which can be changed again.
  @discardableResult
  public func update<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws -> Object {
    let saving = try saving(merging: policy, isWritten: true) { try $0.update(object) }
    return try get(saved(object.objectID, saving))
  }

  /// Deletes an object and applies its delete rules.
  ///
  /// - Parameter policy: the handling of changes by another save since the object was read.
  public func delete<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws {
    try write(merging: policy) { try $0.delete(object) }
  }

  /// Deletes an object, even if another save changed it, and applies its delete rules.
  public func delete<Object: StoredObject>(_ id: ObjectID<Object>) throws { try write { try $0.delete(id) } }

  /// The identifier of an object that a save wrote, or of the object that replaced it.
  func saved<Object>(_ id: ObjectID<Object>?, _ saving: Saving) throws(StoredObjectError) -> ObjectID<Object> {
    guard let id else { throw .notSaved(entity: Object.storedEntity.name) }
    return saving.merged[id.record].map { ObjectID($0, store: id.store) } ?? id
  }
}

extension ObjectStore {
  /// Returns the objects of a request, immediately and after each save by any process that changed them.
  ///
  /// ```swift
  /// for try await orders in store.observe(FetchRequest<Order> { $0.isPaid == false }) { print(orders.count) }
  /// ```
  ///
  /// A save of another process is detected within half a second. A slow consumer gets only the newest objects.
  ///
  /// - Parameter request: the request.
  /// - Returns: the objects. The sequence ends with an error if they cannot be read; leave the loop to end it.
  public func observe<Object: StoredObject>(
    _ request: FetchRequest<Object>
  ) -> AsyncThrowingStream<[Object], any Error> {
    do {
      let interest = RequestInterest(try request.checked(identity), in: hierarchy)
      return observe(interest) { try $0.fetch(request) }
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }
}
