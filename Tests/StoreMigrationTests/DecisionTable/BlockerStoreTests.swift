import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// All blockers of a step are reported in one run.
@Suite("Obstacles together")
struct BlockerStoreTests {
  @Test("Refusals, losses and missing values are reported together, and options lift all of them")
  func everything() throws {
    let store = try VersionedStore(
      [.entity("Item", [.optional("size"), .optional("date", .date), .optional("code"), .optional("name")])],
      [
        .entity(
          "Item",
          [.optional("size", .integer32), .optional("date", .string), .required("name"), .required("kind")])
      ], rows: 8, "UPDATE ZITEM SET ZSIZE = 'large' WHERE Z_PK = 1", "UPDATE ZITEM SET ZSIZE = Z_PK WHERE Z_PK > 1",
      "UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 2")
    let before = try store.files()
    let error = #expect(throws: MigrationBlocked.self) { try store.migrator().migrate() }
    #expect(error?.failures.map { "\($0.element)" } == ["Item.date", "Item.size"])
    #expect(Set(error?.blockers.map { "\($0.blocker.element)" } ?? []) == ["Item.kind", "Item.name", "Item.size"])
    #expect(error?.losses.map { $0.loss.loss.element } == ["Item.code"])
    #expect(throws: MigrationBlocked.self) { try store.migrator().plan() }
    #expect(try store.files() == before)
    let options = MigrationOptions(allowedLosses: ["Item.code", "Item.size"])
    let inference = InferenceOptions(
      casts: ["Item.date", "Item.size"], fills: ["Item.name": .string("none"), "Item.kind": .string("plain")])
    #expect(try store.migrator(options, inference).migrate().result == .migrated)
  }

  @Test("A single refusal of inference is reported as before")
  func one() throws {
    let store = try VersionedStore(
      [.entity("Item", [.optional("size")])], [.entity("Item", [.optional("size", .integer32)])])
    #expect(throws: InferenceRefusal.self) { try store.migrator().migrate() }
  }

  @Test("The query for blocking rows includes rows of sub-entities, and no others")
  func subentities() throws {
    let relatives: [EntityDescription] = [.entity("Note", under: "Message"), .entity("Picture", under: "Message")]
    let store = try VersionedStore(
      [.entity("Message", abstract: true, [.optional("sender")]), .entity("Place", [.optional("sender")])] + relatives,
      [.entity("Message", abstract: true, [.required("sender")]), .entity("Place", [.optional("sender")])] + relatives,
      rows: 3, "UPDATE ZMESSAGE SET ZSENDER = NULL WHERE Z_PK IN (1, 5)", "UPDATE ZPLACE SET ZSENDER = NULL")
    let (source, destination) = (store.versions[0], store.versions[1])
    let mapping = try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
    let forecast = try PathPartForecast(of: PathPart([], from: source, to: destination, by: mapping))
    #expect(forecast.conditions.count == 2)
    for condition in forecast.conditions {
      #expect(try store.rows(condition.query.rendered) == ["1", "5"])
    }
  }
}
