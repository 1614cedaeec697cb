public import ModelDescription
public import PersistentStores
public import StoreRows

/// What differs between the objects of two stores of one version.
///
/// ```swift
/// let model = try EntityHierarchy(ManagedObjectModel { Entity("Note") { Attribute("text", .string) } })
/// let difference = try DataDifference(from: StoreReader(path: "old.sqlite"), to: StoreReader(path: "new.sqlite"), of: model)
/// print(difference.changes.count)
/// ```
public struct DataDifference: Hashable, Sendable {
  /// What became of objects that are not the same in both, by entity and key.
  public private(set) var changes: [ObjectChange] = []

  /// Compares two stores.
  ///
  /// Decimal numbers are compared in the digits that both stores can keep: all of them where neither is a SQLite store.
  ///
  /// - Parameter matching: by what an object of the one is known in the other.
  /// - Throws: ``DataDifferenceError``, `StoreError`.
  public init(
    from source: StoreReader, to destination: StoreReader, of hierarchy: EntityHierarchy,
    matching: ObjectMatching = .key
  ) throws {
    guard try source.metadata().versionHashes == destination.metadata().versionHashes else {
      throw DataDifferenceError.versions(older: source.path, newer: destination.path, version: nil)
    }
    let exactly = source.isStandIn && destination.isStandIn
    self = try source.read { first in
      let before = try RecordReading(of: hierarchy, readBy: source, in: first, exactly: exactly)
      return try destination.read { second in
        let after = try RecordReading(of: hierarchy, readBy: destination, in: second, exactly: exactly)
        return try DataDifference(WholeObjects(before), WholeObjects(after), matching)
      }
    }
  }

  /// Compares the objects that two readings see, entity by entity: what is kept is the difference.
  ///
  /// - Throws: ``DataDifferenceError``, `DatabaseError`, and what keeps a value from being read.
  public init(from source: RecordReading, to destination: RecordReading, matching: ObjectMatching) throws {
    try self.init(WholeObjects(source), WholeObjects(destination), matching)
  }

  private init(_ before: WholeObjects, _ after: WholeObjects, _ matching: ObjectMatching) throws {
    let comparison = try ObjectComparison(before: before, after: after, matching: matching)
    let names = before.reading.hierarchy.model.entities.filter { !$0.isAbstract }.map(\.name).sorted()
    for entity in names {
      var found: [ObjectChange] = []
      try before.forEachBatch(of: entity) { found += try comparison.changes(of: $0, entity) }
      let added = try comparison.added(entity)
      for start in stride(from: 0, to: added.count, by: WholeObjects.batch) {
        let keys = Array(added[start..<min(start + WholeObjects.batch, added.count)])
        found += try after.objects(of: entity, keys: keys).map { .added($0) }
      }
      changes += found.sorted { ($0.id.key, $0.rank) < ($1.id.key, $1.rank) }
    }
  }
}

extension ObjectChange {
  /// A key that one object left and another took is of the removed one first.
  fileprivate var rank: Int {
    switch self {
    case .removed: 0
    case .changed: 1
    case .added: 2
    }
  }
}

/// What became of one object from one store to another.
public enum ObjectChange: Hashable, Sendable {
  /// Only the second store has it; with all values, and the objects of to-many relationships.
  case added(ObjectRecord)
  /// Only the first store has it.
  case removed(ObjectRecord)
  /// Both have it, under keys that may differ, and some properties are not the same.
  case changed(RecordID, to: RecordID, [PropertyChange])

  /// The object, as the first store that has it names it.
  public var id: RecordID {
    switch self {
    case .added(let record), .removed(let record): record.id
    case .changed(let id, _, _): id
    }
  }
}

/// What became of one property of an object.
public struct PropertyChange: Hashable, Sendable {
  /// What became of it.
  public enum Content: Hashable, Sendable {
    /// An attribute or a to-one relationship has another value.
    case value(RecordValue, to: RecordValue)
    /// A to-many relationship has other objects, or the same ones in another order; removed ones are those of the first
    /// store.
    case list(added: [RecordID], removed: [RecordID], isReordered: Bool)
  }

  /// The property's name.
  public let property: String
  /// What became of it.
  public let content: Content

  /// Makes a change.
  public init(_ property: String, _ content: Content) { (self.property, self.content) = (property, content) }
}
