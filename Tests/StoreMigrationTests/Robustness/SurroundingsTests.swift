import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

@Suite("Other content of a store")
struct SurroundingsTests {
  private static let order = EntityDescription.entity("Order", [.optional("note")])
  private static let orders = "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')"

  /// Persistent history as Core Data keeps it.
  private static let history = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
    ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 3), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 0);
    INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 5.5);
    """

  @Test("persistent history follows the entity numbers; the history of a removed entity is deleted")
  func persistentHistory() throws {
    let store = try VersionedStore(
      [Self.order, .entity("Tag"), .entity("Unit")], [.entity("Account"), Self.order, .entity("Unit")],
      Self.orders + ";INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)", Self.history,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      VALUES (1, 16001, 1, 0, 1, 1, 1), (2, 16001, 1, 0, 2, 1, 1), (3, 16001, 1, 0, 3, 9, 1)
      """)
    for after in try store.migrated(allowing: ["Tag"]) {
      #expect(try after.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY 1") == ["1|2|1", "3|3|9"])
      #expect(try after.rows("SELECT * FROM ATRANSACTION") == ["1|16002|1|5.5"])
      #expect(
        try after.rows("SELECT * FROM Z_PRIMARYKEY ORDER BY 1") == [
          "1|Account|0|0", "2|Order|0|2", "3|Unit|0|0", "16001|CHANGE|0|3", "16002|TRANSACTION|0|1",
          "16003|TRANSACTIONSTRING|0|0",
        ])
    }
  }

  @Test("updates in history name the destination properties of a mapping model")
  func mappedHistory() throws {
    let store = try VersionedStore(
      [.entity("Person", [.optional("age", .integer16), .optional("first"), .optional("last"), .optional("note")])],
      [.entity("Account"), .entity("Person", [.optional("about"), .optional("age", .integer16), .optional("whole")])],
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFIRST) VALUES (1, 1, 1, 'a')", Self.history,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
      VALUES (1, 16001, 1, 1, 1, 1, 1, x'80'), (2, 16001, 1, 1, 1, 1, 1, x'40'), (3, 16001, 1, 1, 1, 1, 1, x'20'),
      (4, 16001, 1, 1, 1, 1, 1, x'F0'), (5, 16001, 1, 0, 1, 1, 1, NULL), (6, 16001, 1, 1, 1, 1, 1, x'FFFF'),
      (7, 16001, 1, 1, 1, 1, 1, x'')
      """)
    let whole = ValueExpression.conditional(
      .compare(.source("first"), .equal, .null), then: .source("last"), else: .source("first"))
    let mapping = MappingModel(
      entityMappings: [
        .map("Person", "Person", ["age": .source("age"), "about": .source("note"), "whole": whole])
      ])
    let after = try store.mapped(by: mapping)
    // The bits of about, age and whole.
    #expect(
      try after.rows("SELECT Z_PK, ZENTITY, ZCOLUMNS FROM ACHANGE ORDER BY 1") == [
        "1|2|x40", "2|2|x20", "3|2|x20", "4|2|xe0", "5|2|-", "6|2|xe0", "7|2|x00",
      ])
  }

  @Test("history of a removed entity is also deleted if the entity has no rows and nothing else changes rows")
  func historyAlone() throws {
    let store = try VersionedStore(
      [Self.order, .entity("Tag")], [Self.order], Self.orders, Self.history,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      VALUES (1, 16001, 1, 0, 1, 1, 1), (2, 16001, 1, 2, 2, 1, 1)
      """)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT Z_PK, ZENTITY FROM ACHANGE ORDER BY 1") == ["1|1"])
    }
  }

  private static let retyped = (
    [EntityDescription.entity("Order", [.optional("note"), .optional("size", .integer32)])],
    [EntityDescription.entity("Order", [.optional("note"), .optional("size", .double)])]
  )

  @Test("objects of the app on other tables still refer to the copied table")
  func dependants() throws {
    let store = try VersionedStore(
      Self.retyped.0, Self.retyped.1, Self.orders,
      """
      CREATE TABLE log (n); CREATE TABLE other (x, y REFERENCES ZORDER (Z_PK)); CREATE VIEW notes AS SELECT ZNOTE FROM ZORDER;
      CREATE TRIGGER counting AFTER INSERT ON other BEGIN INSERT INTO log SELECT COUNT(*) FROM ZORDER; END;
      CREATE INDEX byNote ON ZORDER (ZNOTE);
      """)
    for after in try store.migrated() {
      try after.execute("INSERT INTO other (x) VALUES (1)")
      #expect(try after.rows("SELECT n FROM log") == ["2"])
      #expect(try after.rows("SELECT * FROM notes ORDER BY 1") == ["a", "b"])
      #expect(try after.rows("SELECT name FROM sqlite_master WHERE sql LIKE '%modelctl%'") == [])
      #expect(try after.rows("SELECT tbl_name FROM sqlite_master WHERE name = 'byNote'") == ["ZORDER"])
    }
  }

  @Test("a column that the app made is copied with its values", arguments: MigrationStrategy.allCases)
  func extraColumn(strategy: MigrationStrategy) throws {
    let store = try VersionedStore(
      Self.retyped.0, Self.retyped.1, Self.orders,
      "ALTER TABLE ZORDER ADD COLUMN extra TEXT; UPDATE ZORDER SET extra = 'kept' || Z_PK")
    _ = try store.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
    #expect(try store.rows("SELECT Z_PK, extra, ZSIZE FROM ZORDER ORDER BY 1") == ["1|kept1|-", "2|kept2|-"])
    #expect(try store.wrongSchema(at: 1) == ["column ZORDER.extra is not part of the model"])
  }

  @Test("a row without an entity number blocks in a table of several entities", arguments: ["NULL", "'x'", "1.5"])
  func strayRow(number: String) throws {
    let gift = EntityDescription(name: "Gift", superentityName: "Order")
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")]), gift],
      [.entity("Order", [.required("note", default: .string("-"))]), gift],
      Self.orders, "UPDATE ZORDER SET Z_ENT = \(number) WHERE Z_PK = 2")
    let blockers = try store.blocked().blockers
    #expect(blockers.map(\.firstKeys) == [[2]])
    #expect(blockers.first?.blocker.reason == "rows of ZORDER have an entity number that no entity has")
  }

  @Test(
    "a row in a table of only one entity belongs to it with any number, and gets the right number",
    arguments: ["NULL", "'x'", "7"])
  func strayRowAlone(number: String) throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")])],
      [.entity("Account"), .entity("Order", [.required("note", default: .string("-"))])],
      Self.orders, "UPDATE ZORDER SET Z_ENT = \(number) WHERE Z_PK = 2")
    #expect(
      try store.problems(at: 0) == [
        "warning: Order: the entity number of rows is wrong; Core Data does not read it in a table of one entity "
          + "(1 row, Z_PK 2) [unknown-entity]"
      ])
    for strategy in MigrationStrategy.allCases {
      let after = try store.copy()
      let outcome = try after.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
      #expect(outcome.rows == ["Order": 2])
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNOTE FROM ZORDER ORDER BY 1") == ["1|2|a", "2|2|b"])
      #expect(try after.problems(at: 1) == [])
    }
  }

  @Test(
    "CloudKit's tables and unknown ones forbid new numbers, unless forced",
    arguments: ["ANSCKRECORDMETADATA", "AWHATEVER"])
  func numberedTables(table: String) throws {
    let store = try VersionedStore(
      [Self.order], [.entity("Account"), Self.order], Self.orders,
      "CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER ); INSERT INTO \(table) VALUES (1, 1)")
    let before = try store.files()
    let refusal: MigrationRefusal = table == "AWHATEVER" ? .unknownTables([table]) : .cloudKitTables([table])
    #expect(throws: refusal) { try store.migrator().migrate() }
    #expect(try store.files() == before)
    for after in try store.migrated(allowing: [], MigrationOptions(allowsCloudKit: true, allowsForeignReferences: true))
    {
      let expected = table == "AWHATEVER" ? "1" : "2"
      #expect(try after.rows("SELECT ZENTITYID FROM \(table)") == [expected])
    }
    let sameNumbers = try VersionedStore(
      [Self.order], [.entity("Order", [.optional("note"), .optional("more")])], Self.orders,
      "CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER )")
    _ = try sameNumbers.migrated()
  }

  @Test(
    "a cached model of the old version is removed; a store without the table gets no cached model",
    arguments: [true, false])
  func cachedModel(hasTable: Bool) throws {
    let store = try VersionedStore(
      [Self.order], [.entity("Order", [.optional("note"), .optional("more")])], Self.orders,
      hasTable ? "INSERT INTO Z_MODELCACHE VALUES (x'00')" : "DROP TABLE Z_MODELCACHE")
    for strategy in MigrationStrategy.allCases {
      let copy = try store.copy()
      _ = try copy.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
      let tables = try copy.rows("SELECT name FROM sqlite_master WHERE name = 'Z_MODELCACHE'")
      #expect(tables == (hasTable ? ["Z_MODELCACHE"] : []))
      if hasTable { #expect(try copy.rows("SELECT * FROM Z_MODELCACHE") == []) }
    }
  }

  @Test("tables, indexes and triggers of the app survive, and triggers do not run")
  func ofTheApp() throws {
    let store = try VersionedStore(
      [Self.order], [.entity("Order", [.required("note", default: .string("-")), .optional("more")])],
      Self.orders + ", (3, 1, 1, NULL)",
      """
      CREATE TABLE applog (text);
      CREATE INDEX byNoteOfApp ON ZORDER (ZNOTE DESC);
      CREATE TRIGGER ofApp AFTER UPDATE ON ZORDER BEGIN INSERT INTO applog VALUES (NEW.ZNOTE); END;
      """)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT COUNT(*) FROM applog") == ["0"])
      let names = try after.rows(
        "SELECT name FROM sqlite_master WHERE name LIKE '%ofapp' OR name = 'applog' ORDER BY 1")
      #expect(names == ["applog", "byNoteOfApp", "ofApp"])
      try after.execute("UPDATE ZORDER SET ZNOTE = 'c' WHERE Z_PK = 1")
      #expect(try after.rows("SELECT text FROM applog") == ["c"])
    }
  }

  @Test("an index on a table without a model is kept, and not reported as removed")
  func indexOfTheApp() throws {
    let store = try VersionedStore(
      [Self.order], [.entity("Order", [.optional("note"), .optional("more")])], Self.orders, Self.history,
      "CREATE TABLE applog (text)", "CREATE INDEX ofLog ON applog (text)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP)")
    for after in try store.migrated() {
      let names = try after.rows(
        "SELECT name FROM sqlite_master WHERE tbl_name IN ('applog', 'ATRANSACTION') AND type = 'index'")
      #expect(Set(names) == ["ofLog", "Z_TRANSACTION_TransactionTimestampIndex"])
    }
    #expect(try store.migrator().migrate().notes == [])
  }

  @Test("triggers of derived attributes and spatial indexes are made for the new model and work")
  func triggers() throws {
    func model(_ more: [AttributeDescription]) -> ManagedObjectModel {
      var place = EntityDescription.entity(
        "Place",
        [.required("latitude", .double), .required("longitude", .double)] + more
          + [.derived("visits", .integer64, "guests.@count")], [.toMany("guests", "Guest", inverse: "place")])
      place.fetchIndexes = [
        FetchIndexDescription(
          name: "byPlace",
          elements: ["latitude", "longitude"].map {
            FetchIndexDescription.Element(subject: .property($0), kind: .rTree)
          })
      ]
      return ManagedObjectModel(
        entities: [place, .entity("Guest", [], [.toOne("place", "Place", inverse: "guests")])]
          + (more.isEmpty ? [] : [.entity("Account")]))
    }
    let store = try VersionedStore([model([]), model([.optional("name")])], rows: 20)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT COUNT(*) FROM Z_RT_Place_byPlace") == ["20"])
      try after.execute("UPDATE ZGUEST SET ZPLACE = 1; UPDATE ZPLACE SET ZLATITUDE = 5 WHERE Z_PK = 2")
      #expect(try after.rows("SELECT ZVISITS FROM ZPLACE WHERE Z_PK = 1") == ["20"])
      #expect(try after.rows("SELECT ZLATITUDE_MIN FROM Z_RT_Place_byPlace WHERE Z_PK = 2") == ["5.0"])
    }
  }

  @Test("a store of a configuration gets the configuration's entities only")
  func configuration() throws {
    func model(_ name: AttributeDescription) -> ManagedObjectModel {
      ManagedObjectModel(
        entities: [.entity("Account", [name]), .entity("Order", [name])],
        configurations: [ModelConfiguration(name: "Local", entityNames: ["Order"])])
    }
    let (former, latter) = (model(.optional("note")), model(.optional("remark", was: "note")))
    let local = try #require(former.restricted(toConfiguration: "Local"))
    let store = try VersionedStore([local, latter], rows: 3)
    let versions = try [former, latter].enumerated().map {
      try LoadedVersion(bundle: "B", name: "v\($0.offset)", isCurrent: false, model: $0.element)
    }
    for strategy in MigrationStrategy.allCases {
      let copy = try store.copy()
      let request = MigrationRequest(
        path: copy.path, versions: versions, destination: versions[1], options: MigrationOptions(strategy: strategy),
        keepsBackup: false)
      _ = try StoreMigrator(request).migrate()
      #expect(try copy.rows("SELECT name FROM sqlite_master WHERE name = 'ZACCOUNT'") == [])
      #expect(try copy.rows("SELECT Z_PK, ZREMARK FROM ZORDER") == store.rows("SELECT Z_PK, ZNOTE FROM ZORDER"))
    }
  }

  @Test("the time that a migration takes does not hang on rows it does not touch")
  func untouched() throws {
    let store = try VersionedStore(
      [Self.order], [.entity("Order", [.optional("remark", was: "note"), .optional("more")])], Self.orders)
    let plan = try #require(try store.migrator().plan().prepared.stages.first?.plan)
    #expect(plan.touchedRows == 0)
    #expect(plan.strategy == .inPlace)
    #expect(plan.expectedRows == [:])
  }
}
