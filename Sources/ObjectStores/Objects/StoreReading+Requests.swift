public import StoreRows

extension StoreReading {
  /// The objects of a fetch request template of the store's model.
  ///
  /// - Parameters:
  ///   - template: its name.
  ///   - variables: what stands for each `$NAME` in its predicate.
  /// - Returns: the objects.
  /// - Throws: as ``fetch(_:)``.
  public func fetch(
    template: String, _ variables: [String: any PredicateArgument] = [:]
  ) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(template: template, of: reading.hierarchy, variables: variables))
  }

  /// The objects of a fetched property of an object.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func fetch(property: String, of id: RecordID) throws -> [ObjectRecord] {
    let reading = try reading
    return try reading.fetch(RecordRequest(fetchedProperty: property, of: id, in: reading.hierarchy))
  }

  /// What is made of objects that have some values in common, by one statement.
  ///
  /// - Parameters:
  ///   - aggregates: what is made of the objects of each group.
  ///   - keyPaths: what the objects of a group have in common: attributes and relationships to one object.
  ///   - request: which objects; its limit and offset are those of the groups, and it has no order.
  /// - Returns: the groups, sorted by what they have in common, a missing value first.
  /// - Throws: as ``fetch(_:)``, `RecordAggregateError`.
  public func groups(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> [RecordGroup] { try reading.groups(aggregates, by: keyPaths, of: request) }

  /// One value that is made of all objects of a request.
  ///
  /// - Throws: as ``groups(_:by:of:)``.
  public func aggregate(_ aggregate: RecordAggregate, of request: RecordRequest) throws -> RecordValue {
    try reading.aggregate(aggregate, of: request)
  }

  /// The distinct values of a key path among the objects of a request, least first, a missing one before them.
  ///
  /// - Throws: as ``groups(_:by:of:)``.
  public func distinct(_ keyPath: String, of request: RecordRequest) throws -> [RecordValue] {
    try reading.distinct(keyPath, of: request)
  }

  /// How SQLite would answer a request; nothing is read.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func explain(_ request: RecordRequest) throws -> RequestExplanation { try reading.explain(request) }
}
