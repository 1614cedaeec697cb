import AtomicStores
import GRDB
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// The objects of an SQLite store as objects of a document, read from the rows on demand.
final class StoredObjects {
  /// The maximum number of objects in memory, and of objects whose links one statement reads.
  private static let batch = 500

  /// The dangling links that were omitted.
  private var removed: [LinkToNothing] = []
  private let removesLinks: Bool
  private let reading: RecordReading
  private let folder: String
  private let ids: [RecordID]
  private let present: PresentObjects
  private var lists: [String: [String]] = [:]
  /// The greatest keys, by root entity.
  private var greatest: [String: Int64] = [:]

  /// Finds the objects of a store in the transaction of the caller, which must outlast this value.
  ///
  /// - Parameter removesLinks: true to omit dangling links.
  init(_ reading: RecordReading, removesLinks: Bool) throws {
    (self.reading, self.removesLinks) = (reading, removesLinks)
    folder = ExternalData.folder(ofStore: reading.path)
    let hierarchy = reading.hierarchy
    var ids: [RecordID] = []
    for entity in hierarchy.model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      var request = RecordRequest(entity.name)
      (request.includesSubentities, request.properties) = (false, [])
      let start = ids.count
      try reading.forEach(request) { ids.append($0.id) }
      ids[start...].sort { $0.key < $1.key }
      if let last = ids[start...].last {
        let root = hierarchy.rootName(of: entity.name)
        greatest[root] = max(greatest[root] ?? 0, last.key)
      }
      lists[entity.name] = hierarchy.allRelationships(of: entity.name).values.map(\.property)
        .filter { $0.isToMany && !$0.isTransient }.map(\.name)
    }
    self.ids = ids
    present = PresentObjects(removesLinks ? ids : [], of: hierarchy)
  }

  /// The dangling links in the order of the objects, after all objects were read.
  var linksToNothing: [LinkToNothing] {
    removed.sorted { ($0.object.entity, $0.object.key) < ($1.object.entity, $1.object.key) }
  }

  /// The content of the store.
  func content(_ metadata: StoreMetadata) throws -> DocumentContent {
    DocumentContent(metadata: metadata, lastKeys: try lastKeys(), ids: ids, present: present) { positions, body in
      self.removed = []
      for start in stride(from: 0, to: positions.count, by: Self.batch) {
        let part = positions[start..<min(start + Self.batch, positions.count)].map { self.ids[$0] }
        var objects = try self.objects(part)
        for id in part {
          guard var object = objects.removeValue(forKey: id) else { continue }
          if self.removesLinks { self.removed += self.present.removeLinksToNothing(from: &object) }
          try body(object)
        }
      }
    }
  }

  private func objects(_ ids: [RecordID]) throws -> [RecordID: StoreDocument.Object] {
    var objects: [RecordID: StoreDocument.Object] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
      let attributes = reading.hierarchy.allAttributes(of: entity)
      let keys = ids.map(\.key)
      for record in try reading.records(of: entity, keys: keys) where record.id.entity == entity {
        var values = record.values.filter { $0.value != .null }
        for (name, value) in values {
          let isTransformable = attributes[name]?.property.type == .transformable
          values[name] = try value.inlined(from: folder, isTransformable: isTransformable)
        }
        objects[record.id] = StoreDocument.Object(id: record.id, values: values)
      }
      for list in lists[entity] ?? [] {
        for (key, links) in try reading.links(along: list, of: entity, from: keys) where !links.isEmpty {
          objects[RecordID(entity: entity, key: key)]?.values[list] = .objects(links)
        }
      }
    }
    return objects
  }

  /// The last keys of root entities, if they are greater than those of the objects.
  private func lastKeys() throws -> [String: Int64] {
    let hierarchy = reading.hierarchy
    var lastKeys: [String: Int64] = [:]
    for row in try Row.fetchAll(reading.database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") {
      guard let name = String.fromDatabaseValue(row[0]), let last = Int64.fromDatabaseValue(row[1]),
        hierarchy.entity(named: name) != nil, hierarchy.rootName(of: name) == name, last > greatest[name] ?? 0
      else { continue }
      lastKeys[name] = last
    }
    return lastKeys
  }
}

extension RecordValue {
  /// The value with the data of an external file in its place.
  fileprivate func inlined(from folder: String, isTransformable: Bool) throws -> RecordValue {
    switch self {
    case .external(let reference):
      // A reference without the name of a file is data.
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
