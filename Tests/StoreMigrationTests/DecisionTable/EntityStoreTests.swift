import MappingModels
import ModelDescription
import StoreMigration
import Testing

@Suite("Decision table on stores: entities (rows 1–4, 39–44)")
struct EntityStoreTests {
  private let numbers = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"

  @Test("row 1: an entity is added: its table is empty and the others are renumbered everywhere")
  func row01() throws {
    let order = EntityDescription.entity(
      "Order", [.optional("note")],
      [.toMany("tags", "Tag", inverse: "orders"), .toOne("holder", "Person", inverse: nil)])
    let tag = EntityDescription.entity("Tag", [], [.toMany("orders", "Order", inverse: "tags")])
    let people: [EntityDescription] = [.entity("Person"), .entity("Boss", under: "Person")]
    let store = try VersionedStore(
      [order, tag] + people, [.entity("Customer"), order, tag] + people,
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZHOLDER, Z2_HOLDER) VALUES (4, 1, 7, 'a', 1, 3), (5, 1, 8, 'b', 2, 2);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 2, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
      INSERT INTO Z_1TAGS (Z_1ORDERS, Z_4TAGS) VALUES (5, 1);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Order';
      """)
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Order'")
    for after in try store.migrated() {
      #expect(try after.rows(numbers) == ["1|Customer|0|0", "2|Order|0|9", "3|Person|0|2", "4|Boss|3|0", "5|Tag|0|1"])
      #expect(
        try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNOTE, ZHOLDER, Z3_HOLDER FROM ZORDER")
          == ["4|2|7|a|1|4", "5|2|8|b|2|3"])
      #expect(try after.rows("SELECT Z_2ORDERS, Z_5TAGS FROM Z_2TAGS") == ["5|1"])
      #expect(try after.rows("SELECT Z_PK, Z_ENT FROM ZPERSON ORDER BY 1") == ["1|4", "2|3"])
    }
  }

  @Test("row 2: a sub-entity without properties of its own is removed with its rows, though no table changes")
  func row02WithoutColumns() throws {
    let store = try VersionedStore(
      [.entity("Animal", [.optional("name")]), .entity("Zebra", under: "Animal")],
      [.entity("Animal", [.optional("name")])],
      "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b');")
    for after in try store.migrated(allowing: ["Zebra"]) {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZANIMAL") == ["1|1|a"])
    }
  }

  @Test("row 2: an entity is removed with consent: references to it are emptied, links to it removed")
  func row02() throws {
    let boss = EntityDescription.entity("Boss", under: "Person")
    func order(_ more: [RelationshipDescription] = []) -> EntityDescription {
      .entity("Order", [.optional("note")], [.toOne("holder", "Person", inverse: nil)] + more)
    }
    let store = try VersionedStore(
      [
        .entity("Person", [], [.toMany("orders", "Tag", inverse: "people")]), boss, order(),
        .entity("Tag", [], [.toMany("people", "Person", inverse: "orders")]),
        .entity("Customer", [], [.toMany("all", "Order", inverse: nil)]),
      ],
      [
        .entity("Person", [], [.toMany("orders", "Tag", inverse: "people")]), order(),
        .entity("Tag", [], [.toMany("people", "Person", inverse: "orders")]),
      ],
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZHOLDER, Z3_HOLDER, Z1ALL) VALUES (1, 2, 1, 'a', 1, 4, 1),
      (2, 2, 1, 'b', 2, 3, NULL);
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1), (2, 3, 1);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1);
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
      INSERT INTO Z_3ORDERS (Z_3PEOPLE, Z_5ORDERS) VALUES (1, 1), (2, 1);
      """)
    #expect(try store.unconsented() == ["Customer: 1", "Boss: 1"])
    for after in try store.migrated(allowing: ["Customer", "Boss"]) {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNOTE, ZHOLDER FROM ZORDER") == ["1|1|a|-", "2|1|b|2"])
      #expect(try after.rows("SELECT * FROM Z_2ORDERS") == ["2|1"])
      #expect(try after.rows(numbers) == ["1|Order|0|2", "2|Person|0|2", "3|Tag|0|1"])
    }
  }

  @Test("row 2: beside an emptied reference its entity number and its order are emptied too")
  func row02Companion() throws {
    func model(_ more: [EntityDescription]) -> [EntityDescription] {
      [
        .entity("Clerk", under: "Person"), .entity("Order", [], [.toOne("holder", "Person", inverse: "orders")]),
        .entity("Person", [], [.toMany("orders", "Order", inverse: "holder", ordered: true)]),
      ] + more
    }
    let store = try VersionedStore(
      model([.entity("Boss", under: "Person")]), model([]),
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 4, 1);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZHOLDER, Z2_HOLDER, Z_FOK_HOLDER) VALUES (1, 1, 1, 1, 3, 5), (2, 1, 1, 2, 4, 6);
      """)
    for after in try store.migrated(allowing: ["Boss"]) {
      #expect(
        try after.rows("SELECT ZHOLDER, Z2_HOLDER, Z_FOK_HOLDER FROM ZORDER ORDER BY Z_PK") == ["-|-|-", "2|3|6"])
    }
  }

  @Test("row 3: an entity is renamed by its identifier, also two that exchange their names")
  func row03() throws {
    let store = try VersionedStore(
      [.entity("Customer", [.optional("name")]), .entity("Order", [], [.toOne("customer", "Customer", inverse: nil)])],
      [
        .entity("Zulu", was: "Customer", [.optional("name")]),
        .entity("Order", [], [.toOne("customer", "Zulu", inverse: nil)]),
      ],
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 1, 1, 'c');
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER) VALUES (1, 2, 1, 3);
      """)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZZULU") == ["3|2|c"])
      #expect(try after.rows("SELECT Z_ENT, ZCUSTOMER FROM ZORDER") == ["1|3"])
    }
    let swapped = try VersionedStore(
      [
        .entity("A", [.optional("x")], [.toMany("all", "B", inverse: "all")]),
        .entity("B", [.optional("y")], [.toMany("all", "A", inverse: "all")]),
      ],
      [
        .entity("A", was: "B", [.optional("y")], [.toMany("all", "B", inverse: "all")]),
        .entity("B", was: "A", [.optional("x")], [.toMany("all", "A", inverse: "all")]),
      ],
      """
      INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'was a');
      INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZY) VALUES (2, 2, 1, 'was b');
      INSERT INTO Z_1ALL (Z_1ALL, Z_2ALL) VALUES (1, 2);
      """)
    for after in try swapped.migrated() {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZY FROM ZA") == ["2|1|was b"])
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZX FROM ZB") == ["1|2|was a"])
      #expect(try after.rows("SELECT Z_1ALL, Z_2ALL FROM Z_1ALL") == ["2|1"])
    }
  }

  @Test("row 4: an entity is renamed without an identifier: lost with consent")
  func row04() throws {
    let store = try VersionedStore(
      [.entity("Customer", [.optional("name")])], [.entity("Client", [.optional("name")])],
      "INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'c')")
    #expect(try store.unconsented() == ["Customer: 1"])
    for after in try store.migrated(allowing: ["Customer"]) {
      #expect(try after.rows("SELECT COUNT(*) FROM ZCLIENT") == ["0"])
      #expect(try after.rows("SELECT name FROM sqlite_master WHERE name = 'ZCUSTOMER'") == [])
    }
  }

  @Test("row 39: an abstract parent over one former root; properties move up and down")
  func row39() throws {
    let pet = EntityDescription.entity("Pet", [], [.toOne("owner", "Employee", inverse: nil)])
    let flat: [EntityDescription] = [.entity("Employee", [.optional("badge"), .optional("name")]), pet]
    let tree: [EntityDescription] = [
      .entity("Employee", under: "Person", [.optional("badge")]),
      .entity("Person", abstract: true, [.optional("name")]), pet,
    ]
    let store = try VersionedStore(
      flat, tree,
      """
      INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZBADGE, ZNAME) VALUES (1, 1, 2, '007', 'James');
      INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZOWNER) VALUES (1, 2, 1, 1);
      """)
    for after in try store.migrated() {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZBADGE, ZNAME FROM ZPERSON") == ["1|2|2|007|James"])
      #expect(try after.rows(numbers) == ["1|Person|0|1", "2|Employee|1|0", "3|Pet|0|1"])
    }
    var down = tree
    down[0].attributes.append(.optional("name"))
    down[1].attributes = []
    let lower = try VersionedStore(
      tree, down, "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZBADGE, ZNAME) VALUES (1, 2, 2, '007', 'James')")
    for after in try lower.migrated() {
      #expect(try after.rows("SELECT ZBADGE, ZNAME FROM ZPERSON") == ["007|James"])
    }
  }

  @Test("row 40: an entity moves out of a hierarchy with its values; companion columns are removed")
  func row40() throws {
    let pet = EntityDescription.entity("Pet", [], [.toOne("owner", "Employee", inverse: nil)])
    let store = try VersionedStore(
      [
        .entity("Person", [.optional("name")]), .entity("Employee", under: "Person"),
        .entity("Boss", under: "Employee"), pet,
      ],
      [.entity("Person", [.optional("name")]), .entity("Employee", [.optional("name")]), .entity("Boss"), pet],
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'p'), (2, 2, 1, 'e'), (3, 3, 1, 'b');
      INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZOWNER, Z2_OWNER) VALUES (1, 4, 1, 2, 2), (2, 4, 1, 3, 3);
      """)
    #expect(try store.unconsented() == ["Boss.name: 1", "Pet.owner: 1"])
    for after in try store.migrated(allowing: ["Boss.name", "Pet.owner"]) {
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZPERSON") == ["1|3|p"])
      #expect(try after.rows("SELECT Z_PK, Z_ENT, ZNAME FROM ZEMPLOYEE") == ["2|2|e"])
      #expect(try after.rows("SELECT Z_PK, Z_ENT FROM ZBOSS") == ["3|1"])
      #expect(try after.rows("SELECT Z_PK, ZOWNER FROM ZPET ORDER BY 1") == ["1|2", "2|-"])
      #expect(try after.rows(numbers) == ["1|Boss|0|3", "2|Employee|0|3", "3|Person|0|3", "4|Pet|0|2"])
    }
  }

  @Test("row 40: where the former table's number is below its keys, the new tables' numbers are not")
  func row40LowMaximum() throws {
    let store = try VersionedStore(
      [.entity("Person", [.optional("name")]), .entity("Employee", under: "Person")],
      [.entity("Person", [.optional("name")]), .entity("Employee", [.optional("name")])],
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'p'), (8, 2, 1, 'e');")
    try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5")
    for after in try store.migrated() {
      #expect(try after.rows(numbers) == ["1|Employee|0|8", "2|Person|0|8"])
    }
  }

  @Test("a highest key below the keys in use, or none, is raised, so that Core Data gives none out twice")
  func lowMaximum() throws {
    for maximum in ["3", "NULL", "'many'"] {
      let store = try VersionedStore(
        [.entity("Empty"), .entity("Person")], [.entity("Empty"), .entity("Person", [.optional("name")])],
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (8, 2, 1);")
      try store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(maximum) WHERE Z_NAME = 'Person'")
      for after in try store.migrated() {
        #expect(try after.rows(numbers) == ["1|Empty|0|0", "2|Person|0|8"])
      }
    }
  }

  @Test("row 40: objects that an owner outside the hierarchy no longer owns are unlinked")
  func row40Owner() throws {
    let item = EntityDescription.entity("Item", [.optional("name")])
    let list = EntityDescription.entity("List", [], [.toMany("items", "Item", inverse: nil)])
    let store = try VersionedStore(
      [list, .entity("Special", under: "List"), item], [list, .entity("Special"), item],
      """
      INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 3, 1);
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, Z2ITEMS) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2);
      """)
    #expect(try store.unconsented().count == 1)
    for after in try store.migrated(allowing: ["Special.items"]) {
      #expect(try after.rows("SELECT Z_PK, Z2ITEMS FROM ZITEM ORDER BY 1") == ["1|1", "2|-"])
    }
  }

  @Test("row 41: two former roots under one parent are refused")
  func row41() throws {
    let store = try VersionedStore(
      [.entity("Cat"), .entity("Dog")],
      [.entity("Animal", abstract: true), .entity("Cat", under: "Animal"), .entity("Dog", under: "Animal")])
    let before = try store.files()
    let failure = #expect(throws: InferenceRefusal.self) { try store.migrator().migrate() }
    #expect(failure?.code?.rawValue == 134110)
    #expect(
      failure?.reason == "Cannot merge multiple root entity source tables into one destination entity root table")
    #expect(try store.files() == before)
  }

  @Test("row 42: an entity with rows of its own does not become abstract")
  func row42() throws {
    let child = EntityDescription.entity("Special", under: "Order")
    let store = try VersionedStore(
      [.entity("Order"), child], [.entity("Order", abstract: true), child],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 1, 1)")
    #expect(try store.refusals() == ["Order 134110 1 [2] -"])
    try store.execute("DELETE FROM ZORDER WHERE Z_PK = 2")
    for after in try store.migrated() { #expect(try after.rows("SELECT Z_PK, Z_ENT FROM ZORDER") == ["1|2"]) }
  }

  @Test("row 43: a uniqueness constraint is added: refused for equal values, or one row of each is kept")
  func row43() throws {
    let line = EntityDescription.entity(
      "Line", [], [.toOne("order", "Order", inverse: "lines"), .toOne("any", "Order", inverse: nil)])
    func order(_ constraints: [[String]]) -> [EntityDescription] {
      let links: [RelationshipDescription] = [
        .toMany("lines", "Line", inverse: "order"), .toMany("tags", "Tag", inverse: "orders"),
        .toOne("card", "Card", inverse: "order"),
      ]
      return [
        .entity("Order", [.optional("note")], links, unique: constraints), .entity("Special", under: "Order"), line,
        .entity("Tag", [], [.toMany("orders", "Order", inverse: "tags")]),
        .entity("Card", [], [.toOne("order", "Order", inverse: "card")]),
      ]
    }
    let store = try VersionedStore(
      order([]), order([["note"]]),
      """
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE, ZCARD) VALUES (1, 3, 1, 'a', 1), (2, 4, 1, 'a', 2), (3, 3, 1, 'b', NULL),
      (4, 3, 1, NULL, NULL), (5, 3, 1, NULL, NULL);
      INSERT INTO ZLINE (Z_PK, Z_ENT, Z_OPT, ZORDER, Z3_ORDER, ZANY, Z3_ANY) VALUES (1, 2, 1, 1, 3, 2, 4), (2, 2, 1, 2, 4, 1, 3);
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1), (2, 5, 1);
      INSERT INTO ZCARD (Z_PK, Z_ENT, Z_OPT, ZORDER, Z3_ORDER) VALUES (1, 1, 1, 1, 3), (2, 1, 1, 2, 4);
      INSERT INTO Z_3TAGS (Z_3ORDERS, Z_5TAGS) VALUES (1, 1), (2, 1), (1, 2);
      """)
    #expect(try store.refusals() == ["Order 134111 2 [1,2] --dedupe Order=keep-newest"])
    for (policy, kept, number) in [
      (MigrationOptions.DuplicatePolicy.keepNewest, 2, 4), (.keepOldest, 1, 3),
    ] {
      for after in try store.migrated(allowing: [], MigrationOptions(duplicatePolicies: ["Order": policy])) {
        #expect(try after.rows("SELECT Z_PK FROM ZORDER ORDER BY 1") == ["\(kept)", "3", "4", "5"])
        #expect(
          try after.rows("SELECT ZORDER, Z3_ORDER, ZANY, Z3_ANY FROM ZLINE")
            == Array(repeating: "\(kept)|\(number)|\(kept)|\(number)", count: 2))
        #expect(try after.rows("SELECT Z_3ORDERS, Z_5TAGS FROM Z_3TAGS ORDER BY 2") == ["\(kept)|1", "\(kept)|2"])
        #expect(
          try after.rows("SELECT Z_PK, ZORDER, Z3_ORDER FROM ZCARD ORDER BY ZORDER IS NULL")
            == ["\(kept)|\(kept)|\(number)", "\(3 - kept)|-|-"])
      }
    }
  }

  @Test("row 44: a uniqueness constraint is removed, also from CREATE TABLE", arguments: [false, true])
  func row44(isInline: Bool) throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")], unique: [["note"]])], [.entity("Order", [.optional("note")])])
    if isInline {
      try store.execute(
        """
        DROP TABLE ZORDER;
        CREATE TABLE ZORDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE VARCHAR UNIQUE );
        """)
    }
    try store.execute("INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (1, 1, 1, 'a')")
    try store.settlePrimaryKeys()
    for after in try store.migrated() {
      try after.execute("INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNOTE) VALUES (2, 1, 1, 'a')")
      #expect(try after.rows("SELECT ZNOTE FROM ZORDER") == ["a", "a"])
    }
  }
}
