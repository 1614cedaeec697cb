import Foundation
import GRDB
import PersistentStores
import TestSupport
import Testing

@Suite("Reading a store sees all of it and changes nothing")
struct StoreReaderTests {
  @Test(
    "A store without other files, in either journal mode and under any name",
    arguments: ["WAL", "DELETE"], ["Notes.sqlite", "50% of it?.sqlite", "it's a \"store\" #1 & ü.sqlite", "file:x"])
  func lyingAlone(journal: String, name: String) throws {
    let store = try BareStore(named: name, journal: journal)
    let before = try store.files
    #expect(Array(before.keys) == [name])
    #expect(try store.texts() == ["first"])
    #expect(try store.files == before)
  }

  @Test("A log without its index is read, and not checkpointed and not indexed")
  func logWithoutIndex() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let (folder, path) = try store.copied(with: ["-wal"])
    let before = try BareStore.files(in: folder.url)
    #expect(before.keys.sorted() == ["Notes.sqlite", "Notes.sqlite-wal"])
    #expect(try store.texts(in: path) == ["first", "in the log"])
    #expect(try BareStore.files(in: folder.url) == before)
    try app.close()
  }

  @Test("A log with the index of a crashed program is read, and the index is unchanged")
  func logWithStaleIndex() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let (folder, path) = try store.copied(with: ["-wal", "-shm"])
    let before = try BareStore.files(in: folder.url)
    #expect(try store.texts(in: path) == ["first", "in the log"])
    #expect(try BareStore.files(in: folder.url) == before)
    try app.close()
  }

  @Test("A log with only a header, and an empty index, is read immediately")
  func bareLog() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let header = try Data(contentsOf: URL(fileURLWithPath: store.path + "-wal")).prefix(32)
    try app.close()
    try header.write(to: URL(fileURLWithPath: store.path + "-wal"))
    try Data(count: 32768).write(to: URL(fileURLWithPath: store.path + "-shm"))
    // SQLite's waits add up to ten seconds whatever the machine; without them it is milliseconds.
    let start = ContinuousClock.now
    #expect(try store.texts() == ["first", "in the log"])
    #expect(ContinuousClock.now - start < .seconds(8))
  }

  @Test("A store in use is read while the program continues to write")
  func inUse() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["second"], through: app)
    let before = try store.files
    #expect(try store.texts() == ["first", "second"])
    let after = try store.files
    #expect(after.keys.sorted() == before.keys.sorted())
    #expect(after["Notes.sqlite"] == before["Notes.sqlite"])
    #expect(after["Notes.sqlite-wal"] == before["Notes.sqlite-wal"])
    try store.insert(["third"], through: app)
    #expect(try store.texts() == ["first", "second", "third"])
    try app.close()
  }

  @Test("A store in use by another process keeps even the bytes of its index")
  func inUseByAnotherProcess() throws {
    let store = try BareStore()
    let other = try OtherProcess(holding: store.path, sql: "INSERT INTO ZNOTE (ZTEXT) VALUES ('theirs');")
    let before = try store.files
    #expect(before.keys.sorted() == ["Notes.sqlite", "Notes.sqlite-shm", "Notes.sqlite-wal"])
    #expect(try store.texts() == ["first", "theirs"])
    #expect(try store.files == before)
    other.end()
  }

  @Test("A hot rollback journal is rolled back in a copy, not in the store")
  func hotJournal() throws {
    let store = try BareStore(journal: "DELETE", texts: (0..<2_000).map { "row \($0)" })
    let app = try DatabaseQueue(path: store.path)
    var copy: (folder: TemporaryFolder, path: String)?
    try app.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA cache_size = 2; BEGIN; UPDATE ZNOTE SET ZTEXT = 'torn ' || ZTEXT")
      copy = try store.copied(with: ["-journal"])
      try database.execute(sql: "ROLLBACK")
    }
    try app.close()
    let torn = try #require(copy)
    let before = try BareStore.files(in: torn.folder.url)
    #expect(try store.texts(in: torn.path).prefix(2) == ["row 0", "row 1"])
    #expect(try BareStore.files(in: torn.folder.url) == before)
  }

  @Test("A file that takes the store's place is read, though size, time and change counter are the same")
  func replacedFile() throws {
    let store = try BareStore(journal: "DELETE", texts: ["first"])
    let other = try BareStore(journal: "DELETE", texts: ["other"])
    for path in [store.path, other.path] {
      let date = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    func texts() throws -> [String] { try reader.read { try String.fetchAll($0, sql: "SELECT ZTEXT FROM ZNOTE") } }
    #expect(try texts() == ["first"])
    #expect(rename(other.path, store.path) == 0)
    #expect(try texts() == ["other"])
  }

  @Test("An interruption stops a long reading")
  func interruption() throws {
    let store = try BareStore()
    let reader = try StoreReader(path: store.path, interruption: { true })
    #expect(throws: StoreError.interrupted(path: store.path)) {
      try reader.read { database in
        try Row.fetchAll(
          database,
          sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT SUM(i) FROM n")
      }
    }
  }

  @Test("A symbolic link leads to the log beside the real file")
  func symbolicLink() throws {
    let store = try BareStore()
    let app = try DatabaseQueue(path: store.path)
    try store.insert(["in the log"], through: app)
    let links = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: links.path("link"), withDestinationPath: store.path)
    #expect(try store.texts(in: links.path("link")) == ["first", "in the log"])
    try app.close()
  }

  @Test(
    "A store in a folder that may not be written is read, with its log where it has one",
    .enabled(if: ProtectedFolder.isPossible, "this user may write everywhere, and chattr does not work here"),
    arguments: [("WAL", ["-wal"]), ("WAL", ["-wal", "-shm"]), ("WAL", []), ("DELETE", [])])
  func protectedFolder(journal: String, companions: [String]) throws {
    let store = try BareStore(journal: journal)
    let app = try DatabaseQueue(path: store.path)
    if !companions.isEmpty { try store.insert(["in the log"], through: app) }
    let (folder, path) = try store.copied(with: companions)
    try app.close()
    let before = try BareStore.files(in: folder.url)
    let protection = ProtectedFolder(folder.url)
    #expect(try store.texts(in: path) == (companions.isEmpty ? ["first"] : ["first", "in the log"]))
    #expect(throws: StoreError.readOnlyFolder(path: path)) { try StoreWriter(path: path) }
    protection.lift()
    #expect(try BareStore.files(in: folder.url) == before)
  }
}
