public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
import ModelDescription
public import PersistentStores
import StoreRows

extension StoreDocument {
  /// Makes a SQLite store that holds the same: objects with their keys, links and orders, and the metadata.
  ///
  /// The rows are written as they are; nothing is validated. The store records the version of Core Data whose tables it has.
  ///
  /// - Parameters:
  ///   - path: where; nothing may be there.
  ///   - version: the version of the model that the objects are of.
  ///   - references: what is known of the names of join tables.
  /// - Throws: `StoreCreationError`, `StoreError`, `StoreDocumentError`; nothing is left behind then.
  public func makeStore(
    at path: String, version: LoadedVersion, references: [JoinNameReference] = []
  ) throws {
    let staged = try StagedStore(for: path)
    do {
      try StoreCreator(of: version.hierarchy, references: references).create(in: staged)
      let connection = try StoreConnection.open(staged.path, busyTimeout: 0)
      try StoreError.translating(path: path) {
        try connection.writeWithoutTransaction { database in
          let files = ExternalFiles(ofStore: staged.path)
          try database.inTransaction(.immediate) {
            try write(in: database, path: staged.path, version: version, files)
            return .commit
          }
          files.finish()
        }
        (connection as? DatabasePool)?.releaseMemory()
        try connection.close()
      }
      try staged.publish()
    } catch {
      staged.discard()
      throw error
    }
  }

  private func write(in database: Database, path: String, version: LoadedVersion, _ files: ExternalFiles) throws {
    let reading = try RecordReading(of: version.hierarchy, path: path, in: database)
    let model = SavingModel(version.hierarchy)
    let positions = Dictionary(
      objects.enumerated().compactMap { position, object in model.row(object.id).map { ($0, position) } }
    ) { first, _ in first }
    var writes = RecordWrites()
    var owners: [Int: [String: RecordValue]] = [:]
    for object in objects {
      guard let entity = model.entity(object.id.entity) else { continue }
      for relation in entity.relations where relation.isToMany {
        guard case .objects(let ids)? = object.values[relation.name] else { continue }
        if relation.isLinked {
          for id in ids {
            writes.newLinks.insert(.init(relationship: relation.address, near: object.id.key, far: id.key))
          }
        } else if let inverse = relation.inverse?.name {
          // One side is enough to say that two objects are linked.
          for id in ids {
            guard let position = model.row(id).flatMap({ positions[$0] }),
              objects[position].values[inverse] ?? .null == .null
            else { continue }
            owners[position, default: [:]][inverse] = .object(object.id)
          }
        }
        guard relation.description.isOrdered else { continue }
        for (id, place) in zip(ids, OrderPlaces.places(for: ids.map { _ in nil })) {
          writes.places.append(.init(relationship: relation.address, near: object.id.key, far: id.key, place: place))
        }
      }
    }
    var keys = RecordKeys()
    for (root, key) in lastKeys where version.hierarchy.entity(named: root) != nil { keys.raise(root, to: key) }
    for (position, object) in objects.enumerated() {
      keys.raise(version.hierarchy.rootName(of: object.id.entity), to: object.id.key)
      let values = object.values.merging(owners[position] ?? [:]) { _, new in new }
      writes.insertions.append(
        .init(id: object.id, version: nil, values: values, changed: [], isRemembered: true))
    }
    try RecordWriting(reading, files: files).write(writes, keys: keys, author: nil)
    try metadata.ofSQLite.write(to: database)
  }
}
