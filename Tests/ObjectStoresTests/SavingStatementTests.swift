import GRDB
import ModelDescription
import StoreRows
import TestSupport
import Testing

@testable import ObjectStores

@Suite("The number of statements that a save reads with")
struct SavingStatementTests {
  private final class Counter {
    var count = 0
  }

  let shop: ShopStore

  init() throws { shop = try ShopStore() }

  /// How many statements a save reads with; those that write are as many as rows.
  private func questions(_ body: (StoreTransaction) throws -> Void) throws -> Int {
    let counter = Counter()
    shop.store.connection.writeWithoutTransaction { database in
      database.trace { event in
        if "\(event)".hasPrefix("SELECT") { counter.count += 1 }
      }
    }
    try shop.store.write(body)
    shop.store.connection.writeWithoutTransaction { $0.trace(options: []) }
    return counter.count
  }

  /// Orders of a new customer, with two items each.
  private func orders(_ count: Int) throws -> [RecordID] {
    let customer = try shop.customer()
    return try shop.store.write { transaction in
      try (0..<count).map { _ in
        let items = try (0..<2).map { _ in try transaction.insert("Item") }
        return try transaction.insert("Order", ["customer": .object(customer), "items": .objects(items)])
      }
    }
  }

  @Test("A delete uses the same number of statements for one linked object and for hundreds")
  func deletes() throws {
    let (one, many) = (try orders(1), try orders(500))
    let first = try questions { transaction in for id in one { try transaction.delete(id) } }
    let second = try questions { transaction in for id in many { try transaction.delete(id) } }
    #expect(first == second && first > 0)
    #expect(try shop.rows("SELECT * FROM ZORDER").isEmpty && shop.rows("SELECT * FROM ZTHING").isEmpty)
  }
}
