import Foundation
import GRDB
import GRDBSQLite
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration

extension FaultSubject {
  /// The kinds of plan, crossed with what may lie beside a store.
  enum Kind: String, CaseIterable, Sendable {
    case schemaInPlace = "schema only, in place, log"
    case schemaInPlaceJournal = "schema only, in place, journal"
    case rowsInPlace = "rows, in place, log"
    case rowsInPlaceJournal = "rows, in place, journal"
    case rowsInPlaceTruncated = "rows, in place, truncated journal beside it"
    case rowsInPlacePersistent = "rows, in place, persistent journal beside it"
    case rowsInPlaceBackup = "rows, in place, with backup"
    case rowsInPlaceJournalBackup = "rows, in place, journal, with backup"
    case clone = "rows, clone, log"
    case cloneJournal = "rows, clone, journal"
    case cloneBackup = "rows, clone, log, with backup"
    case cloneJournalBackup = "rows, clone, journal, with backup"
    case clonePersistent = "rows, clone, persistent journal beside it"
    case mappedInPlace = "mapped, in place"
    case mappedClone = "mapped, clone"
    case stagedInPlace = "staged and mapped, in place"
    case stagedClone = "staged and mapped, clone, with backup"
    case logInPlace = "rows in the log, in place"
    case logClone = "rows in the log, clone, with backup"
    case logIndexClone = "rows in the log and its index left behind, clone"
    case hotJournalInPlace = "hot journal, in place"
    case hotJournalClone = "hot journal, clone, with backup"
    case externalInPlace = "external data, in place"
    case externalBackup = "external data, in place, with backup"
    case externalClone = "external data, clone, with backup"
    case leftoverInPlace = "a left-over clone, in place"
    case leftoverClone = "a left-over clone, clone"
    case rehearsal = "a rehearsal"
    case rehearsalLog = "a rehearsal, rows in the log"
    case planning = "planning"
    case planningLog = "planning, rows in the log"
    case planningLogIndex = "planning, rows in the log and its index left behind"
    case planningHotJournal = "planning, hot journal"
  }

  init(_ kind: Kind) throws {
    switch kind {
    case .schemaInPlace: try self.init(Self.schemaOnly("WAL"), .inPlace)
    case .schemaInPlaceJournal: try self.init(Self.schemaOnly("DELETE"), .inPlace)
    case .rowsInPlace: try self.init(Self.rows("WAL"), .inPlace)
    case .rowsInPlaceJournal: try self.init(Self.rows("DELETE"), .inPlace)
    case .rowsInPlaceTruncated: try self.init(Self.rows("TRUNCATE"), .inPlace)
    case .rowsInPlacePersistent: try self.init(Self.rows("PERSIST"), .inPlace)
    case .rowsInPlaceBackup: try self.init(Self.rows("WAL"), .inPlace, keepsBackup: true)
    case .rowsInPlaceJournalBackup: try self.init(Self.rows("DELETE"), .inPlace, keepsBackup: true)
    case .clone: try self.init(Self.rows("WAL"), .clone)
    case .cloneJournal: try self.init(Self.rows("DELETE"), .clone)
    case .cloneBackup: try self.init(Self.rows("WAL"), .clone, keepsBackup: true)
    case .cloneJournalBackup: try self.init(Self.rows("DELETE"), .clone, keepsBackup: true)
    case .clonePersistent: try self.init(Self.rows("PERSIST"), .clone)
    case .mappedInPlace: try self.init(Self.mapped(stages: 1), .inPlace)
    case .mappedClone: try self.init(Self.mapped(stages: 1), .clone)
    case .stagedInPlace: try self.init(Self.mapped(stages: 3), .inPlace)
    case .stagedClone: try self.init(Self.mapped(stages: 3), .clone, keepsBackup: true)
    case .logInPlace: try self.init(Self.withLog(), .inPlace)
    case .logClone: try self.init(Self.withLog(), .clone, keepsBackup: true)
    case .logIndexClone: try self.init(Self.withLog(keepsIndex: true), .clone)
    case .hotJournalInPlace: try self.init(Self.withHotJournal(), .inPlace)
    case .hotJournalClone: try self.init(Self.withHotJournal(), .clone, keepsBackup: true)
    case .externalInPlace: try self.init(Self.externalData(), .inPlace)
    case .externalBackup: try self.init(Self.externalData(), .inPlace, keepsBackup: true)
    case .externalClone: try self.init(Self.externalData(), .clone, keepsBackup: true)
    case .leftoverInPlace: try self.init(Self.withLeftover(), .inPlace)
    case .leftoverClone: try self.init(Self.withLeftover(), .clone)
    case .rehearsal: try self.init(Self.rows("WAL"), .clone, run: .rehearsal)
    case .rehearsalLog: try self.init(Self.withLog(), .clone, run: .rehearsal)
    case .planning: try self.init(Self.rows("WAL"), run: .planning)
    case .planningLog: try self.init(Self.withLog(), run: .planning)
    case .planningLogIndex: try self.init(Self.withLog(keepsIndex: true), run: .planning)
    case .planningHotJournal: try self.init(Self.withHotJournal(), run: .planning)
    }
  }

  private static func customers(_ attributes: [AttributeDescription] = []) -> EntityDescription {
    .entity("Customer", attributes, [.toMany("orders", "Order", inverse: "customer")])
  }

  private static func orders(_ attributes: [AttributeDescription]) -> EntityDescription {
    .entity("Order", attributes, [.toOne("customer", "Customer", inverse: "orders")])
  }

  private static func schemaOnly(_ journal: String) throws -> VersionedStore {
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: [customers(), orders([.optional("note"), .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [
          customers([.optional("name")]), orders([.optional("remark", was: "note"), .optional("size", .double)]),
        ]),
      ], rows: 12)
    return try store.using(journal)
  }

  private static func rows(_ journal: String, rows: Int = 24) throws -> VersionedStore {
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: [customers(), orders([.optional("note"), .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [
          .entity("Account"), customers([.required("name", default: .string("-"))]),
          orders([.optional("note"), .optional("size", .double)]),
        ]),
      ], rows: rows)
    // Beside a view no column is renamed, so that the orders are copied into a table that is made anew.
    try store.execute("CREATE VIEW notes AS SELECT ZNOTE FROM ZORDER")
    return try store.using(journal)
  }

  private static func mapped(stages: Int) throws -> VersionedStore {
    let versions: [[EntityDescription]] = [
      [.entity("Event", [.optional("title")])],
      [.entity("Event", [.optional("title"), .optional("place")])],
      [.entity("Day", [.optional("day"), .optional("place")])],
      [.entity("Day", [.optional("day"), .optional("place"), .optional("note")])],
    ]
    let chosen = stages == 1 ? Array(versions[1...2]) : versions
    let store = try VersionedStore(chosen.map { ManagedObjectModel(entities: $0) }, rows: 24)
    let mapping = EntityMapping.map(
      "Event", "Day", ["day": .source("title"), "place": .source("place")])
    let first = stages == 1 ? 0 : 1
    store.mappings = [
      KnownMapping(
        path: "map.xml", source: store.versions[first], destination: store.versions[first + 1],
        model: MappingModel(entityMappings: [mapping]))
    ]
    return store
  }

  private static func externalData() throws -> VersionedStore {
    var picture = AttributeDescription.optional("picture", .binary)
    picture.allowsExternalBinaryDataStorage = true
    return try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Photo", [picture, .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [.entity("Photo", [picture, .optional("size", .double)])]),
      ], rows: 24)
  }

  /// Some rows are only in the write-ahead log, as a crash of the app leaves it.
  private static func withLog(keepsIndex: Bool = false) throws -> VersionedStore {
    let store = try rows("WAL")
    let app = try DatabaseQueue(path: store.path)
    try app.writeWithoutTransaction { database in
      try database.execute(sql: "UPDATE ZORDER SET ZNOTE = 'in the log', ZSIZE = 77 WHERE Z_PK % 3 = 0")
      try database.execute(sql: "UPDATE ZORDER SET ZNOTE = 'in the log, later' WHERE Z_PK % 3 = 1")
    }
    let copy = try store.copy()
    try app.close()
    if !keepsIndex { try FileManager.default.removeItem(atPath: copy.path + "-shm") }
    return copy
  }

  /// The app crashed in a transaction, some of whose pages are in the file.
  private static func withHotJournal() throws -> VersionedStore {
    let store = try rows("DELETE")
    let app = try DatabaseQueue(path: store.path)
    let copy = try app.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE; UPDATE ZORDER SET ZNOTE = 'never committed', ZSIZE = 4711")
      sqlite3_db_cacheflush(database.sqliteConnection)
      let copy = try store.copy()
      try database.execute(sql: "ROLLBACK")
      return copy
    }
    try app.close()
    return copy
  }

  /// A migration died while it wrote the copy.
  static func withLeftover() throws -> VersionedStore {
    let subject = try FaultSubject(rows("WAL"), .clone)
    let operations = try FaultTrial(subject, FaultPoint(operation: 0, kind: .error, seed: 0)).operations
    // Threads work beside each other, so that the operation at which the copy is on the disk is not always the same.
    for operation in (operations / 2)..<operations {
      let store = try subject.template.copy()
      let disk = try FaultyDisk(
        folder: store.directory.path, FaultPoint(operation: operation, kind: .death, seed: 0))
      _ = try? subject.migrator(of: store, disk).migrate()
      try disk.recover()
      if try store.leftoverName != nil { return store }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

extension VersionedStore {
  /// The name of a copy that a migration left beside the store; nil where none did.
  var leftoverName: String? {
    get throws {
      try files().keys.first { name in
        name.hasPrefix(".Store.sqlite.modelctl-") && name.utf8.count == 39 && !name.hasSuffix("cafecafe")
      }
    }
  }
}

extension VersionedStore {
  /// The store in another journal mode, written in that mode last.
  fileprivate func using(_ journal: String) throws -> VersionedStore {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = \(journal)")
      try database.execute(sql: "UPDATE ZORDER SET ZNOTE = 'written' WHERE Z_PK = 1")
    }
    try queue.close()
    return self
  }
}
