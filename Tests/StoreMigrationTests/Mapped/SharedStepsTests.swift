import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Data other than objects that a mapping model's migration keeps, and its computed values.
struct SharedStepsTests {
  @Test("tables, columns, indexes, views and triggers of the app are kept if their rows keep their keys")
  func appObjects() throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")])], [.entity("Order", [.optional("text")])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')",
      "ALTER TABLE ZORDER ADD COLUMN APP_FLAG INTEGER",
      "UPDATE ZORDER SET APP_FLAG = Z_PK * 7",
      "CREATE INDEX APP_INDEX ON ZORDER (APP_FLAG)",
      "CREATE TABLE MINE (id INTEGER REFERENCES ZORDER (Z_PK)); INSERT INTO MINE VALUES (2)",
      "CREATE VIEW FLAGS AS SELECT APP_FLAG FROM ZORDER",
      "CREATE TABLE LOG (k INTEGER)",
      "CREATE TRIGGER APP_TRIGGER AFTER DELETE ON ZORDER BEGIN INSERT INTO LOG VALUES (old.Z_PK); END",
      "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER, ZENTITYPK INTEGER)",
      "INSERT INTO ACHANGE VALUES (1, 1, 2)")
    let after = try store.copy()
    try after.map(by: MappingModel(entityMappings: [.map("Order", "Order", ["text": .source("note")])]))
    #expect(try after.wrongSchema(at: 1) == ["column ZORDER.APP_FLAG is not part of the model"])
    #expect(try after.rows("SELECT * FROM FLAGS") == ["7", "14"])
    #expect(try after.rows("SELECT id FROM MINE") == ["2"])
    #expect(
      try after.rows("SELECT sql FROM sqlite_master WHERE name = 'APP_INDEX'") == [
        "CREATE INDEX APP_INDEX ON ZORDER (APP_FLAG)"
      ])
    #expect(try after.rows("SELECT sql LIKE '%REFERENCES ZORDER%' FROM sqlite_master WHERE name = 'MINE'") == ["1"])
    #expect(try after.rows("SELECT * FROM ACHANGE") == ["1|1|2"])
    #expect(try after.rows("SELECT * FROM LOG") == [])
    try after.execute("DELETE FROM ZORDER WHERE Z_PK = 2")
    #expect(try after.rows("SELECT * FROM LOG") == ["2"])
  }

  @Test("tables that refer to keys stop a migration that changes them, unless forced")
  func cloudKit() throws {
    let store = try VersionedStore(
      [.entity("A", [.optional("n")])], [.entity("A", [.optional("n")]), .entity("B", [.optional("n")])],
      "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER)")
    let split = MappingModel(entityMappings: [
      .map("A", "A", ["n": .source("n")]), .map("A", "B", filter: .truth(true), ["n": .source("n")]),
    ])
    #expect(throws: MigrationRefusal.cloudKitTables(["ANSCKRECORDMETADATA"])) { try store.map(by: split) }
    _ = try store.mapped(by: split, MigrationOptions(allowsCloudKit: true, allowsForeignReferences: true))
  }

  @Test("defaults, derived attributes, composite attributes and external data have the form of their columns")
  func attributes() throws {
    let photo = AttributeDescription(
      name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true)
    let plain = AttributeDescription(name: "photo", type: .binary, isOptional: true)
    func place(_ name: String) -> AttributeDescription {
      AttributeDescription(
        name: name, type: .composite, isOptional: true, compositeName: "Place",
        elements: [.optional("x", .double), .optional("y", .double)])
    }
    let store = try VersionedStore(
      [
        .entity(
          "Node", [plain, place("place")],
          [.toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent")])
      ],
      [
        .entity(
          "Node",
          [
            photo, place("spot"), .derived("size", .integer64, "children.@count"),
            .optional("day", .date, default: .date(5)), .optional("flag", .boolean, default: .boolean(true)),
          ], [.toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent")])
      ],
      "INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZPARENT, ZPHOTO) VALUES (1, 1, 1, NULL, x'0102'), (2, 1, 1, 1, NULL)")
    let columns = try store.rows("SELECT name FROM pragma_table_info('ZNODE') WHERE name IN ('ZX', 'ZY') ORDER BY 1")
    try store.execute("UPDATE ZNODE SET \"\(columns[0])\" = 1.5, \"\(columns[1])\" = 2.5 WHERE Z_PK = 1")
    let after = try store.mapped(
      by: MappingModel(entityMappings: [
        .map(
          "Node", "Node", ["photo": .source("photo"), "spot": .source("place")],
          ["parent": .made(by: "NodeToNode", of: .source("parent"))])
      ]))
    let graph = try after.content(at: 1).graph
    #expect(graph.rows["Node"]?[1]?["spot.x"] == 1.5.databaseValue)
    #expect(graph.rows["Node"]?[1]?["spot.y"] == 2.5.databaseValue)
    #expect(
      try after.rows("SELECT ZSIZE, ZDAY, ZFLAG, ZPHOTO FROM ZNODE ORDER BY Z_PK") == ["1|5|1|x010102", "0|5|1|-"])
  }

  @Test("an entity without source starts empty, and an entity is removed with consent")
  func addAndRemove() throws {
    let store = try VersionedStore(
      [.entity("Old", [.optional("n")])], [.entity("New", [.optional("n")])],
      "INSERT INTO ZOLD (Z_PK, Z_ENT, Z_OPT) VALUES (3, 1, 1)")
    let mapping = MappingModel(entityMappings: [
      EntityMapping(name: "New", kind: .add, source: nil, destination: "New"),
      EntityMapping(name: "Old", kind: .remove, source: "Old", destination: nil),
    ])
    #expect(try store.mappingBlockers(mapping) == ["Old: 1"])
    let after = try store.mapped(by: mapping, MigrationOptions(allowedLosses: ["Old"]))
    #expect(try after.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY") == ["New|0"])
    #expect(try after.rows("SELECT COUNT(*) FROM ZNEW") == ["0"])
  }
}
