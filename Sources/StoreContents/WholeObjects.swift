import Foundation
public import ModelDescription
import ModelFiles
import ObjectStores
public import PersistentStores
public import StoreRows
import VersionHashing

/// Reads complete objects of a store: attributes, to-one relationships, and the objects of to-many relationships.
struct WholeObjects {
  /// The number of objects read together.
  static let batch = 256

  let reading: RecordReading
  private let folder: String

  /// Reads in the transaction of a different reading.
  init(_ reading: RecordReading) {
    self.reading = reading
    folder = ExternalData.folder(ofStore: reading.path)
  }

  /// The stored to-many relationships of an entity, by name.
  func toMany(of entity: String) -> [EntityHierarchy.Declared<RelationshipDescription>] {
    reading.hierarchy.allRelationships(of: entity).values
      .filter { $0.property.isToMany && !$0.property.isTransient && $0.property.destinationEntityName != nil }
      .sorted { $0.property.name < $1.property.name }
  }

  /// Visits the objects of exactly one entity, in the order of their keys, in batches.
  func forEachBatch(of entity: String, _ body: ([ObjectRecord]) throws -> Void) throws {
    var request = RecordRequest(entity)
    request.includesSubentities = false
    let cursor = try reading.cursor(request)
    var records: [ObjectRecord] = []
    while let record = try cursor.next() {
      records.append(record)
      guard records.count == Self.batch else { continue }
      try body(linked(records, of: entity))
      records = []
    }
    if !records.isEmpty { try body(linked(records, of: entity)) }
  }

  /// Visits the keys of the objects of exactly one entity, in order.
  func forEachKey(of entity: String, _ body: (Int64) throws -> Void) throws {
    var request = RecordRequest(entity)
    (request.includesSubentities, request.properties) = (false, [])
    try reading.forEach(request) { try body($0.id.key) }
  }

  func objects(of entity: String, keys: [Int64]) throws -> [ObjectRecord] {
    let found = Dictionary(grouping: try reading.records(of: entity, keys: keys), by: \.id.entity)
    return try found.sorted { $0.key < $1.key }.flatMap { try linked($0.value, of: $0.key) }
  }

  private func linked(_ records: [ObjectRecord], of entity: String) throws -> [ObjectRecord] {
    var records = records
    let keys = records.map(\.id.key)
    for relationship in toMany(of: entity) {
      let name = relationship.property.name
      let links = try reading.links(along: name, of: entity, from: keys)
      for position in records.indices {
        records[position].values[name] = .objects(links[records[position].id.key] ?? [])
      }
    }
    return records
  }

  /// The bytes of a binary value, from a row or a file; nil for other values, and if the file is missing.
  func bytes(of value: RecordValue) -> Data? {
    switch value {
    case .attribute(.binary(let data)), .transformed(let data): data
    case .external: externalPath(of: value).flatMap { try? FileBytes.whole($0) }
    default: nil
    }
  }

  func externalPath(of value: RecordValue) -> String? { value.externalFile.map { "\(folder)/\($0)" } }
}

/// All objects of a store, by entity and key.
public struct StoreContentsList: Sendable {
  /// The store's UUID.
  public let uuid: String
  /// The checksum of its version hashes.
  public let checksum: String
  /// The objects, with those of their to-many relationships.
  public let objects: [ObjectRecord]

  /// Reads a store.
  ///
  /// - Throws: `StoreError`, and errors of reading values.
  public init(of reader: StoreReader, model hierarchy: EntityHierarchy) throws {
    let metadata = try reader.metadata()
    (uuid, checksum) = (metadata.uuid, metadata.versionHashes.checksum)
    objects = try reader.read { database in
      let whole = WholeObjects(try RecordReading(of: hierarchy, readBy: reader, in: database))
      var found: [ObjectRecord] = []
      for entity in hierarchy.model.entities.filter({ !$0.isAbstract }).map(\.name).sorted() {
        try whole.forEachBatch(of: entity) { found += $0 }
      }
      return found
    }
  }
}
