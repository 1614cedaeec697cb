public import AtomicStores
import Foundation
import GRDB
import MigrationSQL
import ModelDescription
public import ModelFiles
public import PersistentStores
import StoreRows

extension StoreDocument {
  /// Creates an SQLite store with the same content: objects with their keys, links and orders, and the metadata.
  ///
  /// The rows are written without validation. Derived attributes are computed, except those that cannot be computed
  /// from rows: the date of an object's last save, and the value of a form without known SQL. The store records the
  /// version of Core Data whose tables it has.
  ///
  /// - Parameter path: the path of the store, which must not exist.
  /// - Throws: `StoreCreationError`, `StoreError`, `StoreDocumentError`, and `RecordWritingError` for equal objects
  ///   that the model does not allow; no file is left then.
  public func makeStore(at path: String, version: LoadedVersion, references: [JoinNameReference] = []) throws {
    try makeStore(at: path, version: version, references: references, isTemporary: false)
  }

  /// Creates the SQLite copy of an atomic store, which may have values that SQLite stores cannot have.
  ///
  /// It lacks the unique indexes that its rows would break, and has an ``ExactValueTable``.
  ///
  /// - Parameters:
  ///   - path: the path in the folder for temporary files, which must not exist.
  ///   - isInterrupted: called often; return true to stop.
  func makeMirror(at path: String, version: LoadedVersion, isInterrupted: (@Sendable () -> Bool)? = nil) throws {
    try Self.makeMirror(at: path, version: version, isInterrupted: isInterrupted) {
      try write(by: $0, version: version, $1)
    }
  }

  /// Creates the SQLite copy of an atomic store, with rows that the caller writes.
  ///
  /// - Parameter write: writes all rows. It is called again, in a new transaction, if the first call wrote equal
  ///   objects that the model does not allow.
  static func makeMirror(
    at path: String, version: LoadedVersion, isInterrupted: (@Sendable () -> Bool)?, _ write: Writing
  ) throws {
    try StoreError.writingTemporaryStore(path) {
      try makeStore(
        at: path, version: version, references: [], isTemporary: true, isInterrupted: isInterrupted, write)
    }
  }

  /// Creates an SQLite store unless it is interrupted.
  func makeStore(at path: String, version: LoadedVersion, isInterrupted: (@Sendable () -> Bool)?) throws {
    try makeStore(at: path, version: version, references: [], isTemporary: false, isInterrupted: isInterrupted)
  }

  typealias Writing = (RecordReading, ExternalFiles) throws -> Void

  private func makeStore(
    at path: String, version: LoadedVersion, references: [JoinNameReference], isTemporary: Bool,
    isInterrupted: (@Sendable () -> Bool)? = nil
  ) throws {
    try Self.makeStore(
      at: path, version: version, references: references, isTemporary: isTemporary, isInterrupted: isInterrupted
    ) {
      try write(by: $0, version: version, $1)
    }
  }

  private static func makeStore(
    at path: String, version: LoadedVersion, references: [JoinNameReference], isTemporary: Bool,
    isInterrupted: (@Sendable () -> Bool)?, _ write: Writing
  ) throws {
    let interruption = isInterrupted.map { Interruption(when: $0) }
    defer { withExtendedLifetime(interruption) {} }
    let staged = try StagedStore(for: path)
    do {
      var creator = try StoreCreator(of: version.hierarchy, references: references)
      creator.cachedModel = version.file.cachedContent
      try creator.create(in: staged)
      try StoreError.translating(path: path) {
        let connection = try StoreConnection.open(staged.path, busyTimeout: 0)
        try connection.writeWithoutTransaction { database in
          interruption?.install(on: database)
          defer { Interruption.remove(from: database) }
          do {
            try fill(database, path: staged.path, version: version, isTemporary: isTemporary, write)
          } catch let error where isTemporary && isAboutEqualObjects(error) {
            let unique = creator.layout.indexes.filter(\.isUnique)
            try fill(
              database, path: staged.path, version: version, isTemporary: isTemporary, pausing: unique, write)
          }
        }
        (connection as? DatabasePool)?.releaseMemory()
        try connection.close()
      }
      if isInterrupted?() == true { throw StoreCreationError.interrupted(path: path) }
      try staged.publish()
    } catch StoreError.interrupted {
      staged.discard()
      throw StoreCreationError.interrupted(path: path)
    } catch {
      staged.discard()
      throw error
    }
  }

  /// Writes everything in a single transaction, and then creates the paused indexes that the rows satisfy.
  private static func fill(
    _ database: Database, path: String, version: LoadedVersion, isTemporary: Bool, pausing indexes: [SQLIndex] = [],
    _ write: Writing
  ) throws {
    let files = ExternalFiles(ofStore: path)
    do {
      try database.inTransaction(.immediate) {
        for index in indexes { try database.execute(sql: "DROP INDEX \(SQLIdentifier(index.name))") }
        if isTemporary { try database.execute(sql: ExactValueTable.creation) }
        let reading = try RecordReading(
          of: version.hierarchy, path: path, in: database, provingIndexes: false, exactly: isTemporary)
        try write(reading, files)
        for index in indexes {
          do {
            try database.execute(sql: index.createStatement)
          } catch let error where isAboutEqualObjects(error) {}
        }
        return .commit
      }
    } catch {
      files.discard()
      throw error
    }
    files.finish()
  }

  private static func isAboutEqualObjects(_ error: any Error) -> Bool {
    switch error {
    case RecordWritingError.notUnique: true
    case let error as DatabaseError: error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
    default: false
    }
  }

  private func write(by reading: RecordReading, version: LoadedVersion, _ files: ExternalFiles) throws {
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
        for (id, place) in zip(ids, OrderPositions.positions(for: ids.map { _ in nil })) {
          writes.places.append(.init(relationship: relation.address, near: object.id.key, far: id.key, place: place))
        }
      }
    }
    var keys = RecordKeys()
    for (root, key) in lastKeys where version.hierarchy.entity(named: root) != nil { keys.raise(root, to: key) }
    for (position, object) in objects.enumerated() {
      keys.raise(version.hierarchy.rootName(of: object.id.entity), to: object.id.key)
      var values = object.values
      if let owners = owners[position] { values.merge(owners) { _, new in new } }
      writes.insertions.append(.init(id: object.id, version: nil, values: values, changed: []))
    }
    try RecordWriting(reading, files: files).write(writes, keys: keys, author: nil, derived: .kept)
    try metadata.ofSQLite.write(to: reading.database)
  }
}
