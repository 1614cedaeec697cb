import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("Decision table on stores: settings (rows 20–26, 45–48)")
struct SettingStoreTests {
  private func store(
    _ former: [AttributeDescription], _ latter: [AttributeDescription], _ statements: String
  ) throws -> VersionedStore {
    try VersionedStore([.entity("Order", former)], [.entity("Order", latter)], statements)
  }

  @Test(
    "rows 20, 21, 25 and 26: a setting outside the hash writes nothing",
    arguments: ["default", "validation", "index", "class"])
  func noVersion(change: String) throws {
    var latter = EntityDescription.entity("Order", [.optional("note")])
    switch change {
    case "default": latter.attributes[0].defaultValue = .string("new")
    case "validation": latter.attributes[0].validation.maximum = .integer(3)
    case "index": latter.attributes[0].isIndexed = true
    default: latter.className = "Order"
    }
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")])], [latter],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, NULL), (2, 1, 1, 'long text')")
    let before = try store.files()
    #expect(try store.migrator().migrate().result == .alreadyCurrent)
    #expect(try store.files() == before)
  }

  @Test("row 22: external storage is switched on: values get the mark of an inline value")
  func row22On() throws {
    var external = AttributeDescription.optional("image", .binary)
    external.allowsExternalBinaryDataStorage = true
    let store = try store(
      [.optional("image", .binary)], [external],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZIMAGE) VALUES (1, 1, 1, x'00ff00'), (2, 1, 1, NULL), (3, 1, 1, x'')")
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZIMAGE FROM ZORDER") == ["x0100ff00", "-", "x01"])
    }
  }

  @Test("row 22: external storage is switched off: marks are removed, files become inline, a missing file stops it")
  func row22Off() throws {
    var external = AttributeDescription.optional("image", .binary)
    external.allowsExternalBinaryDataStorage = true
    let name = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
    let reference = Data([2]) + Data(name.utf8) + Data([0])
    let literal = reference.map { String(format: "%02x", $0) }.joined()
    let store = try store(
      [external], [.optional("image", .binary)],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZIMAGE) VALUES (1, 1, 1, x'0100ff'), (2, 1, 1, NULL), (3, 1, 1, x'\(literal)')"
    )
    for strategy in MigrationStrategy.allCases {
      let before = try store.files()
      #expect(throws: (any Error).self) { try store.migrator(to: nil, MigrationOptions(strategy: strategy)).migrate() }
      #expect(try store.files() == before)
    }
    let folder = store.directory.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7, 0, 7]).write(to: folder.appendingPathComponent(name))
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZIMAGE FROM ZORDER") == ["x00ff", "-", "x070007"])
    }
  }

  @Test("row 22: empty data is still empty data after external storage is switched off")
  func row22Empty() throws {
    var external = AttributeDescription.optional("image", .binary)
    external.allowsExternalBinaryDataStorage = true
    let store = try store(
      [external], [.optional("image", .binary)],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZIMAGE) VALUES (1, 1, 1, x'01'), (2, 1, 1, x''), (3, 1, 1, NULL)")
    for after in try store.migrated() {
      #expect(
        try after.rows("SELECT Z_PK, typeof(ZIMAGE), length(ZIMAGE) FROM ZORDER")
          == ["1|blob|0", "2|blob|0", "3|null|-"])
    }
  }

  @Test("row 22: external values and their files are kept through other changes")
  func row22Kept() throws {
    var external = AttributeDescription.optional("image", .binary)
    external.allowsExternalBinaryDataStorage = true
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Order", [external, .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [.entity("Order", [external, .optional("size", .double)])]),
      ], rows: 40)
    let files = try store.files().filter { $0.key.contains("_SUPPORT") }
    for after in try store.migrated() {
      #expect(try after.files().filter { $0.key.contains("_SUPPORT") } == files)
    }
  }

  @Test("rows 23 and 24: preserved in history, and a version hash modifier, touch no row")
  func row23And24() throws {
    var preserved = AttributeDescription.optional("note")
    preserved.preservesValueInHistoryOnDeletion = true
    var modified = AttributeDescription.optional("note")
    modified.versionHashModifier = "2"
    for latter in [preserved, modified] {
      let store = try store(
        [.optional("note")], [latter], "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 4, 'a')")
      for after in try store.migrated() {
        #expect(try after.rows("SELECT * FROM ZORDER") == ["1|1|4|a"])
      }
    }
  }

  @Test(
    "rows 45 and 46: a derived attribute is computed for existing rows",
    arguments: [
      ("lines.@count", AttributeType.integer64, ["2", "1", "0"]), ("count:(lines)", .integer64, ["2", "1", "0"]),
      ("lines.amount.@sum", .double, ["3.5", "4.0", "-"]), ("sum:(lines.amount)", .double, ["3.5", "4.0", "-"]),
      ("lines.@max.amount", .double, ["2.0", "4.0", "-"]), ("customer.name", .string, ["Zoë", "-", "-"]),
      ("uppercase:(note)", .string, ["STRASSE", "É", "-"]), ("canonical:(note)", .string, ["strasse", "e", "-"]),
      ("note", .string, ["straße", "é", "-"]), ("tags.@count", .integer64, ["1", "0", "0"]),
    ])
  func row45(expression: String, type: AttributeType, expected: [String]) throws {
    func model(_ attributes: [AttributeDescription]) -> [EntityDescription] {
      [
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
        .entity("Line", [.optional("amount", .double)], [.toOne("order", "Order", inverse: "lines")]),
        .entity(
          "Order", [.optional("note")] + attributes,
          [
            .toOne("customer", "Customer", inverse: "orders"), .toMany("lines", "Line", inverse: "order"),
            .toMany("tags", "Tag", inverse: "orders"),
          ]),
        .entity("Tag", [], [.toMany("orders", "Order", inverse: "tags")]),
      ]
    }
    let rows = """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Zoë');
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZCUSTOMER) VALUES (1, 3, 1, 'straße', 1), (2, 3, 1, 'é', NULL),
      (3, 3, 1, NULL, NULL);
      INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZORDER) VALUES (1, 2, 1, 1.5, 1), (2, 2, 1, 2, 1), (3, 2, 1, 4, 2);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
      INSERT INTO Z_3TAGS (Z_3ORDERS, Z_4TAGS) VALUES (1, 1);
      """
    let added = try VersionedStore(model([]), model([.derived("found", type, expression)]), rows)
    for after in try added.migrated() {
      #expect(try after.rows("SELECT ZFOUND FROM ZORDER ORDER BY Z_PK") == expected, "\(expression)")
    }
    let other = AttributeDescription.derived("found", type, "lowercase:(note)")
    let changed = try VersionedStore(
      model([other]), model([.derived("found", type, expression)]), rows, "UPDATE ZORDER SET ZFOUND = 'stale'")
    for after in try changed.migrated() {
      #expect(try after.rows("SELECT ZFOUND FROM ZORDER ORDER BY Z_PK") == expected, "\(expression)")
    }
  }

  @Test("row 45: a derived date is the time of the migration")
  func row45Now() throws {
    let store = try store(
      [.optional("note")], [.optional("note"), .derived("touched", .date, "now()")],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    for after in try store.migrated() {
      let found = try #require(Double(try after.rows("SELECT ZTOUCHED FROM ZORDER")[0]))
      #expect(abs(found - Date().timeIntervalSinceReferenceDate) < 60)
    }
  }

  @Test("row 46: a count is updated when an entity with counted objects is removed")
  func row46Removed() throws {
    func model(_ more: [EntityDescription]) -> [EntityDescription] {
      [
        .entity("Line", [], [.toOne("order", "Order", inverse: "lines")]),
        .entity("Order", [.derived("size", .integer64, "lines.@count")], [.toMany("lines", "Line", inverse: "order")]),
      ] + more
    }
    let store = try VersionedStore(
      model([.entity("Special", under: "Line")]), model([]),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 3, 1, 0);
      INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT, ZORDER) VALUES (1, 1, 1, 1), (2, 2, 1, 1);
      """)
    for after in try store.migrated(allowing: ["Special"]) {
      #expect(try after.rows("SELECT ZSIZE FROM ZORDER") == ["1"])
    }
  }

  @Test("row 47: elements of a composite attribute are added, renamed, retyped and removed")
  func row47() throws {
    func address(_ elements: [AttributeDescription]) -> AttributeDescription {
      AttributeDescription(
        name: "address", type: .composite, isOptional: true, compositeName: "Address", elements: elements)
    }
    let added = try store(
      [.optional("note")], [.optional("note"), address([.optional("city", default: .string("Rome"))])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, 'a')")
    for after in try added.migrated() {
      #expect(try after.content(at: 1).graph.rows["Order"]?[1]?["address.city"] == "Rome".databaseValue)
    }
    let changed = try VersionedStore(
      [
        ManagedObjectModel(entities: [
          .entity("Order", [address([.optional("city"), .optional("zip", .integer16), .optional("old")])])
        ]),
        ManagedObjectModel(entities: [
          .entity("Order", [address([.optional("town", was: "city"), .optional("zip", .integer32)])])
        ]),
      ], rows: 5)
    let before = try changed.content(at: 0).graph.rows["Order"] ?? [:]
    for after in try changed.migrated(allowing: ["Order.address.old"]) {
      let rows = try after.content(at: 1).graph.rows["Order"] ?? [:]
      #expect(rows.mapValues { $0["address.town"] } == before.mapValues { $0["address.city"] })
      #expect(rows.mapValues { $0["address.zip"] } == before.mapValues { $0["address.zip"] })
    }
  }

  @Test("consent to the loss of a composite attribute is consent to that of its elements, of an entity's it is not")
  func row47Consent() throws {
    let place = AttributeDescription(
      name: "place", type: .composite, compositeName: "Place",
      elements: [.optional("x", .double), .optional("y", .double)])
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Order", [place, .optional("note")])]),
        ManagedObjectModel(entities: [.entity("Order", [.optional("note")])]),
      ], rows: 5)
    #expect(throws: MigrationBlocked.self) { try store.migrated(allowing: ["Order"]) }
    for after in try store.migrated(allowing: ["Order.place"]) {
      #expect(try after.content(at: 1).graph.rows["Order"]?.count == 5)
    }
  }

  @Test("row 48: SwiftData's originalName is a renaming identifier")
  func row48() throws {
    let store = try store(
      [.optional("title")], [.optional("name", was: "title")],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')")
    for after in try store.migrated() { #expect(try after.rows("SELECT ZNAME FROM ZORDER") == ["a"]) }
  }
}
