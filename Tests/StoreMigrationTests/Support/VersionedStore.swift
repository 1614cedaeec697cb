import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport

/// A store of the first of several versions, in a folder of its own, with what tests do to it.
final class VersionedStore {
  let versions: [LoadedVersion]
  let path: String
  /// The written mapping models that migrations may use.
  var mappings: [KnownMapping] = []
  private let folder: TemporaryFolder

  /// Makes a store of the first version; with rows, every entity gets as many synthetic ones.
  init(_ versions: [ManagedObjectModel], rows: Int = 0, seed: UInt64 = 1, name: String = "Store.sqlite") throws {
    folder = try TemporaryFolder()
    self.versions = try versions.enumerated().map { position, model in
      try LoadedVersion(bundle: "Test.xcdatamodeld", name: "v\(position + 1)", isCurrent: false, model: model)
    }
    path = folder.path(name)
    let filling = rows > 0 ? SyntheticRows(seed: seed, rowsPerEntity: rows) : nil
    try StoreCreator(of: self.versions[0].hierarchy).create(at: path, uuid: UUID(), filling: filling)
  }

  /// Makes a store of one version with the rows that SQL writes, to be migrated to another.
  convenience init(
    _ former: [EntityDescription], _ latter: [EntityDescription], rows: Int = 0, _ statements: String...
  ) throws {
    try self.init([ManagedObjectModel(entities: former), ManagedObjectModel(entities: latter)], rows: rows)
    for statement in statements { try execute(statement) }
    try settlePrimaryKeys()
  }

  /// Sets every root's highest `Z_PK`, as Core Data does when it makes rows.
  func settlePrimaryKeys() throws {
    for entity in versions[0].hierarchy.model.entities where entity.superentityName == nil {
      try execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT IFNULL(MAX(Z_PK), 0) FROM \"Z\(entity.name.uppercased())\") "
          + "WHERE Z_NAME = '\(entity.name)'")
    }
  }

  /// Copies the files of another store.
  private init(copying other: VersionedStore) throws {
    folder = try TemporaryFolder()
    versions = other.versions
    path = folder.path(URL(fileURLWithPath: other.path).lastPathComponent)
    for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.url.path) {
      try FileManager.default.copyItem(atPath: other.folder.path(name), toPath: folder.path(name))
    }
  }

  /// The same store in another folder.
  func copy() throws -> VersionedStore { try VersionedStore(copying: self) }

  /// The folder that holds only the store.
  var directory: URL { folder.url }

  /// Runs SQL in one transaction.
  func execute(_ sql: String) throws {
    let writer = try StoreWriter(path: path)
    try writer.transaction { try $0.execute(sql: sql) }
    try writer.finish()
  }

  /// The rows of a query, each as its values joined by `|`, NULL as `-`.
  func rows(_ sql: String) throws -> [String] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: "-"
          case .int64(let number): "\(number)"
          case .double(let number): "\(number)"
          case .string(let text): text
          case .blob(let data): "x" + data.map { String(format: "%02x", $0) }.joined()
          }
        }.joined(separator: "|")
      }
    }
  }

  /// The content of every file in the store's folder, by path.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    for name in names {
      var isFolder: ObjCBool = false
      let path = folder.path(name)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { continue }
      files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
    }
    return files
  }

  /// The migrator to a version (default: the last version).
  func migrator(
    to position: Int? = nil, _ options: MigrationOptions = MigrationOptions(),
    _ inference: InferenceOptions = InferenceOptions(), keepsBackup: Bool? = false, busyTimeout: Double = 5
  ) -> StoreMigrator {
    StoreMigrator(
      MigrationRequest(
        path: path, versions: versions, destination: versions[position ?? versions.count - 1],
        pathFinder: MigrationPathFinder(options: inference, mappings: mappings), options: options,
        keepsBackup: keepsBackup,
        busyTimeout: busyTimeout))
  }

  /// The store's objects and schema, by the tests' own reader.
  func content(at position: Int) throws -> MigratedStore {
    try MigratedStore(path: path, model: versions[position].hierarchy)
  }

  /// What is wrong with the store as one of a version, one line each.
  ///
  /// Names that rest on a guess are left out unless they are asked for: models made at random have them.
  func problems(at position: Int, withGuesses: Bool = false) throws -> [String] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.verify(against: versions[position].hierarchy).map(\.description)
      .filter { withGuesses || !$0.contains("of its join table is a guess") }
      // No migration asks old rows what a save asks.
      .filter { !$0.hasSuffix("[link-count]") && !$0.hasSuffix("[limit]") }
  }
}
