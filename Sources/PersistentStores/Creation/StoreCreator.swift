public import Foundation
import GRDB
public import ModelDescription
import ModelFiles
import VersionHashing

/// Creates new stores of a model, as Core Data does.
///
/// A store is written under a temporary name in its folder and renamed when it is complete, so a failure leaves no
/// partial store.
public struct StoreCreator: Sendable {
  /// The schema of the new stores.
  public let layout: SQLStoreLayout
  package let hierarchy: EntityHierarchy
  private let hashes: VersionHashes
  /// The bytes of a cached model of this version, for the table `Z_MODELCACHE` of the new stores; nil for none.
  package var cachedModel: Data?

  /// The version of Core Data that the stores record: the layout of iOS 17 and macOS 14.
  public static let frameworkVersion: Int64 = 1344

  /// Prepares to create stores of a model.
  ///
  /// - Parameter hierarchy: the model; if it is restricted to a configuration, the stores have only its entities.
  /// - Throws: `ModelStructureError` if an attribute's type is unknown.
  public init(of hierarchy: EntityHierarchy, references: [JoinNameReference] = []) throws(ModelStructureError) {
    self.hierarchy = hierarchy
    var names = SelfJoinNames(frameworkVersion: Self.frameworkVersion)
    for reference in references { names.add(reference) }
    self.layout = SQLStoreLayout(of: hierarchy, names: names)
    self.hashes = try VersionHashes(of: hierarchy)
  }

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - path: the path of the new store, which must not exist.
  ///   - uuid: the identity of the store (default: a new one).
  ///   - rows: the rows to fill it with; nil for an empty store.
  ///   - progress: called with the number of rows written so far and the total.
  ///   - interruption: called often; return true to stop.
  /// - Throws: ``StoreCreationError``.
  public func create(
    at path: String,
    uuid: UUID = UUID(),
    filling rows: SyntheticRows? = nil,
    progress: ((_ written: Int, _ total: Int) -> Void)? = nil,
    interruption: (() -> Bool)? = nil
  ) throws(StoreCreationError) {
    try checkTables()
    let staged = try StagedStore(for: path)
    do {
      try create(
        in: staged, uuid: uuid, filling: rows,
        watch: CreationWatch(path: path, progress: progress, interruption: interruption))
      try staged.publish()
    } catch {
      staged.discard()
      throw error
    }
  }

  /// Creates a store without rows in a staging folder, so that the caller can fill it.
  ///
  /// - Parameter uuid: the identity of the store (default: a new one).
  package func create(in staged: StagedStore, uuid: UUID = UUID()) throws(StoreCreationError) {
    try checkTables()
    try create(
      in: staged, uuid: uuid, filling: nil,
      watch: CreationWatch(path: staged.destination, progress: nil, interruption: nil))
  }

  private func create(
    in staged: StagedStore, uuid: UUID, filling rows: SyntheticRows?, watch: CreationWatch
  ) throws(StoreCreationError) {
    do {
      try write(to: staged, uuid: uuid, rows: rows, watch: watch)
    } catch let error as StoreCreationError {
      throw error
    } catch {
      throw .failed(path: staged.destination, error: .other(CaughtError(error)))
    }
  }

  /// Checks that no two entities need the same table, because SQLite does not distinguish the case of table names.
  private func checkTables() throws(StoreCreationError) {
    var owners = ["Z_PRIMARYKEY": "Core Data", "Z_METADATA": "Core Data", "Z_MODELCACHE": "Core Data"]
    for table in layout.tables {
      let owner =
        switch table.content {
        case .hierarchy(let root): root
        case .join(let relationship): "\(relationship)"
        }
      if let other = owners.updateValue(owner, forKey: table.name.uppercased()) {
        throw .tableTaken(name: table.name, owner: owner, other: other)
      }
    }
  }

  private func write(to staged: StagedStore, uuid: UUID, rows: SyntheticRows?, watch: CreationWatch) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      try StoreWriter.prepareSession(database)
      for setting in ["page_size = 4096", "auto_vacuum = 2", "journal_mode = OFF", "synchronous = OFF"] {
        _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)")
      }
    }
    let queue = try DatabaseQueue(path: staged.path, configuration: configuration)
    do {
      try queue.inTransaction { database in
        try build(in: database, staged, uuid: uuid, rows: rows, watch: watch)
        return .commit
      }
      try queue.writeWithoutTransaction { database in
        _ = try Row.fetchOne(database, sql: "PRAGMA synchronous = FULL")
        try database.changeJournalMode(to: "WAL")
      }
    } catch {
      try? queue.close()
      throw error
    }
    try queue.close()
  }

  /// Creates indexes after the rows and triggers after the indexes.
  ///
  /// This is faster, and is the order in a new store of Core Data.
  private func build(
    in database: Database, _ staged: StagedStore, uuid: UUID, rows: SyntheticRows?, watch: CreationWatch
  ) throws {
    for table in layout.tables { try database.execute(sql: table.createStatement) }
    let filling = rows?.demands.applied(to: hierarchy) ?? hierarchy
    let space = RowSpace(hierarchy: filling, layout: layout, rowsPerEntity: rows?.rowsPerEntity ?? 0)
    if let rows {
      let plan = try SyntheticPlan(rows, hierarchy: filling, layout: layout, space: space)
      try SyntheticRowWriter(plan: plan, staged: staged, watch: watch).write(to: database)
    }
    for index in layout.indexes { try database.execute(sql: index.createStatement) }
    for index in layout.spatialIndexes {
      try database.execute(sql: index.sql)
      if rows != nil { try database.execute(sql: index.fillStatement) }
    }
    if rows != nil {
      for statement in DerivedAttributeTriggerBuilder.refreshStatements(hierarchy: hierarchy, layout: layout) {
        try database.execute(sql: statement)
      }
    }
    for trigger in layout.triggers { try database.execute(sql: trigger.sql) }
    try writeSystemTables(in: database, uuid: uuid, space: space)
  }

  private func writeSystemTables(in database: Database, uuid: UUID, space: RowSpace) throws {
    for table in SystemTable.allCases { try database.execute(sql: table.createStatement) }
    let statement = try database.makeStatement(sql: "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)")
    for entity in layout.entityNumbers {
      let maximum = entity.superentityNumber == 0 ? space.rows(of: entity.name).count : 0
      try statement.execute(arguments: [entity.number, entity.name, entity.superentityNumber, maximum])
    }
    let metadata = StoreMetadata(
      uuid: uuid.uuidString, versionHashes: hashes, identifiers: hierarchy.model.versionIdentifiers,
      entries: [
        StoreMetadata.Key.frameworkVersion: .integer(Self.frameworkVersion),
        StoreMetadata.Key.storeType: .string("SQLite"),
        "_NSAutoVacuumLevel": .string("2"),
      ])
    try database.execute(
      sql: "INSERT INTO Z_METADATA VALUES (1, ?, ?)", arguments: [metadata.uuid, metadata.encoded()])
    if let cachedModel {
      let row = StoreMetadata.cachedModelRow(ofGuessedNames: layout.hasGuessedNames)
      try database.execute(
        sql: "INSERT INTO Z_MODELCACHE (rowid, Z_CONTENT) VALUES (?, ?)", arguments: [row, cachedModel])
    }
  }
}

/// The functions that get the progress of a creation and can stop it.
struct CreationWatch {
  let path: String
  let progress: ((_ written: Int, _ total: Int) -> Void)?
  let interruption: (() -> Bool)?

  /// How many rows pass between two calls.
  static let interval = 4096

  /// Reports the progress, and throws if the creation must stop.
  func report(_ written: Int, of total: Int) throws(StoreCreationError) {
    progress?(written, total)
    if interruption?() == true { throw .interrupted(path: path) }
  }
}
