public import StoreRows

extension StoreReading: ObjectReading {
  /// The objects of some identifiers, in the order of the identifiers; one that is not there is left out.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func objects(_ ids: [RecordID]) throws -> [ObjectRecord] { try reading.objects(ids) }

  /// The objects of a type that a request asks for, one after the other, in flat memory.
  ///
  /// - Throws: as ``ObjectReading/fetch(_:)-(FetchRequest<Object>)``, and what the body throws.
  public func forEach<Object: StoredObject>(
    _ request: FetchRequest<Object>, _ body: (Object) throws -> Void
  ) throws {
    try forEach(request.checked(identity)) { try body(Object(StoredRecord($0, of: identity))) }
  }
}

extension RecordReading {
  /// The objects of some identifiers, in the order of the identifiers.
  func objects(_ ids: [RecordID]) throws -> [ObjectRecord] {
    var positions: [String: [Int64: ObjectRecord]] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
      let records = try records(of: entity, keys: ids.map(\.key))
      positions[entity] = Dictionary(records.map { ($0.id.key, $0) }) { first, _ in first }
    }
    return ids.compactMap { positions[$0.entity]?[$0.key] }
  }
}
