import Foundation
import GRDB
import PersistentStores
import TestSupport
import Testing

@Suite("Holding a store for writing")
struct StoreWriterTests {
  @Test("A discarded change leaves no trace", arguments: ["WAL", "DELETE"], [false, true])
  func discarding(journal: String, afterWriting: Bool) throws {
    let store = try BareStore(journal: journal)
    let before = try store.files
    let writer = try StoreWriter(path: store.path)
    if afterWriting {
      #expect(throws: StoreError.interrupted(path: store.path)) {
        try writer.transaction { database in
          try Self.writeMuch(in: database)
          throw StoreError.interrupted(path: store.path)
        }
      }
    }
    writer.discard()
    #expect(try store.files == before)
  }

  @Test("An existing log is truncated to its earlier content")
  func discardingBesideALog() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let (folder, path) = try store.copied(with: ["-wal"])
    try app.close()
    let before = try BareStore.files(in: folder.url)
    let writer = try StoreWriter(path: path)
    #expect(throws: CancellationError.self) {
      try writer.transaction { database in
        try Self.writeMuch(in: database)
        throw CancellationError()
      }
    }
    writer.discard()
    #expect(try BareStore.files(in: folder.url) == before)
  }

  @Test("Committed and finished changes are only in the database file", arguments: ["WAL", "DELETE"])
  func finishing(journal: String) throws {
    let store = try BareStore(journal: journal)
    let writer = try StoreWriter(path: store.path)
    try writer.transaction { try $0.execute(sql: "UPDATE ZNOTE SET ZTEXT = 'new'") }
    try writer.finish()
    #expect(try store.files.keys.sorted() == ["Notes.sqlite"])
    #expect(try store.texts() == ["new"])
  }

  @Test("An index of a crashed program is removed with the log, or kept with it", arguments: [false, true])
  func staleIndex(finishing: Bool) throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let (folder, path) = try store.copied(with: ["-wal", "-shm"])
    try app.close()
    let before = try BareStore.files(in: folder.url)
    let writer = try StoreWriter(path: path)
    if finishing { try writer.finish() } else { writer.discard() }
    let after = try BareStore.files(in: folder.url)
    #expect(finishing ? after.keys.sorted() == ["Notes.sqlite"] : after == before)
    #expect(try store.texts(in: path) == ["first", "in the log"])
  }

  @Test("A store that another connection merely has open is refused in write-ahead-log mode")
  func heldByAnother() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    _ = try app.read { try Row.fetchAll($0, sql: "SELECT * FROM ZNOTE") }
    let before = try store.files
    #expect(throws: StoreError.heldByAnotherProcess(path: store.path)) {
      try StoreWriter(path: store.path, busyTimeout: 0.1)
    }
    #expect(try store.files == before)
    try app.close()
  }

  @Test("No other process gets access while it is held", arguments: ["WAL", "DELETE"])
  func holding(journal: String) throws {
    let store = try BareStore(journal: journal)
    let writer = try StoreWriter(path: store.path)
    let refusal = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: store.path) }
    #expect(refusal?.resultCode == .SQLITE_BUSY)
    writer.discard()
    #expect(try store.texts() == ["first"])
  }

  @Test("An interruption stops a running statement, and the store is as it was")
  func interruption() throws {
    let store = try BareStore()
    let before = try store.files
    let writer = try StoreWriter(path: store.path, interruption: { true })
    #expect(throws: StoreError.interrupted(path: store.path)) {
      try writer.transaction { try Self.writeMuch(in: $0) }
    }
    writer.discard()
    #expect(try store.files == before)
  }

  @Test("A full disk is reported as such, and the store is unchanged")
  func fullDisk() throws {
    let store = try BareStore()
    let before = try store.files
    let writer = try StoreWriter(path: store.path)
    #expect(throws: StoreError.diskFull(path: store.path)) {
      try writer.transaction { database in
        try database.execute(sql: "PRAGMA max_page_count = 12")
        try Self.writeMuch(in: database)
      }
    }
    writer.discard()
    #expect(try store.files == before)
  }

  @Test("Core Data's trigger functions can be called with any number of arguments")
  func triggerFunctions() throws {
    let store = try BareStore()
    let writer = try StoreWriter(path: store.path)
    try writer.transaction { database in
      try database.execute(
        sql: """
          CREATE TRIGGER Z_DA AFTER UPDATE ON ZNOTE BEGIN
            SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE', Z_ENT, Z_PK, 'text', ZTEXT) FROM ZNOTE;
            SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZNOTE', 1, 1, 'text', 2);
            SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZNOTE', 1, 1, 'text', 2, 3);
          END;
          UPDATE ZNOTE SET ZTEXT = 'touched';
          """)
    }
    try writer.finish()
    #expect(try store.texts() == ["touched"])
  }

  private static func writeMuch(in database: Database) throws {
    try database.execute(
      sql: """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
        INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTEXT) SELECT 1, 1, printf('%0100d', i) FROM n
        """)
  }
}
