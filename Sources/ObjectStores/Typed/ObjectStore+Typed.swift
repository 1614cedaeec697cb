public import StoreRows

extension ObjectStore: ObjectReading {
  /// The objects that a request asks for.
  public func fetch(_ request: RecordRequest) throws -> [ObjectRecord] { try read { try $0.fetch(request) } }

  /// The objects that a request asks for, with those at the other ends of relationships.
  public func fetch(_ request: RecordRequest, including inclusion: InclusionTree) throws -> RecordGraph {
    try read { try $0.fetch(request, including: inclusion) }
  }

  /// The number of objects that a request asks for.
  public func count(_ request: RecordRequest) throws -> Int { try read { try $0.count(request) } }

  /// The objects of some identifiers, in the order of the identifiers; one that is not there is left out.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try read { try $0.objects(ids) } }

  /// The objects of a to-many relationship of an object, in their order.
  public func links(along relationship: String, of id: RecordID) throws -> [RecordID] {
    try read { try $0.links(along: relationship, of: id) }
  }

  /// Saves a new object.
  ///
  /// - Parameter policy: what happens where an object has the same unique values.
  /// - Returns: the object as it was saved, or the one that it became where a policy made one of two.
  @discardableResult
  public func insert<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws -> Object {
    var inserted: ObjectID<Object>?
    let saving = try saving(merging: policy, isWritten: true) { inserted = try $0.insert(object).objectID }
    return try get(saved(inserted, saving))
  }

  /// Saves what was changed in an object since it was read.
  ///
  /// - Parameter policy: what happens where somebody else saved it meanwhile.
  /// - Returns: the object as it was saved, which can be changed again.
  @discardableResult
  public func update<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws -> Object {
    let saving = try saving(merging: policy, isWritten: true) { try $0.update(object) }
    return try get(saved(object.objectID, saving))
  }

  /// Deletes an object, and what its delete rules reach.
  ///
  /// - Parameter policy: what happens where somebody else saved it since it was read.
  public func delete<Object: StoredObject>(_ object: Object, merging policy: MergePolicy = .error) throws {
    try write(merging: policy) { try $0.delete(object) }
  }

  /// Deletes an object, whatever was saved meanwhile, and what its delete rules reach.
  public func delete<Object: StoredObject>(_ id: ObjectID<Object>) throws { try write { try $0.delete(id) } }

  /// The identifier of an object that a save wrote, or of the one that it became.
  func saved<Object>(_ id: ObjectID<Object>?, _ saving: Saving) throws(StoredObjectError) -> ObjectID<Object> {
    guard let id else { throw .notSaved(entity: Object.storedEntity.name) }
    return saving.merged[id.record].map { ObjectID($0, store: id.store) } ?? id
  }
}

extension ObjectStore {
  /// The objects of a type that a request asks for: at once, and again after each save that changed them, whoever saved.
  ///
  /// ```swift
  /// for try await orders in store.observe(FetchRequest<Order> { $0.isPaid == false }) { print(orders.count) }
  /// ```
  ///
  /// A save of another process is seen within half a second. Who takes the objects slowly gets the newest ones.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which end with the error that keeps them from being read; end it by leaving the loop.
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
