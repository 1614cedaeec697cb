public import StoreRows

/// The objects of one type in a store, for programs that need no transactions of their own.
///
/// Each call reads the store as it is, or is a save; what belongs together stands in one `write(merging:author:_:)`.
///
/// ## Topics
///
/// ### Reading
/// - ``get(_:)``
/// - ``fetch(_:)``
/// - ``fetch(where:_:sort:limit:)``
/// - ``count(where:_:)``
///
/// ### Observing
/// - ``observe(_:)``
/// - ``observe(where:_:sort:limit:)``
///
/// ### Saving
/// - ``add(_:merging:)``
/// - ``update(_:_:)``
/// - ``delete(_:)-(ObjectID<Object>)``
public struct Repository<Object: StoredObject>: Sendable {
  /// The store.
  public let store: ObjectStore

  init(_ store: ObjectStore) { self.store = store }

  // MARK: Reading

  /// One object.
  ///
  /// - Throws: ``StoredObjectError/notFound(id:)``, and as ``ObjectReading/get(_:)``.
  public func get(_ id: ObjectID<Object>) async throws -> Object { try await store.read { try $0.get(id) } }

  /// The objects that a request asks for.
  public func fetch(_ request: FetchRequest<Object> = FetchRequest()) async throws -> [Object] {
    try await store.read { try $0.fetch(request) }
  }

  /// The objects for which a predicate holds.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  ///   - sort: what the objects are sorted by, the key coming last.
  ///   - limit: how many objects are given at most; nil for all.
  public func fetch(
    where text: String?, _ arguments: any PredicateArgument..., sort: [ObjectSort<Object>] = [], limit: Int? = nil
  ) async throws -> [Object] {
    var request = try FetchRequest<Object>(where: text, arguments: arguments)
    (request.sort, request.limit) = (sort, limit)
    return try await fetch(request)
  }

  /// The objects for which a condition on their properties holds.
  public func fetch(
    sort: [ObjectSort<Object>] = [], limit: Int? = nil, where condition: (Object.Properties) -> ObjectCondition
  ) async throws -> [Object] {
    var request = FetchRequest<Object>(where: condition)
    (request.sort, request.limit) = (sort, limit)
    return try await fetch(request)
  }

  /// The number of objects that a request asks for, its limit and offset left out.
  public func count(_ request: FetchRequest<Object> = FetchRequest()) async throws -> Int {
    try await store.read { try $0.count(request) }
  }

  /// The number of objects for which a predicate holds.
  public func count(where text: String?, _ arguments: any PredicateArgument...) async throws -> Int {
    try await count(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// The number of objects for which a condition on their properties holds.
  public func count(where condition: (Object.Properties) -> ObjectCondition) async throws -> Int {
    try await count(FetchRequest<Object>(where: condition))
  }

  // MARK: Saving

  /// Saves a new object.
  ///
  /// - Parameter policy: what happens where an object has the same unique values.
  /// - Returns: the object as it was saved, or the one that it became where a policy made one of two.
  @discardableResult
  public func add(_ object: Object, merging policy: MergePolicy = .error) async throws -> Object {
    let (inserted, saving) = try await store.written(merging: policy, author: nil) { try $0.insert(object).objectID }
    return try await get(store.saved(inserted, saving))
  }

  /// Reads an object, changes it and saves it, in one transaction.
  ///
  /// - Throws: ``StoredObjectError/notFound(id:)``, as `write(merging:author:_:)`, and what the closure throws.
  @discardableResult
  public func update(
    _ id: ObjectID<Object>, _ change: @escaping @Sendable (inout Object) throws -> Void
  ) async throws -> Object {
    try await store.write { transaction in
      var object: Object = try transaction.get(id)
      try change(&object)
      try transaction.update(object)
    }
    return try await get(id)
  }

  /// Deletes an object, whatever was saved meanwhile, and what its delete rules reach.
  public func delete(_ id: ObjectID<Object>) async throws { try await store.write { try $0.delete(id) } }

  /// Deletes an object as it was read, and what its delete rules reach.
  ///
  /// - Throws: as `write(merging:author:_:)`, also when somebody else saved the object since it was read.
  public func delete(_ object: Object) async throws { try await store.write { try $0.delete(object) } }

  /// The objects that a request asks for: at once, and again after each save that changed them, whoever saved.
  ///
  /// - Parameter request: what is asked for.
  /// - Returns: the objects, which end with the error that keeps them from being read; end it by leaving the loop.
  public func observe(
    _ request: FetchRequest<Object> = FetchRequest()
  ) -> AsyncThrowingStream<[Object], any Error> { store.observe(request) }

  /// The objects for which a predicate holds: at once, and again after each save that changed them, whoever saved.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  ///   - sort: what the objects are sorted by, the key coming last.
  ///   - limit: how many objects are given at most; nil for all.
  /// - Returns: the objects, which end with the mistake of a predicate that is none.
  public func observe(
    where text: String?, _ arguments: any PredicateArgument..., sort: [ObjectSort<Object>] = [], limit: Int? = nil
  ) -> AsyncThrowingStream<[Object], any Error> {
    do {
      var request = try FetchRequest<Object>(where: text, arguments: arguments)
      (request.sort, request.limit) = (sort, limit)
      return observe(request)
    } catch {
      return AsyncThrowingStream { $0.finish(throwing: error) }
    }
  }

  /// The objects for which a condition on their properties holds: at once, and again after each save that changed them,
  /// whoever saved.
  ///
  /// - Returns: the objects, which end as those of `observe(_:)` of a request.
  public func observe(
    sort: [ObjectSort<Object>] = [], limit: Int? = nil, where condition: (Object.Properties) -> ObjectCondition
  ) -> AsyncThrowingStream<[Object], any Error> {
    var request = FetchRequest<Object>(where: condition)
    (request.sort, request.limit) = (sort, limit)
    return observe(request)
  }
}

extension ObjectStore {
  /// The objects of a type, for programs that need no transactions of their own.
  public func repository<Object: StoredObject>(of type: Object.Type) -> Repository<Object> { Repository(self) }
}
