import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("Groups, templates and plans of an open store")
struct StoreRequestTests {
  private let folder: TemporaryFolder
  private let store: ObjectStore

  init() throws {
    var model = ManagedObjectModel {
      Entity("Note") {
        Attribute("text", .string).optional()
        Attribute("stars", .integer16).optional()
        FetchedProperty("others", of: "Note", predicate: "stars == $FETCH_SOURCE.stars AND SELF != $FETCH_SOURCE")
      }
    }
    model.fetchRequests = [
      FetchRequestDescription(
        name: "good", entityName: "Note", predicate: "stars >= $stars", settings: ["fetchLimit": "1"])
    ]
    folder = try TemporaryFolder()
    store = try ObjectStore.open(folder.path("notes.sqlite"), model: model)
    try store.write { transaction in
      for (text, stars) in [("a", 1), ("b", 2), ("c", 2)] as [(String, Int64)] {
        try transaction.insert("Note", ["text": .attribute(.string(text)), "stars": .attribute(.integer(stars))])
      }
    }
  }

  @Test("Groups, aggregates and distinct values are made by one statement")
  func groups() throws {
    let request = RecordRequest("Note")
    let groups = try store.read { try $0.groups([.count, .minimum("text")], by: ["stars"], of: request) }
    #expect(groups.map(\.keys) == [[1], [2]] && groups.map(\.values) == [[1, "a"], [2, "b"]])
    #expect(try store.read { try $0.aggregate(.sum("stars"), of: request) } == 5)
    #expect(try store.read { try $0.distinct("stars", of: RecordRequest("Note", where: "text != %@", "a")) } == [2])
  }

  @Test("A template and a fetched property of the model are fetched by their names")
  func templates() throws {
    let good = try store.read { try $0.fetch(template: "good", ["stars": 2]) }
    #expect(good.map { $0["text"] } == ["b"])
    let note = try #require(good.first)
    #expect(try store.read { try $0.fetch(property: "others", of: note.id) }.map { $0["text"] } == ["c"])
    #expect(throws: RecordRequestError.self) { try store.read { try $0.fetch(template: "good") } }
  }

  @Test("A request is explained, and nothing is answered after the reading")
  func explanation() throws {
    let request = try RecordRequest("Note", where: "stars > %@", 1)
    var escaped: StoreReading?
    let explanation = try store.read { reading in
      escaped = reading
      return try reading.explain(request)
    }
    #expect(explanation.sql.contains("\"ZSTARS\" > 1") && !explanation.steps.isEmpty)
    #expect(throws: ObjectStoreError.ended) { try escaped?.explain(request) }
    #expect(throws: ObjectStoreError.ended) { try escaped?.distinct("stars", of: request) }
  }
}
