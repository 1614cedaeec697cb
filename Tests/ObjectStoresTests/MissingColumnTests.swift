import ModelDescription
import ModelKit
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("A store that lacks columns or tables of its model")
struct MissingColumnTests {
  private static let model = ManagedObjectModel {
    Entity("Note") {
      Attribute("text", .string).optional()
      Attribute("stars", .integer64).optional()
      Attribute("rank", .integer64, default: 7).optional()
      Relationship("folder", toOne: "Folder", inverse: "notes").optional()
    }
    Entity("Folder") {
      Attribute("name", .string).optional()
      Relationship("notes", toMany: "Note", inverse: "folder")
    }
  }

  private let folder: TemporaryFolder
  private let note = RecordID(entity: "Note", key: 1)

  init() throws {
    folder = try TemporaryFolder()
    let store = try ObjectStore.open(folder.path("notes.sqlite"), model: Self.model)
    try store.write { transaction in
      _ = try transaction.insert("Note", ["text": "a", "stars": .number(3)])
      _ = try transaction.insert("Folder", ["name": "home"])
    }
    try store.close()
  }

  /// The store after SQL of another program.
  private func store(after sql: String) throws -> ObjectStore {
    try HistoryTables.execute(sql, in: folder.path("notes.sqlite"))
    return try ObjectStore.open(folder.path("notes.sqlite"), model: Self.model)
  }

  private func refusal(_ name: String) -> RecordRequestError {
    .notAskable(text: name, .expression(.compilation(.notStored(property: "Note.\(name)"))))
  }

  @Test("It is read; who names the property is refused, as who sorts by it")
  func reading() throws {
    let store = try store(after: "ALTER TABLE ZNOTE DROP COLUMN ZSTARS")
    let record = try #require(try store.read { try $0.object(note) })
    #expect(record["text"] == "a" && record["stars"] == nil)
    var request = RecordRequest("Note")
    #expect(try store.read { try $0.fetch(request) } == [record])
    request.properties = ["text", "stars"]
    #expect(throws: refusal("stars")) { try store.read { try $0.fetch(request) } }
    request.properties = ["text"]
    #expect(try store.read { try $0.fetch(request) }.map(\.id) == [note])
    request.sort = [RecordSort("stars")]
    #expect(throws: refusal("stars")) { try store.read { try $0.fetch(request) } }
    try store.close()
  }

  @Test("Properties without a column are not set, also in a dry run; other properties are")
  func updates() throws {
    let store = try store(after: "ALTER TABLE ZNOTE DROP COLUMN ZSTARS")
    for value in [RecordValue.number(5), .null] {
      #expect(throws: refusal("stars")) { try store.write { try $0.update(note, ["text": "b", "stars": value]) } }
      #expect(throws: refusal("stars")) { try store.plan { try $0.update(note, ["stars": value]) } }
    }
    #expect(try store.read { try $0.object(note) }?.version == 1)
    try store.write { try $0.update(note, ["text": "b"]) }
    #expect(try store.read { try $0.object(note) }?["text"] == "b")
    try store.close()
  }

  @Test("A new object loses no value, a default among them; without one it is inserted")
  func insertions() throws {
    var store = try store(after: "ALTER TABLE ZNOTE DROP COLUMN ZSTARS")
    #expect(throws: refusal("stars")) {
      try store.write { try $0.insert("Note", ["stars": .number(1)]) }
    }
    try store.write { transaction in
      _ = try transaction.insert("Note", ["stars": .null])
      _ = try transaction.insert("Note", ["text": "c"])
    }
    #expect(try store.count(RecordRequest("Note")) == 3)
    try store.close()
    store = try self.store(after: "ALTER TABLE ZNOTE DROP COLUMN ZRANK")
    #expect(throws: refusal("rank")) { try store.write { try $0.insert("Note", ["text": "d"]) } }
    try store.write { _ = try $0.insert("Note", ["text": "d", "rank": .null]) }
    #expect(try store.count(RecordRequest("Note")) == 4)
    try store.close()
  }

  @Test("The same holds for a relationship")
  func relationships() throws {
    let store = try store(
      after: "DROP INDEX IF EXISTS ZNOTE_ZFOLDER_INDEX; ALTER TABLE ZNOTE DROP COLUMN ZFOLDER")
    let home = RecordValue.object(RecordID(entity: "Folder", key: 1))
    #expect(throws: refusal("folder")) { try store.write { try $0.update(note, ["folder": home]) } }
    var request = RecordRequest("Note")
    request.properties = ["folder"]
    #expect(throws: refusal("folder")) { try store.read { try $0.fetch(request) } }
    #expect(try store.read { try $0.object(note) }?["text"] == "a")
    try store.write { try $0.update(note, ["text": "b"]) }
    try store.close()
  }

  @Test("A missing table is named as such, and not as an unknown entity")
  func table() throws {
    let store = try store(after: "DROP TABLE ZNOTE")
    let missing = RecordRequestError.noTable(entity: "Note")
    #expect(throws: missing) { try store.read { try $0.fetch(RecordRequest("Note")) } }
    #expect(throws: missing) { try store.count(RecordRequest("Note")) }
    #expect(throws: missing) { try store.read { try $0.object(note) } }
    #expect(throws: missing) { try store.write { try $0.insert("Note", ["text": "b"]) } }
    #expect(missing.description == "the store has no table for the objects of Note")
    #expect(try store.count(RecordRequest("Folder")) == 1)
    try store.close()
  }
}
