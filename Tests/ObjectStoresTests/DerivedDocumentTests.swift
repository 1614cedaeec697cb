import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows
import TestSupport
import Testing

@Suite("Derived attributes of stores of other kinds than SQLite")
struct DerivedDocumentTests {
  private static let kinds = StoreKinds.builtIn.map(\.name)

  private static let people = Entity("Person") {
    Attribute("name", .string)
    Relationship("notes", toMany: "Note", inverse: "author")
  }
  private static let tags = Entity("Tag") {
    // No SQL is known for a path of three names.
    Attribute("authorName", .string).optional().derived(from: "note.author.name")
    Relationship("note", toOne: "Note", inverse: "tags").optional()
  }

  private static let notes = ManagedObjectModel {
    people
    tags
    Entity("Note") {
      Attribute("text", .string)
      Attribute("loud", .string).optional().derived(from: "uppercase:(text)")
      Attribute("modified", .date).optional().derived(from: "now()")
      Attribute("tagCount", .integer64).optional().derived(from: "tags.@count")
      Relationship("author", toOne: "Person", inverse: "notes").optional()
      Relationship("tags", toMany: "Tag", inverse: "note")
    }
  }

  private static let newNotes = ManagedObjectModel {
    people
    tags
    Entity("Note") {
      Attribute("text", .string)
      Attribute("extra", .string).optional()
      Attribute("loud", .string).optional().derived(from: "uppercase:(text)")
      Attribute("modified", .date).optional().derived(from: "now()")
      Attribute("tagCount", .integer64).optional().derived(from: "tags.@count")
      Relationship("author", toOne: "Person", inverse: "notes").optional()
      Relationship("tags", toMany: "Tag", inverse: "note")
    }
  }

  private let folder: TemporaryFolder
  private let old: LoadedVersion
  private let new: LoadedVersion
  private let anna = RecordID(entity: "Person", key: 1)
  private let first = RecordID(entity: "Note", key: 1)
  private let second = RecordID(entity: "Note", key: 2)
  private let tag = RecordID(entity: "Tag", key: 1)

  init() throws {
    folder = try TemporaryFolder()
    old = try LoadedVersion(bundle: "b", name: "v1", isCurrent: false, model: Self.notes)
    new = try LoadedVersion(bundle: "b", name: "v2", isCurrent: true, model: Self.newNotes)
  }

  private func kind(_ name: String) throws -> any StoreKind {
    try #require(StoreKinds.builtIn.first { $0.name == name })
  }

  /// Makes a store whose notes were saved in the first seconds of 2001; the first note may have other values.
  private func made(_ name: String, _ values: [String: RecordValue] = [:]) throws -> String {
    let note: [String: RecordValue] = [
      "text": "a", "loud": "A", "tagCount": 1, "modified": .attribute(.date(1)), "author": .object(anna),
      "tags": .objects([tag]),
    ]
    let objects: [StoreDocument.Object] = [
      .init(id: anna, values: ["name": "Anna", "notes": .objects([first])]),
      .init(id: first, values: note.merging(values) { $1 }.filter { $0.value != .null }),
      .init(
        id: second,
        values: ["text": "b", "loud": "B", "tagCount": 0, "modified": .attribute(.date(2))]),
      .init(id: tag, values: ["authorName": "Anna", "note": .object(first)]),
    ]
    let metadata = StoreMetadata(
      uuid: UUID().uuidString, versionHashes: old.versionHashes, identifiers: [],
      entries: ["NSStoreType": .string(name)])
    let path = folder.path("notes")
    let bytes = try kind(name).bytes(of: StoreDocument(metadata: metadata, objects: objects), model: old.hierarchy)
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  private func moments(_ store: ObjectStore) throws -> [Double] {
    try store.read { reading in
      try [first, second].map { id -> Double in
        guard case .attribute(.date(let moment))? = try reading.object(id)?["modified"] else { return -1 }
        return moment
      }
    }
  }

  private func isNow(_ moment: Double) -> Bool { abs(moment - Date().timeIntervalSinceReferenceDate) < 600 }

  @Test(
    "Derived values that rows cannot give are kept when they are read, and other values come from the rows",
    arguments: kinds)
  func reading(_ name: String) throws {
    let path = try made(name, ["loud": "stale", "tagCount": 7])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = try ObjectStore.open(path, model: Self.notes)
    defer { try? store.close() }
    #expect(try moments(store) == [1, 2])
    let (note, label) = try store.read { (try $0.object(first), try $0.object(tag)) }
    #expect(note?["loud"] == "A")
    #expect(note?["tagCount"] == 1)
    #expect(label?["authorName"] == "Anna")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("A missing value is computed, and the time is that of the reading", arguments: kinds)
  func missing(_ name: String) throws {
    let path = try made(name, ["loud": .null, "tagCount": .null, "modified": .null])
    let store = try ObjectStore.open(path, model: Self.notes)
    defer { try? store.close() }
    let note = try store.read { try $0.object(first) }
    #expect(note?["loud"] == "A")
    #expect(note?["tagCount"] == 1)
    let moments = try moments(store)
    #expect(isNow(moments[0]) && moments[1] == 2)
  }

  @Test("A save gives its moment to the object that it changed, and to no other", arguments: kinds)
  func updating(_ name: String) throws {
    let path = try made(name)
    let store = try ObjectStore.open(path, model: Self.notes)
    try store.write { try $0.update(second, ["text": "new"]) }
    try store.close()
    let again = try ObjectStore.open(path, model: Self.notes)
    defer { try? again.close() }
    let saved = try moments(again)
    #expect(saved[0] == 1 && isNow(saved[1]))
    let (note, label) = try again.read { (try $0.object(second), try $0.object(tag)) }
    #expect(note?["loud"] == "NEW")
    #expect(label?["authorName"] == "Anna")
  }

  @Test("A migration keeps the moments", arguments: kinds)
  func migrating(_ name: String) throws {
    let path = try made(name)
    let store = try ObjectStore.open(MigrationRequest(path: path, versions: [old, new], destination: new))
    guard case .migrated(from: "v1", to: "v2", backup: _) = store.opening else {
      Issue.record("\(store.opening)")
      return
    }
    #expect(try moments(store) == [1, 2])
    try store.close()
    let document = try kind(name).document(
      in: Data(contentsOf: URL(fileURLWithPath: path)), of: new.hierarchy, path: path)
    let values = document.objects.filter { $0.id.entity == "Note" }.map { $0.values["modified"] }
    #expect(values == [.attribute(.date(1)), .attribute(.date(2))])
  }

  @Test(
    "A conversion of a SQLite store to another kind, and from there on, has the same values",
    arguments: kinds, kinds + ["SQLite"])
  func converting(_ name: String, _ other: String) throws {
    let (sqlite, path, made) = (folder.path("notes.sqlite"), folder.path("notes"), folder.path("made"))
    let store = try ObjectStore.open(sqlite, model: Self.notes)
    try store.write { transaction in
      let anna = try transaction.insert("Person", ["name": "Anna"])
      let note = try transaction.insert("Note", ["text": "a", "author": .object(anna)])
      _ = try transaction.insert("Note", ["text": "b"])
      _ = try transaction.insert("Tag", ["note": .object(note)])
    }
    try store.close()
    let queue = try DatabaseQueue(path: sqlite)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "UPDATE ZNOTE SET ZMODIFIED = Z_PK; UPDATE ZTAG SET ZAUTHORNAME = 'Anna'")
    }
    try queue.close()
    let before = try StoreDocument(storeAt: sqlite, model: old.hierarchy).objects
    #expect(before.contains { $0.values["modified"] == .attribute(.date(1)) })

    let conversion = StoreConversion(old)
    try conversion.convert(sqlite, to: path, kind: try kind(name))
    let mirror = try #require(try StoreMirror.of(path, versions: [old]))
    let reader = try mirror.reader()
    defer { reader.close() }
    let next = StoreKinds.builtIn.first { $0.name == other }
    let outcome = try conversion.convert(reader, to: made, kind: next)
    #expect(outcome.document.objects == before)
    let held =
      if let next {
        try next.document(in: Data(contentsOf: URL(fileURLWithPath: made)), of: old.hierarchy, path: made)
      } else {
        try StoreDocument(storeAt: made, model: old.hierarchy)
      }
    #expect(held.objects == before)
  }
}
