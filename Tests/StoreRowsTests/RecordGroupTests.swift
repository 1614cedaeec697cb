import Foundation
import GRDB
import MappingModels
import ModelDescription
import StoreRows
import Testing

@Suite("Values made of many objects")
struct RecordGroupTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  private func value(
    _ aggregate: RecordAggregate, of entity: String, where text: String? = nil
  ) throws -> RecordValue {
    try store.read { try $0.aggregate(aggregate, of: RecordRequest(entity, where: text)) }
  }

  private func groups(
    _ aggregates: [RecordAggregate], by keyPaths: [String], of request: RecordRequest
  ) throws -> [[RecordValue]] {
    try store.read { try $0.groups(aggregates, by: keyPaths, of: request) }.map { $0.keys + $0.values }
  }

  @Test("An aggregate is one value of all objects, and missing values do not count")
  func whole() throws {
    #expect(try value(.count, of: "Item") == 4 && value(.count("price"), of: "Item") == 3)
    #expect(try value(.sum("price"), of: "Item") == 5.5)
    #expect(try value(.average("price"), of: "Item") == .attribute(.double(5.5 / 3)))
    #expect(try value(.minimum("title"), of: "Item") == "ink" && value(.maximum("title"), of: "Item") == "pen")
    #expect(try value(.sum("score"), of: "Customer") == 0 && value(.sum("isVip"), of: "Customer") == 1)
    #expect(try value(.sum("balance"), of: "Customer") == .attribute(.decimal(Decimal(925) / 100)))
    #expect(try value(.average("balance"), of: "Customer") == .attribute(.decimal(Decimal(4625) / 1000)))
    #expect(try value(.maximum("since"), of: "Customer") == .attribute(.date(86400.5)))
    #expect(try value(.minimum("isVip"), of: "Customer") == false)
    #expect(try value(.sum("order.number"), of: "Item") == 40)
    #expect(try value(.maximum("items.@sum.price"), of: "Order") == 4.0)
  }

  @Test("A condition chooses the objects, and of none there is a sum and no average")
  func none() throws {
    #expect(try value(.sum("price"), of: "Item", where: "title == 'pen'") == 1.5)
    #expect(try value(.count, of: "Gift") == 1)
    #expect(try value(.sum("price"), of: "Item", where: "title == 'x'") == 0.0)
    #expect(try value(.sum("number"), of: "Order", where: "number > 99") == 0)
    #expect(try value(.average("price"), of: "Item", where: "title == 'x'") == nil)
    #expect(try value(.minimum("title"), of: "Item", where: "title == 'x'") == nil)
    var request = RecordRequest("Item")
    request.includesSubentities = false
    #expect(try store.read { try $0.aggregate(.count, of: request) } == 3)
  }

  @Test("A sum or an average that is not a number is missing, and not 0")
  func noNumber() throws {
    try store.execute("UPDATE ZITEM SET ZPRICE = 9e999 WHERE Z_PK = 1; UPDATE ZITEM SET ZPRICE = -9e999 WHERE Z_PK = 2")
    #expect(try value(.sum("price"), of: "Item") == nil && value(.average("price"), of: "Item") == nil)
    #expect(try value(.sum("price"), of: "Item", where: "title == 'pen'") == .attribute(.double(.infinity)))
    #expect(try store.keys(RecordRequest("Order", where: "items.@sum.price == nil")) == [1])
    #expect(try store.keys(RecordRequest("Order", where: "items.@avg.price == nil")) == [1])
    #expect(try store.keys(RecordRequest("Order", where: "items.@sum.price == 0")) == [2, 3])
    try store.execute("UPDATE ZCUSTOMER SET ZBALANCE = 9e999 * ZSCORE")
    #expect(try value(.sum("balance"), of: "Customer") == nil)
    #expect(try value(.sum("balance"), of: "Customer", where: "score == nil") == .attribute(.decimal(0)))
    #expect(try store.keys(RecordRequest("Item", where: "fans.@sum.balance == nil")) == [3])
  }

  @Test("Groups have common values, also of related objects, and are sorted")
  func grouped() throws {
    let (one, two) = (
      RecordValue.object(RecordID(entity: "Order", key: 1)), RecordValue.object(RecordID(entity: "Order", key: 2))
    )
    #expect(
      try groups([.count, .sum("price")], by: ["order"], of: RecordRequest("Item"))
        == [[nil, 1, 1.5], [one, 2, 4.0], [two, 1, 0.0]])
    #expect(
      try groups([.count], by: ["title", "order.number"], of: RecordRequest("Item"))
        == [[nil, nil, 1], ["ink", 10, 1], ["pen", 10, 1], ["pen", 20, 1]])
    #expect(
      try groups([.count], by: ["order.customer.name"], of: RecordRequest("Item", where: "order != nil"))
        == [["Émile", 3]])
    #expect(try groups([.count], by: ["orders.@count"], of: RecordRequest("Customer")) == [[0, 2], [2, 1]])
    #expect(
      try groups([.minimum("number")], by: ["best"], of: RecordRequest("Order"))
        == [
          [nil, 20], [.object(RecordID(entity: "Item", key: 1)), 0], [.object(RecordID(entity: "Gift", key: 3)), 10],
        ])
    #expect(
      try groups([.count], by: ["address.street"], of: RecordRequest("Customer")) == [[nil, 2], ["Rue 1", 1]])
  }

  @Test("A limit and an offset cut the groups")
  func window() throws {
    var request = RecordRequest("Item")
    (request.limit, request.offset) = (1, 1)
    #expect(try groups([.count], by: ["title"], of: request) == [["ink", 1]])
    #expect(try store.read { try $0.aggregate(.count, of: request) } == 4)
  }

  @Test("Distinct values of a key path, a missing one first")
  func distinct() throws {
    #expect(try store.read { try $0.distinct("title", of: RecordRequest("Item")) } == [nil, "ink", "pen"])
    #expect(
      try store.read { try $0.distinct("order.customer", of: RecordRequest("Item")) }
        == [nil, .object(RecordID(entity: "Customer", key: 1))])
    #expect(
      try store.read { try $0.distinct("token", of: RecordRequest("Customer", where: "token != nil")) }.count == 1)
  }

  @Test(
    "An attribute without a sum or groups is refused with its reason",
    arguments: [
      (.sum("title"), [], "title: @sum takes numbers"),
      (.average("order"), [], "order: @avg takes numbers"),
      (.sum("fans.score"), [], "this gives several values"),
      (.sum("prce"), [], "Item has no property “prce”; nearest: price"),
      (.minimum("order"), [], "order: @min takes numbers"), (.count("fans"), [], "this gives several objects"),
      (.count, ["fans"], "this gives several objects"),
      (.count, ["titel"], "Item has no property “titel”; nearest: title"),
      (.count, [""], "Item has no property “”"),
      (.count, ["order.customer.address"], "address is a composite attribute"),
      (.count, ["order.customer.nickname"], "Customer.nickname is transient"),
    ] as [(RecordAggregate, [String], String)])
  func refused(_ aggregate: RecordAggregate, _ keyPaths: [String], _ words: String) {
    let error = #expect(throws: RecordRequestError.self) {
      try groups([aggregate], by: keyPaths, of: RecordRequest("Item"))
    }
    #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
  }

  @Test("Groups take no order, and need an entity")
  func order() {
    var request = RecordRequest("Item")
    request.sort = [RecordSort("title")]
    #expect(throws: RecordRequestError.self) { try groups([.count], by: ["title"], of: request) }
    let error = #expect(throws: RecordRequestError.self) {
      try groups([.count], by: ["title"], of: RecordRequest("Itm"))
    }
    #expect(error.map { "\($0)".hasPrefix("the model has no entity “Itm”; nearest: Item") } == true)
  }

  @Test("A sum that leaves 64 bits, and a column with other values, are named")
  func broken() throws {
    try store.execute("UPDATE ZORDER SET ZNUMBER = 9223372036854775807")
    #expect(throws: RecordAggregateError.overflow(entity: "Order")) { try value(.sum("number"), of: "Order") }
    try store.execute("UPDATE ZORDER SET ZNUMBER = 'ten' WHERE Z_PK = 1")
    #expect(throws: RecordAggregateError.value("number", entity: "Order")) {
      try store.read { try $0.distinct("number", of: RecordRequest("Order")) }
    }
    #expect(throws: RecordAggregateError.value("maximum(number)", entity: "Order")) {
      try value(.maximum("number"), of: "Order")
    }
    try store.execute("UPDATE ZORDER SET ZNUMBER = 10 WHERE Z_PK > 1; UPDATE ZITEM SET ZPRICE = x'01' WHERE Z_PK = 3")
    for (aggregate, entity) in [
      (.sum("number"), "Order"), (.average("number"), "Order"), (.sum("order.number"), "Item"),
      (.sum("price"), "Item"),
    ] as [(RecordAggregate, String)] {
      #expect(throws: RecordAggregateError.value(aggregate.text, entity: entity)) { try value(aggregate, of: entity) }
    }
    #expect(try value(.count("number"), of: "Order") == 3 && value(.minimum("number"), of: "Order") == 10)
    #expect(try value(.sum("number"), of: "Order", where: "SELF != CAST('Order/p1', 'NSManagedObjectID')") == 20)
  }
}
