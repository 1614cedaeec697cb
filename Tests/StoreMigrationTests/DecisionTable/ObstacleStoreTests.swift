import MappingModels
import ModelDescription
import StoreMigration
import Testing

/// Everything that blocks a step is told in one run.
@Suite("Obstacles together")
struct ObstacleStoreTests {
  @Test("What cannot be inferred, what would be lost and what is missing come at once, and the options lift all of it")
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
    #expect(Set(error?.blockers.map { "\($0.obstacle.element)" } ?? []) == ["Item.kind", "Item.name", "Item.size"])
    #expect(error?.losses.map { $0.loss.loss.element } == ["Item.code"])
    #expect(throws: MigrationBlocked.self) { try store.migrator().plan() }
    #expect(try store.files() == before)
    let options = MigrationOptions(allowedLosses: ["Item.code", "Item.size"])
    let inference = InferenceOptions(
      casts: ["Item.date", "Item.size"], fills: ["Item.name": .string("none"), "Item.kind": .string("plain")])
    #expect(try store.migrator(options, inference).migrate().result == .migrated)
  }

  @Test("One thing that cannot be inferred alone stays what it was")
  func one() throws {
    let store = try VersionedStore(
      [.entity("Item", [.optional("size")])], [.entity("Item", [.optional("size", .integer32)])])
    #expect(throws: InferenceFailure.self) { try store.migrator().migrate() }
  }
}
