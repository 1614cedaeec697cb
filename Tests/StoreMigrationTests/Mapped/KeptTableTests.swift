import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Which tables a mapping model's migration leaves where they are.
struct KeptTableTests {
  private func store() throws -> VersionedStore {
    try VersionedStore(
      [
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
        .entity(
          "Order", [.optional("note"), .optional("street")],
          [
            .toOne("customer", "Customer", inverse: "orders"), .toMany("rows", "Row", inverse: "order"),
          ]),
        .entity("Row", [.optional("text")], [.toOne("order", "Order", inverse: "rows")]),
      ],
      [
        .entity("Address", [.optional("street")], [.toOne("order", "Order", inverse: "address")]),
        .entity("Customer", [.optional("title")], [.toMany("orders", "Order", inverse: "customer")]),
        .entity(
          "Order", [.optional("count", .integer32), .optional("note")],
          [
            .toOne("address", "Address", inverse: "order"), .toOne("customer", "Customer", inverse: "orders"),
            .toMany("rows", "Row", inverse: "order"),
          ]),
        .entity("Row", [.optional("text")], [.toOne("order", "Order", inverse: "rows")]),
      ],
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 7, 'Ada'), (5, 1, 1, 'Bob');
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZNOTE, ZSTREET)
      VALUES (2, 2, 3, 5, 'n', 'High'), (3, 2, 1, 9, NULL, NULL);
      INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZORDER, ZTEXT) VALUES (1, 3, 1, 2, 'a'), (2, 3, 1, 2, 'b'), (4, 3, 2, 8, 'c');
      """)
  }

  private let mapping = MappingModel(entityMappings: [
    .map(
      "Order", "Order", ["note": .source("note"), "count": .keyPath(["rows", "@count"], of: .variable("source"))],
      [
        "customer": .made(by: "CustomerToCustomer", of: .source("customer")),
        "address": .made(by: "OrderToAddress", of: .source()),
      ]),
    .map("Order", "Address", ["street": .source("street")]),
    .map("Customer", "Customer", ["title": .source("name")]),
    .map(
      "Row", "Row", ["text": .source("text")], ["order": .made(by: "OrderToOrder", of: .source("order"))]),
  ])

  @Test("rows that keep their keys are kept; only new data is written")
  func statements() throws {
    let plan = try store().copy().map(by: mapping)
    let statements = plan.steps.map(\.statement.rendered).filter {
      !$0.contains("Z_METADATA") && !$0.contains("Z_MODELCACHE") && !$0.contains("Z_PRIMARYKEY")
    }
    #expect(!statements.contains { $0.contains("modelctl_old") })
    #expect(statements.filter { $0.hasPrefix("INSERT") }.count == 1)
    #expect(statements.contains { $0.hasPrefix("INSERT INTO \"ZADDRESS\"") })
    #expect(statements.contains("ALTER TABLE \"ZORDER\" DROP COLUMN \"ZSTREET\""))
    #expect(statements.contains("ALTER TABLE \"ZCUSTOMER\" RENAME COLUMN \"modelctl_0\" TO \"ZTITLE\""))
    #expect(!statements.contains { $0.hasPrefix("CREATE INDEX ZORDER_ZCUSTOMER_INDEX") })
  }

  @Test("the result equals new objects, with dangling references emptied")
  func result() throws {
    let after = try store().mapped(by: mapping)
    #expect(try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZTITLE FROM ZCUSTOMER") == ["1|2|1|Ada", "5|2|1|Bob"])
    #expect(
      try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZADDRESS, ZCOUNT, ZNOTE FROM ZORDER") == [
        "2|3|1|5|2|2|n", "3|3|1|-|3|0|-",
      ])
    #expect(try after.rows("SELECT Z_PK, Z_ENT, ZORDER, ZSTREET FROM ZADDRESS") == ["2|1|2|High", "3|1|3|-"])
    #expect(
      try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZORDER, ZTEXT FROM ZROW") == ["1|4|1|2|a", "2|4|1|2|b", "4|4|1|-|c"])
  }

  @Test("a table whose name or column is respelled with similar characters is created again")
  func respelled() throws {
    let store = try VersionedStore(
      [.entity("Caf\u{E9}", [.optional("name")]), .entity("Row", [.optional("cafe\u{301}")])],
      [.entity("Cafe\u{301}", [.optional("name")]), .entity("Row", [.optional("caf\u{E9}")])],
      """
      INSERT INTO "ZCAF\u{C9}" (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a');
      INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, "ZCAFE\u{301}") VALUES (1, 2, 1, 'b');
      """)
    let mapping = MappingModel(entityMappings: [
      .map("Caf\u{E9}", "Cafe\u{301}", ["name": .source("name")]),
      .map("Row", "Row", ["caf\u{E9}": .source("cafe\u{301}")]),
    ])
    let after = try store.mapped(by: mapping)
    #expect(try after.rows("SELECT ZNAME FROM \"ZCAFE\u{301}\"") == ["a"])
    #expect(try after.rows("SELECT \"ZCAF\u{C9}\" FROM ZROW WHERE \"ZCAF\u{C9}\" IS NOT NULL") == ["b"])
    let names = try after.rows("SELECT hex(name) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'ZCAF%'")
    #expect(names == ["5A43414645CC81"])
  }

  @Test("a value of another row of the table is the old value, in any order of writing")
  func itself() throws {
    let store = try VersionedStore(
      [
        .entity(
          "Person", [.optional("level", .integer32)],
          [.toOne("manager", "Person", inverse: "reports"), .toMany("reports", "Person", inverse: "manager")])
      ],
      [
        .entity("Account"),
        .entity(
          "Person", [.optional("bossLevel", .integer32), .optional("rank", .integer32)],
          [.toOne("manager", "Person", inverse: "reports"), .toMany("reports", "Person", inverse: "manager")]),
      ],
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZMANAGER)
      VALUES (1, 1, 1, 10, NULL), (2, 1, 1, 20, 1), (3, 1, 1, 30, 2), (4, 1, 1, 40, 3)
      """)
    let mapping = MappingModel(entityMappings: [
      .map(
        "Person", "Person",
        [
          "rank": .source("level"),
          "bossLevel": .keyPath(["manager", "level"], of: .variable("source")),
        ], ["manager": .made(by: "PersonToPerson", of: .source("manager"))])
    ])
    let after = try store.mapped(by: mapping)
    #expect(
      try after.rows("SELECT Z_ENT, ZRANK, ZBOSSLEVEL FROM ZPERSON") == ["2|10|-", "2|20|10", "2|30|20", "2|40|30"])
  }

  @Test("a value of another row with a removed column is the old value")
  func itselfRemoved() throws {
    let store = try VersionedStore(
      [
        .entity(
          "Person", [.optional("level", .integer32)],
          [.toOne("manager", "Person", inverse: "reports"), .toMany("reports", "Person", inverse: "manager")])
      ],
      [
        .entity(
          "Person", [.optional("bossLevel", .integer32)],
          [.toOne("manager", "Person", inverse: "reports"), .toMany("reports", "Person", inverse: "manager")])
      ],
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZLEVEL, ZMANAGER)
      VALUES (1, 1, 1, 10, NULL), (2, 1, 1, 20, 1), (3, 1, 1, 30, 2), (4, 1, 1, 40, 3)
      """)
    let mapping = MappingModel(entityMappings: [
      .map(
        "Person", "Person", ["bossLevel": .keyPath(["manager", "level"], of: .variable("source"))],
        ["manager": .made(by: "PersonToPerson", of: .source("manager"))])
    ])
    let consent = MigrationOptions(allowedLosses: ["Person.level"])
    let plan = try store.copy().map(by: mapping, consent)
    #expect(plan.steps.contains { $0.statement.rendered.contains("ADD COLUMN \"ZBOSSLEVEL\"") })
    let after = try store.mapped(by: mapping, consent)
    #expect(try after.rows("SELECT ZBOSSLEVEL FROM ZPERSON") == ["-", "10", "20", "30"])
  }

  @Test("a view of the app is kept if a table loses a column and is created again")
  func view() throws {
    let store = try store()
    try store.execute("CREATE VIEW STREETS AS SELECT ZSTREET FROM ZORDER")
    let plan = try store.copy().map(by: mapping)
    #expect(plan.steps.contains { $0.statement.rendered.contains("modelctl_old_ZORDER") })
  }
}
