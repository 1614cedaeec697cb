import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

struct MappedSizeTests {
  @Test(
    "a million rows with a split and a computed attribute need little memory",
    .enabled(if: ProcessInfo.processInfo.environment["MODELCTL_LARGE"] != nil))
  func size() throws {
    let count = Int(ProcessInfo.processInfo.environment["MODELCTL_LARGE"] ?? "") ?? 1_000_000
    let store = try VersionedStore(
      [
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
        .entity(
          "Order", [.optional("street"), .optional("price", .double), .optional("count", .integer32)],
          [.toOne("customer", "Customer", inverse: "orders")]),
      ],
      [
        .entity("Address", [.optional("street")], [.toOne("order", "Order", inverse: "address")]),
        .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
        .entity(
          "Order", [.optional("total", .double)],
          [.toOne("customer", "Customer", inverse: "orders"), .toOne("address", "Address", inverse: "order")]),
      ],
      """
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count / 10))
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 1, 1, 'customer ' || i FROM n;
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZCOUNT, ZPRICE, ZSTREET)
      SELECT i, 2, 1, i % \(count / 10) + 1, i % 7, i * 0.5, 'street ' || i FROM n;
      """)
    let mapping = CustomMappingModel(entityMappings: [
      .map(
        "Order", "Order", ["total": .function("multiply:by:", [.source("price"), .source("count")])],
        [
          "customer": .made(by: "CustomerToCustomer", of: .source("customer")),
          "address": .made(by: "OrderToAddress", of: .source()),
        ]),
      .map("Order", "Address", filter: .compare(.source("street"), .notEqual, .null), ["street": .source("street")]),
      .map(
        "Customer", "Customer", ["name": .source("name")],
        ["orders": .made(by: "OrderToOrder", of: .source("orders"))]),
    ])
    let before = peak()
    let start = Date()
    let plan = try store.map(by: mapping)
    print("seconds", Date().timeIntervalSince(start), "peak before", before, "after", peak())
    for step in plan.steps { print(step.statement.rendered.prefix(300)) }
    #expect(try store.problems(at: 1) == [])
  }
  private func peak() -> String {
    (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n").first {
      $0.hasPrefix("VmHWM")
    }.map(String.init) ?? ""
  }
}
