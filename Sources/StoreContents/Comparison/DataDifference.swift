public import ModelDescription
public import PersistentStores
public import StoreRows

/// The differences between the objects of two stores of the same version.
///
/// ```swift
/// let model = try EntityHierarchy(ManagedObjectModel { Entity("Note") { Attribute("text", .string) } })
/// let difference = try DataDifference(from: StoreReader(path: "old.sqlite"), to: StoreReader(path: "new.sqlite"), of: model)
/// print(difference.changes.count)
/// ```
public struct DataDifference: Hashable, Sendable {
  /// The changes of objects that differ, by entity and key.
  public private(set) var changes: [ObjectChange] = []

  /// Compares two stores.
  ///
  /// Decimal numbers are compared in the digits that both stores can keep: all digits if neither is an SQLite store.
  ///
  /// - Parameter matching: the matching of objects of the two stores.
  /// - Throws: ``DataDifferenceError``, `StoreError`.
  public init(
    from source: StoreReader, to destination: StoreReader, of hierarchy: EntityHierarchy,
    matching: ObjectMatching = .key
  ) throws {
    guard try source.metadata().versionHashes == destination.metadata().versionHashes else {
      throw DataDifferenceError.versions(older: source.path, newer: destination.path, version: nil)
    }
    let exactly = source.isTemporary && destination.isTemporary
    self = try source.read { first in
      let before = try RecordReading(of: hierarchy, readBy: source, in: first, exactly: exactly)
      return try destination.read { second in
        let after = try RecordReading(of: hierarchy, readBy: destination, in: second, exactly: exactly)
        return try DataDifference(WholeObjects(before), WholeObjects(after), matching)
      }
    }
  }

  /// Compares the objects of two readings, entity by entity; only the difference is kept in memory.
  ///
  /// - Throws: ``DataDifferenceError``, `DatabaseError`, and errors of reading values.
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
  /// The order of changes with equal keys: the removed object is first.
  fileprivate var rank: Int {
    switch self {
    case .removed: 0
    case .changed: 1
    case .added: 2
    }
  }
}

/// The change of a single object between two stores.
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

/// The change of a single property of an object.
public struct PropertyChange: Hashable, Sendable {
  /// The content of a change.
  public enum Content: Hashable, Sendable {
    /// An attribute or a to-one relationship has a different value.
    case value(RecordValue, to: RecordValue)
    /// A to-many relationship has different objects, or the same objects in a different order. The removed objects are
    /// of the first store.
    case list(added: [RecordID], removed: [RecordID], isReordered: Bool)
  }

  /// The property's name.
  public let property: String
  /// The content of the change.
  public let content: Content

  /// Creates a change.
  public init(_ property: String, _ content: Content) { (self.property, self.content) = (property, content) }
}
