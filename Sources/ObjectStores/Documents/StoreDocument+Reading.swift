public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
import ModelFiles
public import PersistentStores
import StoreRows

extension StoreDocument {
  /// Reads a SQLite store as one value, with the data that lies in files beside it.
  ///
  /// What only a SQLite store has is left out: versions of objects, persistent history, and tables of other programs.
  ///
  /// - Parameter busyTimeout: how many seconds to wait for another process.
  /// - Throws: `StoreError`, also for a store that lacks tables or columns of the model, `RecordValueError`, and
  ///   `RecordWritingError` for a file of external data that is not there.
  public init(
    storeAt path: String, model: EntityHierarchy, busyTimeout: Double = StoreWriter.defaultBusyTimeout
  ) throws {
    let reader = try StoreReader(path: path, busyTimeout: busyTimeout)
    defer { reader.close() }
    try self.init(of: reader, model: model)
  }

  /// Reads the SQLite store that a reader has open.
  init(of reader: StoreReader, model: EntityHierarchy) throws {
    self = try reader.read { database in
      let reading = try RecordReading(of: model, readBy: reader, in: database)
      try reading.checkWholeness()
      return try StoreDocument(reading, StoreMetadata(reading: database, path: reader.file))
    }
  }

  /// Reads a store in a transaction that somebody else began.
  init(_ reading: RecordReading, _ metadata: StoreMetadata) throws {
    let hierarchy = reading.store.hierarchy
    let folder = ExternalData.folder(ofStore: reading.path)
    var objects: [Object] = []
    var greatest: [String: Int64] = [:]
    for entity in hierarchy.model.entities where !entity.isAbstract {
      let start = objects.count
      let attributes = hierarchy.allAttributes(of: entity.name)
      var request = RecordRequest(entity.name)
      request.includesSubentities = false
      try reading.forEach(request) { record in
        var values = record.values.filter { $0.value != .null }
        for (name, value) in values {
          let isTransformable = attributes[name]?.property.type == .transformable
          values[name] = try value.inlined(from: folder, isTransformable: isTransformable)
        }
        objects.append(Object(id: record.id, values: values))
      }
      let lists = hierarchy.allRelationships(of: entity.name).values.map(\.property)
        .filter { $0.isToMany && !$0.isTransient }
      let keys = objects[start...].map(\.id.key)
      guard !keys.isEmpty else { continue }
      greatest[hierarchy.rootName(of: entity.name), default: 0].raise(to: keys.max() ?? 0)
      for list in lists {
        for first in stride(from: 0, to: keys.count, by: Self.batch) {
          let part = Array(keys[first..<min(first + Self.batch, keys.count)])
          let links = try reading.links(along: list.name, of: entity.name, from: part)
          for (offset, key) in part.enumerated() {
            if let ids = links[key], !ids.isEmpty { objects[start + first + offset].values[list.name] = .objects(ids) }
          }
        }
      }
    }
    let rows = try Row.fetchAll(reading.database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
    var lastKeys: [String: Int64] = [:]
    for row in rows {
      guard let name = String.fromDatabaseValue(row[0]), let last = Int64.fromDatabaseValue(row[1]),
        hierarchy.entity(named: name) != nil, hierarchy.rootName(of: name) == name, last > greatest[name] ?? 0
      else { continue }
      lastKeys[name] = last
    }
    self.init(metadata: metadata, objects: objects, lastKeys: lastKeys)
  }

  /// How many objects' links one statement reads.
  private static let batch = 500
}

extension Int64 {
  fileprivate mutating func raise(to other: Int64) { self = Swift.max(self, other) }
}

extension RecordValue {
  /// The value with the data of a file in its place.
  fileprivate func inlined(from folder: String, isTransformable: Bool) throws -> RecordValue {
    switch self {
    case .external(let reference):
      // What names no file is data as good as any other.
      guard let name = externalFile else {
        return isTransformable ? .transformed(reference) : .attribute(.binary(reference))
      }
      let path = "\(folder)/\(name)"
      guard let data = try? FileBytes.whole(path) else {
        throw RecordWritingError.externalFileMissing(path: path)
      }
      return isTransformable ? .transformed(data) : .attribute(.binary(data))
    case .composite(let elements):
      let held = elements.filter { $0.value != .null }
      return .composite(try held.mapValues { try $0.inlined(from: folder, isTransformable: false) })
    default: return self
    }
  }
}

extension RecordReading {
  /// Empties to-one links in the rows of a store, so that it holds what the document made of it does.
  ///
  /// - Parameter links: the links; those in no column of their objects are passed over.
  func empty(_ links: [LinkToNothing]) throws {
    for link in links {
      let address = PropertyAddress(entity: link.object.entity, property: link.relationship)
      let storage = store.layout.storage(ofRelationship: address, in: hierarchy)
      guard case .toOne(let table, let key, let number, let order)? = storage else { continue }
      let columns = [key, number, order].compactMap { $0 }.map { "\(name: $0) = NULL" as SQLStatement }
      let sql: SQLStatement = "UPDATE \(name: table) SET \(columns.joined()) WHERE Z_PK = \(.integer(link.object.key))"
      try sql.execute(in: database)
    }
  }
}
