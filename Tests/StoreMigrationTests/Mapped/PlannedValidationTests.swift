import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// What the objects of a mapping model must meet is in the plan, too, although they are not there yet.
@Suite("Validations in a plan")
struct PlannedValidationTests {
  private func store(_ things: RelationshipDescription, isBoxOptional: Bool = true) throws -> VersionedStore {
    let before: [EntityDescription] = [
      .entity("Box", [.optional("label")], [.toMany("things", "Thing", inverse: "box")]),
      .entity("Thing", [.optional("name"), .optional("size")], [.toOne("box", "Box", inverse: "things")]),
    ]
    let after: [EntityDescription] = [
      .entity("Box", [.optional("label")], [things]),
      .entity(
        "Thing", [.optional("name")],
        [.toOne("box", "Box", inverse: "things", optional: isBoxOptional)]),
    ]
    let store = try VersionedStore(
      before, after,
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
      INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSIZE, ZBOX) VALUES (1, 2, 1, 'x', 's', 1), (2, 2, 1, 'y', 's', 1),
        (3, 2, 1, 'z', 's', NULL);
      """)
    let model = MappingModel(entityMappings: [
      .map("Box", "Box", ["label": .source("label")], ["things": .made(by: "ThingToThing", of: .source("things"))]),
      .map("Thing", "Thing", ["name": .source("name")], ["box": .made(by: "BoxToBox", of: .source("box"))]),
    ])
    store.mappings = [
      KnownMapping(path: "m.xcmappingmodel", source: store.versions[0], destination: store.versions[1], model: model)
    ]
    return store
  }

  @Test("Plan and migration name rows and losses together, each with the change to make in the mapping")
  func atOnce() throws {
    let store = try store(.toMany("things", "Thing", inverse: "box"), isBoxOptional: false)
    let before = try store.rows("SELECT * FROM ZTHING ORDER BY Z_PK")
    let planned = try store.migrator().plan().blocked
    #expect(planned.blockers.map { "\($0.blocker.element) \($0.count) \($0.firstKeys)" } == ["Thing.box 1 [3]"])
    #expect(planned.losses.map(\.loss.loss.element) == ["Thing.size"])
    #expect(planned.description.contains("expression in ThingToThing that links enough objects"))
    let refused = #expect(throws: MigrationBlocked.self) { try store.migrator().migrate() }
    #expect(refused == planned)
    #expect(try store.rows("SELECT * FROM ZTHING ORDER BY Z_PK") == before)
  }

  @Test("A count that is too high has advice, and a plan without blockers reports none")
  func counts() throws {
    var things = RelationshipDescription.toMany("things", "Thing", inverse: "box")
    things.maxCount = 1 + 1
    let options = MigrationOptions(allowedLosses: ["Thing.size"])
    let store = try store(things)
    #expect(try store.migrator(options).plan().blocked.isEmpty)
    try store.execute("UPDATE ZTHING SET ZBOX = 1")
    let planned = try store.migrator(options).plan().blocked
    #expect(
      planned.description.contains(
        "Box.things can hold at most 2 objects. Give the relationship an expression in BoxToBox that"))
  }
}
