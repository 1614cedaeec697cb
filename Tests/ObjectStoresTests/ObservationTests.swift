import Foundation
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("Observing a store", .timeLimit(.minutes(60)))
struct ObservationTests {
  let shop: ShopStore

  init() throws { shop = try ShopStore() }

  private func names(_ records: [ObjectRecord]) -> [String] {
    records.compactMap { record in
      guard case .attribute(.string(let name)) = record["name"] else { return nil }
      return name
    }
  }

  @Test("The objects are delivered immediately, and after each save that changed them")
  func results() async throws {
    var request = try RecordRequest("Customer", where: "isVip == YES")
    request.sort = [RecordSort("name")]
    var found = shop.store.observe(request).makeAsyncIterator()
    #expect(try await found.next().map(names) == [])
    let anna = try shop.customer("Anna", ["isVip": .attribute(.boolean(true))])
    #expect(try await found.next().map(names) == ["Anna"])
    // What does not belong to the result is no news.
    try shop.customer("Bert")
    let other = try shop.another()
    let cora = try await other.write {
      try $0.insert("Customer", ["name": .text("Cora"), "isVip": .attribute(.boolean(true))])
    }
    #expect(try await found.next().map(names) == ["Anna", "Cora"])
    try await other.write { try $0.update(cora, ["name": .text("Doro")]) }
    #expect(try await found.next().map(names) == ["Anna", "Doro"])
    try await shop.store.write { try $0.delete(anna) }
    #expect(try await found.next().map(names) == ["Doro"])
  }

  @Test("A condition on a related object, and a value that is derived from one, are observed too")
  func related() async throws {
    let anna = try shop.customer()
    let order = try await shop.store.write { try $0.insert("Order", ["customer": .object(anna)]) }
    let condition = try RecordRequest("Order", where: "customer.name == 'Emma'")
    var found = shop.store.observe(condition).makeAsyncIterator()
    var derived = shop.store.observe(RecordRequest("Order")).makeAsyncIterator()
    #expect(try await found.next()?.count == 0)
    #expect(try await derived.next()?.map { $0["customerName"] } == [.text("Anna")])
    try await shop.store.write { try $0.update(anna, ["name": .text("Emma")]) }
    #expect(try await found.next()?.map(\.id) == [order])
    #expect(try await derived.next()?.map { $0["customerName"] } == [.text("Emma")])
  }

  @Test("Saves name their objects, including objects of delete rules")
  func saves() async throws {
    var saves = shop.store.saves.makeAsyncIterator()
    let anna = try shop.customer()
    let inserted = await saves.next()
    #expect(inserted?.inserted == [anna] && inserted?.updated == [] && inserted?.deleted == [])
    let (order, item) = try await shop.store.write { transaction in
      let item = try transaction.insert("Item")
      return (try transaction.insert("Order", ["customer": .object(anna), "items": .objects([item])]), item)
    }
    #expect(await saves.next()?.updated == [anna])
    // A save that changes nothing, and one that fails, are none.
    try await shop.store.write { try $0.update(anna, ["name": .text("Anna")]) }
    _ = try shop.problems { try $0.delete(anna) }
    try await shop.store.write { try $0.delete(order) }
    let deleted = await saves.next()
    #expect(deleted?.deleted == [item, order] && deleted?.updated == [anna])
  }

  @Test("Saves name the numbers of which the store keeps fewer digits")
  func rounded() async throws {
    let model = ManagedObjectModel { Entity("Account") { Attribute("balance", .decimal).optional() } }
    let folder = try TemporaryFolder()
    let store = try await ObjectStore.open(folder.path("a.sqlite"), model: model)
    var saves = store.saves.makeAsyncIterator()
    let numbers = try ["1.5", "123456789.123456789012"].map { try #require(Decimal(string: $0)) }
    let ids = try await store.write { transaction in
      try numbers.map { try transaction.insert("Account", ["balance": .attribute(.decimal($0))]) }
    }
    let rounded = await saves.next()?.rounded ?? []
    #expect(rounded.map(\.object) == [ids[1]] && rounded.map(\.number) == [numbers[1]], "\(rounded)")
    #expect(rounded.map(\.path) == [["balance"]])
  }

  @Test("A store that another one took the place of ends the observation with the reason")
  func replaced() async throws {
    var found = shop.store.observe(RecordRequest("Customer")).makeAsyncIterator()
    #expect(try await found.next()?.count == 0)
    let other = try ShopStore()
    try other.store.close()
    try FileManager.default.removeItem(atPath: shop.path)
    try FileManager.default.moveItem(atPath: other.path, toPath: shop.path)
    await #expect(throws: ObjectStoreError.replaced(path: shop.path)) { try await found.next() }
  }

  @Test("A request that is none ends with its mistake; who leaves the loop ends the observation")
  func ends() async throws {
    var wrong = shop.store.observe(RecordRequest("Costumer")).makeAsyncIterator()
    await #expect(throws: RecordRequestError.self) { try await wrong.next() }
    for try await records in shop.store.observe(RecordRequest("Customer")) {
      #expect(records.isEmpty)
      break
    }
    try shop.store.close()
  }
}
