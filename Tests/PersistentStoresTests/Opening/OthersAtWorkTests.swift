import Foundation
import GRDB
import ModelDescription
import PersistentStores
import TestSupport
import Testing

@Suite("Another process uses the store")
struct OthersAtWorkTests {
  private static let insertion = """
    INSERT INTO ZNOTE (Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 'theirs');
    UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ZNOTE)
    """

  @Test(
    "A process that prevents the lock of a store is named, with its activity",
    arguments: [
      ("WAL", "BEGIN IMMEDIATE; \(insertion)", "is writing to it"),
      ("WAL", "BEGIN; SELECT * FROM ZNOTE", "is reading it"),
      ("WAL", "SELECT * FROM ZNOTE", "has it open"),
      ("DELETE", "BEGIN IMMEDIATE; \(insertion)", "is writing to it"),
      ("DELETE", "BEGIN; SELECT * FROM ZNOTE", "is reading it"),
    ])
  func holders(journal: String, sql: String, deed: String) throws {
    let store = try BareStore(journal: journal)
    let other = try OtherProcess(holding: store.path, sql: sql)
    let before = try store.files
    let error = #expect(throws: StoreError.self) { try StoreWriter(path: store.path, busyTimeout: 0.1) }
    let place = "\(store.path): another process has the store open: process \(other.identifier) (StoreOccupant)"
    #if os(Linux)
      #expect(error?.description.split(separator: ";").first == "\(place) \(deed)")
    #else
      #expect(error?.description.hasPrefix(place) == true)
    #endif
    #expect(try store.files == before)
    other.end()
    try StoreWriter(path: store.path, busyTimeout: 0).discard()
  }

  @Test("A process that ends in time is waited for", arguments: ["WAL", "DELETE"])
  func waiting(journal: String) throws {
    let store = try BareStore(journal: journal)
    let other = try OtherProcess(holding: store.path, sql: "BEGIN IMMEDIATE; \(Self.insertion)")
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      other.end()
    }
    let writer = try StoreWriter(path: store.path, busyTimeout: 30)
    writer.discard()
    #expect(try store.texts() == ["first"])
  }

  @Test("Waiting can be interrupted")
  func interruptedWaiting() throws {
    let store = try BareStore()
    let other = try OtherProcess(holding: store.path, sql: "SELECT * FROM ZNOTE")
    #expect(throws: StoreError.interrupted(path: store.path)) {
      try StoreWriter(path: store.path, busyTimeout: 600, interruption: { true })
    }
    other.end()
  }

  @Test("Commits of a process that crashes while another waits stay in the log")
  func committedWhileWaiting() throws {
    let store = try BareStore()
    let other = try OtherProcess(holding: store.path, .repeat, sql: Self.insertion)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.3)
      other.kill()
    }
    let writer = try StoreWriter(path: store.path, busyTimeout: 30)
    let count = try writer.access { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ZNOTE") ?? 0 }
    #expect(count > 2)
    #expect(throws: CancellationError.self) {
      try writer.transaction { database in
        try database.execute(sql: "UPDATE ZNOTE SET ZTEXT = 'ours'")
        throw CancellationError()
      }
    }
    writer.discard()
    #expect(try store.texts().count == count)
    #expect(try store.texts().contains("ours") == false)
  }

  @Test(
    "Readers see one moment, never fail and never stop a writer", arguments: ["WAL", "DELETE"],
    [OtherProcess.Deed.repeat, .reopen])
  func reading(journal: String, deed: OtherProcess.Deed) throws {
    let store = try BareStore(journal: journal)
    let other = try OtherProcess(holding: store.path, deed, sql: Self.insertion)
    let longLived = try StoreReader(path: store.path, busyTimeout: 300)
    var last = 0
    for round in 0..<60 {
      let reader = round.isMultiple(of: 2) ? longLived : try StoreReader(path: store.path, busyTimeout: 300)
      defer { if reader !== longLived { reader.close() } }
      let counts = try reader.read { database in
        [
          try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") ?? 0,
          try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE WHERE ZTEXT IN ('first', 'theirs')") ?? 0,
          try Int.fetchOne(database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY") ?? 0,
        ]
      }
      #expect(Set(counts).count == 1, "\(counts)")
      #expect(counts[0] >= last)
      last = counts[0]
    }
    longLived.close()
    let (commits, problem) = other.end()
    #expect(problem == "none")
    #expect(commits + 1 >= last && last > 1)
    #expect(try store.texts().count == commits + 1)
    #expect(try Array(store.files.keys) == ["Notes.sqlite"])
  }

  @Test("A store without a writer is read without a lock", arguments: ["WAL", "DELETE"])
  func unlockedReading(journal: String) throws {
    let store = try BareStore(journal: journal)
    let reader = try StoreReader(path: store.path)
    try reader.read { database in
      #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE") == 1)
      let other = try OtherProcess(holding: store.path, sql: "BEGIN EXCLUSIVE")
      other.end()
    }
    reader.close()
    let other = try OtherProcess(holding: store.path, sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    if journal == "DELETE" { #expect(try store.texts() == ["first"]) }
    other.end()
  }

  @Test("A connection that opened the file before another took its place cannot commit to the old one")
  func movedFile() throws {
    let store = try BareStore(journal: "DELETE")
    let successor = try BareStore(journal: "DELETE", texts: ["new"])
    let late = try DatabaseQueue(path: store.path)
    #expect(rename(successor.path, store.path) == 0)
    let error = #expect(throws: DatabaseError.self) { try store.insert(["lost"], through: late) }
    #expect(error?.extendedResultCode == .SQLITE_READONLY_DBMOVED)
    try late.close()
    #expect(try store.texts() == ["new"])
  }
}
