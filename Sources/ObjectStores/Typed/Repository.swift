public import StoreRows

/// The objects of a single type in a store, for programs that need no transactions.
///
/// Each call reads the current store or is a save; use one `write(merging:author:_:)` for changes that belong together.
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

  /// Returns the objects of a request.
  public func fetch(_ request: FetchRequest<Object> = FetchRequest()) async throws -> [Object] {
    try await store.read { try $0.fetch(request) }
  }

  /// Returns the objects that meet a predicate.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  ///   - sort: the sort keys; objects with equal values are sorted by key.
  ///   - limit: the maximum number of objects; nil for all.
  public func fetch(
    where text: String?, _ arguments: any PredicateArgument..., sort: [ObjectSort<Object>] = [], limit: Int? = nil
  ) async throws -> [Object] {
    var request = try FetchRequest<Object>(where: text, arguments: arguments)
    (request.sort, request.limit) = (sort, limit)
    return try await fetch(request)
  }

  /// Returns the objects that meet a condition on their properties.
  public func fetch(
    sort: [ObjectSort<Object>] = [], limit: Int? = nil, where condition: (Object.Properties) -> ObjectCondition
  ) async throws -> [Object] {
    var request = FetchRequest<Object>(where: condition)
    (request.sort, request.limit) = (sort, limit)
    return try await fetch(request)
  }

  /// Returns the number of objects of a request, without its limit and offset.
  public func count(_ request: FetchRequest<Object> = FetchRequest()) async throws -> Int {
    try await store.read { try $0.count(request) }
  }

  /// Returns the number of objects that meet a predicate.
  public func count(where text: String?, _ arguments: any PredicateArgument...) async throws -> Int {
    try await count(FetchRequest<Object>(where: text, arguments: arguments))
  }

  /// Returns the number of objects that meet a condition on their properties.
  public func count(where condition: (Object.Properties) -> ObjectCondition) async throws -> Int {
    try await count(FetchRequest<Object>(where: condition))
  }

  // MARK: Saving

  /// Saves a new object.
  ///
  /// - Parameter policy: the handling of equal unique values.
  /// - Returns: the saved object, or the existing object that replaced it because of the policy.
  @discardableResult
  public func add(_ object: Object, merging policy: MergePolicy = .error) async throws -> Object {
    let (inserted, saving) = try await store.written(merging: policy, author: nil) { try $0.insert(object).objectID }
    return try await get(store.saved(inserted, saving))
  }

  /// Reads an object, changes it and saves it, in a single transaction.
  ///
  /// - Throws: ``StoredObjectError/notFound(id:)``, the errors of `write(merging:author:_:)`, and the errors of the
  ///   closure.
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

  /// Deletes an object, even if another save changed it, and applies its delete rules.
  public func delete(_ id: ObjectID<Object>) async throws { try await store.write { try $0.delete(id) } }

  /// Deletes an object that was read, and applies its delete rules.
  ///
  /// - Throws: the errors of `write(merging:author:_:)`, also if another save changed the object since it was read.
  public func delete(_ object: Object) async throws { try await store.write { try $0.delete(object) } }

  /// Returns the objects of a request, immediately and after each save by any process that changed them.
  ///
  /// - Parameter request: the request.
  /// - Returns: the objects. The sequence ends with an error if they cannot be read; leave the loop to end it.
  public func observe(
    _ request: FetchRequest<Object> = FetchRequest()
  ) -> AsyncThrowingStream<[Object], any Error> { store.observe(request) }

  /// Returns the objects that meet a predicate, immediately and after each save by any process that changed them.
  ///
  /// - Parameters:
  ///   - text: a predicate in NSPredicate's grammar; nil for all objects.
  ///   - arguments: the values of each `%@`, and a text with the key path of each `%K`.
  ///   - sort: the sort keys; objects with equal values are sorted by key.
  ///   - limit: the maximum number of objects; nil for all.
  /// - Returns: the objects. The sequence ends with an error if the predicate is invalid.
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

  /// Returns the objects that meet a condition on their properties, immediately and after each save by any process that
  /// changed them.
  ///
  /// - Returns: the objects; the sequence ends like that of `observe(_:)` with a request.
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
