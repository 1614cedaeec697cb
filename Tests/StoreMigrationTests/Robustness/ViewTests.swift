import ModelDescription
import PersistentStores
import StoreMigration
import Testing

@Suite("Views that the app made itself")
struct ViewTests {
  private static let orders = """
    INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZSIZE) VALUES (1, 2, 1, 'a', 5), (2, 2, 1, 'b', NULL);
    INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ada');
    """

  private static func customer(_ attributes: AttributeDescription...) -> EntityDescription {
    .entity("Customer", attributes)
  }

  private static func order(_ attributes: AttributeDescription...) -> EntityDescription {
    .entity("Order", attributes)
  }

  private static let former = [
    customer(.optional("name")), order(.optional("note"), .optional("size", .integer32)),
  ]

  @Test("a view of a copied table is readable while a column of another table is renamed")
  func copiedBesideRenamed() throws {
    let store = try VersionedStore(
      Self.former, [Self.customer(.optional("title", was: "name")), Self.order(.optional("note"))], Self.orders,
      "CREATE VIEW notes AS SELECT Z_PK, ZNOTE FROM ZORDER; CREATE VIEW names AS SELECT ZNAME AS name FROM ZCUSTOMER")
    for after in try store.migrated(allowing: ["Order.size"]) {
      #expect(try after.rows("SELECT * FROM notes ORDER BY 1") == ["1|a", "2|b"])
      #expect(try after.rows("SELECT name FROM names") == ["Ada"])
    }
    let notes = try store.migrator(to: 1, MigrationOptions(allowedLosses: ["Order.size"])).migrate().notes
    #expect(
      notes.map(\.description) == [
        "view names, which the app created, uses a name that changes; SQLite rewrites the view"
      ])
  }

  @Test("also a view of a removed entity, which is then reported as unreadable")
  func removedBesideRenamed() throws {
    let store = try VersionedStore(
      Self.former, [Self.customer(.optional("title", was: "name"))], Self.orders,
      "CREATE VIEW notes AS SELECT ZNOTE FROM ZORDER")
    let outcome = try store.migrator(to: 1, MigrationOptions(allowedLosses: ["Order"])).migrate()
    #expect(
      outcome.notes.map(\.description) == [
        "view notes, which the app created, uses a name that changes or is removed, and can then not be read: "
          + "no such table: main.ZORDER"
      ])
    #expect(
      try store.problems(at: 1) == [
        "warning: view notes, which is not part of the model, cannot be read: no such table: main.ZORDER [schema]"
      ])
  }

  @Test("a table gets the name of a removed one, of which a view reads")
  func namePassedOn() throws {
    let store = try VersionedStore(
      Self.former, [.entity("Order", was: "Customer", [.optional("name")])], Self.orders,
      "CREATE VIEW sizes AS SELECT ZSIZE FROM ZORDER; CREATE VIEW keys AS SELECT Z_PK FROM ZORDER")
    let outcome = try store.migrator(to: 1, MigrationOptions(allowedLosses: ["Order"])).migrate()
    #expect(
      outcome.notes.map(\.description) == [
        "view sizes, which the app created, uses a name that changes or is removed, and can then not be read: "
          + "no such column: ZSIZE"
      ])
    #expect(try store.rows("SELECT * FROM keys") == ["1"])
  }

  @Test(
    "views and triggers follow a table that gets the name of a removed one, also in a row of names",
    arguments: [["Order"], ["Order", "Third"]])
  func passingOn(names: [String]) throws {
    let former = ["Customer"] + names
    let log = EntityDescription.entity("Log", [.optional("text")])
    let latter = zip(former, names).map { old, name in
      EntityDescription.entity(name, was: old, [.optional(old == "Customer" ? "name" : "note")])
    }
    let store = try VersionedStore(
      former.map { .entity($0, [.optional($0 == "Customer" ? "name" : "note")]) } + [log], latter + [log],
      "INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ada');",
      """
      CREATE VIEW names AS SELECT ZNAME FROM ZCUSTOMER;
      CREATE TRIGGER copying AFTER INSERT ON ZLOG BEGIN UPDATE ZCUSTOMER SET ZNAME = new.ZTEXT; END;
      """)
    for after in try store.migrated(allowing: [names.last ?? ""]) {
      #expect(try after.rows("SELECT * FROM names") == ["Ada"])
      try after.execute("INSERT INTO ZLOG (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 1, 1, 'Bob')")
      #expect(try after.rows("SELECT ZNAME FROM ZORDER") == ["Bob"])
    }
  }

  @Test("an unreadable view does not prevent a rename, and is unchanged")
  func brokenBefore() throws {
    let store = try VersionedStore(
      Self.former, [Self.customer(.optional("title", was: "name")), Self.former[1]], Self.orders,
      """
      CREATE VIEW names AS SELECT ZNAME FROM ZCUSTOMER; CREATE VIEW lost AS SELECT ZLOST FROM ZORDER;
      CREATE VIEW late AS SELECT * FROM lost; CREATE TABLE log (n);
      CREATE TRIGGER gone INSTEAD OF DELETE ON lost BEGIN INSERT INTO log VALUES (1); END;
      """)
    let schema = "SELECT type, name, sql FROM sqlite_master WHERE name IN ('lost', 'late', 'gone') ORDER BY 2"
    for after in try store.migrated() {
      #expect(try after.rows(schema) == store.rows(schema))
      #expect(try after.rows("SELECT ZTITLE FROM names") == ["Ada"])
    }
  }

  @Test("a view that a first stage leaves unreadable does not stop the second")
  func brokenOnTheWay() throws {
    let models = [
      Self.former, [Self.customer(.optional("name")), Self.order(.optional("remark", was: "note"))],
      [Self.customer(.optional("title", was: "name")), Self.order(.optional("remark"))],
    ].map { ManagedObjectModel(entities: $0) }
    let store = try VersionedStore(models)
    try store.execute(Self.orders + "CREATE VIEW notes AS SELECT ZNOTE AS note FROM ZORDER")
    try store.settlePrimaryKeys()
    _ = try store.migrator(to: 1, MigrationOptions(allowedLosses: ["Order.size"])).migrate()
    #expect(try store.problems(at: 1).count == 1)
    _ = try store.migrator(to: 2).migrate()
    #expect(try store.rows("SELECT ZTITLE FROM ZCUSTOMER") == ["Ada"])
  }

  @Test("triggers on the app's own tables are not reported as removed")
  func ownTriggers() throws {
    let store = try VersionedStore(
      Self.former, [Self.customer(.optional("title", was: "name")), Self.former[1]], Self.orders,
      """
      CREATE TABLE log (n); CREATE TRIGGER logging AFTER INSERT ON log BEGIN DELETE FROM log WHERE n < 0; END;
      CREATE VIEW notes AS SELECT ZNOTE FROM ZORDER;
      CREATE TRIGGER noting INSTEAD OF INSERT ON notes BEGIN INSERT INTO log VALUES (2); END;
      """)
    #expect(try store.migrator().migrate().notes == [])
    #expect(try store.rows("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'") == ["2"])
  }

  @Test("a function that only the app has is not an error of a view")
  func ownFunction() throws {
    let store = try VersionedStore(
      Self.former, [Self.customer(.optional("title", was: "name")), Self.former[1]], Self.orders,
      "CREATE VIEW names AS SELECT shout(ZNAME) AS name FROM ZCUSTOMER")
    #expect(try store.problems(at: 0) == [])
    for after in try store.migrated() {
      let sql = "CREATE VIEW names AS SELECT shout(\"ZTITLE\") AS name FROM ZCUSTOMER"
      #expect(try after.rows("SELECT sql FROM sqlite_master WHERE name = 'names'") == [sql])
    }
  }

  /// A name that the app took and the new model needs, and what is then said.
  static let taken: [(sql: String, refusal: MigrationRefusal)] = [
    ("ALTER TABLE ZORDER ADD COLUMN zKind TEXT", .nameTaken(table: "ZORDER", column: "zKind")),
    ("CREATE TABLE zTag (n)", .nameTaken(table: "zTag", column: nil)),
    ("CREATE VIEW ZTAG AS SELECT 1", .nameTaken(table: "ZTAG", column: nil)),
  ]

  @Test("a column or table of the app that has a name of the new model is refused", arguments: taken, [false, true])
  func nameTaken(_ taken: (sql: String, refusal: MigrationRefusal), isCopied: Bool) throws {
    let former = [AttributeDescription.optional("note")] + (isCopied ? [.optional("a"), .optional("b")] : [])
    let store = try VersionedStore(
      [.entity("Order", former)], [.entity("Order", [.optional("note"), .optional("kind")]), .entity("Tag")], taken.sql)
    let before = try store.files()
    #expect(throws: taken.refusal) { try store.migrator().migrate() }
    #expect(try store.files() == before)
  }
}
