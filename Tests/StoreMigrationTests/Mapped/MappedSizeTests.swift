import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// A mapping model over as many rows as an environment variable says.
struct MappedSizeTests {
  @Test(
    "a million rows with a split and a computed attribute need little memory",
    .enabled(
      if: ProcessInfo.processInfo.environment["MODELCTL_MAPPED_ROWS"] != nil,
      "MODELCTL_MAPPED_ROWS names the number of rows"))
  func size() throws {
    let count = Int(ProcessInfo.processInfo.environment["MODELCTL_MAPPED_ROWS"] ?? "") ?? 1_000_000
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
    let mapping = MappingModel(entityMappings: [
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
    for isCoded in [false, true] {
      let copy = try store.copy()
      var mapping = mapping
      if isCoded { mapping.entityMappings[0].policyClassName = "Default" }
      var policies = PolicyRegistry()
      policies.register("Default") { Default() }
      let (before, start) = (peak(), Date())
      try copy.map(by: mapping, policies: policies)
      let seconds = Date().timeIntervalSince(start)
      print(
        "\(count) rows \(isCoded ? "through a policy" : "by SQL"): \(seconds) s, peak before \(before), after \(peak()) KiB"
      )
      #expect(peak() - before < 64 * 1024)
      #expect(try copy.problems(at: 1) == [])
    }
  }

  private final class Default: EntityMigrationPolicy {}

  /// The most memory the process ever had, in KiB; 0 where the system does not tell.
  private func peak() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
