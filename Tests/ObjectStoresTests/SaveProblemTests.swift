import Foundation
import GRDB
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

/// Each line of the table of codes in spec/writing-rows.md §7.
@Suite("What keeps objects from being saved")
struct SaveProblemTests {
  let shop: ShopStore

  init() throws { shop = try ShopStore() }

  @Test(
    "A value that breaks a rule of its attribute has Core Data's number and a sentence",
    arguments: [
      ("name", .null, 1570, "a new Customer has no name, and name is not optional"),
      ("name", .text("A"), 1670, "name of a new Customer is shorter than 2 characters"),
      ("name", .text(""), 1670, "name of a new Customer is shorter than 2 characters"),
      ("name", .text("Anna Karenina"), 1660, "name of a new Customer is longer than 6 characters"),
      ("age", .number(17), 1620, "age of a new Customer is below 18"),
      ("age", .number(100), 1610, "age of a new Customer is above 99"),
      ("rate", .attribute(.double(1.5)), 1610, "rate of a new Customer is above 1.0"),
      ("rate", .attribute(.double(.infinity)), 1610, "rate of a new Customer is above 1.0"),
      ("rate", .attribute(.double(.nan)), 1550, "rate of a new Customer is no number"),
      ("since", .attribute(.date(1001)), 1630, "since of a new Customer is after 2001-01-01T00:16:40Z"),
      ("since", .attribute(.date(-1)), 1640, "since of a new Customer is before 2001-01-01T00:00:00Z"),
      ("since", .attribute(.date(.nan)), 1650, "since of a new Customer is no moment"),
      ("code", .text("a1\n"), 1680, "code of a new Customer does not match [a-z]+[0-9]"),
      ("home", .attribute(.uri("http://[")), 1690, "home of a new Customer is no URI"),
      ("age", .text("old"), 1550, "age of a new Customer is no value of type Integer 16"),
      (
        "name", .object(RecordID(entity: "Customer", key: 1)), 1550, "name of a new Customer is no value of type String"
      ),
    ] as [(String, RecordValue, Int, String)])
  func attribute(_ name: String, _ value: RecordValue, _ code: Int, _ sentence: String) throws {
    let problems = try shop.problems {
      try $0.insert("Customer", ["name": .text("Anna")].merging([name: value]) { $1 })
    }
    #expect(problems.map(\.code) == [code])
    #expect(problems.map(\.description) == [sentence])
    #expect(problems.first?.property == name)
    #expect(try shop.rows("SELECT * FROM ZCUSTOMER").isEmpty)
    #expect(try shop.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Customer'").first?[0] == 0)
  }

  @Test("A number that its column holds and its type does not is too large", arguments: [32768, -32769] as [Int64])
  func width(_ number: Int64) throws {
    let problems = try shop.problems { try $0.insert("Customer", ["name": .text("Anna"), "age": .number(number)]) }
    #expect(problems.contains { $0.code == (number > 0 ? 1610 : 1620) })
  }

  @Test("Every problem of a save comes at once, and nothing is written")
  func several() throws {
    let anna = try shop.customer()
    do {
      try shop.store.write { transaction in
        try transaction.insert("Customer", ["name": .text("X"), "age": .number(3)])
        try transaction.insert("Order", [:])
        try transaction.update(anna, ["name": .null])
      }
      Issue.record("saved")
    } catch let error as SaveError {
      #expect(error.code == 1560)
      #expect(error.problems.map(\.code) == [1570, 1620, 1670, 1570])
      #expect(error.problems.map { $0.property ?? "" } == ["name", "age", "name", "customer"])
      #expect(error.problems[0].description == "Customer 1 has no name, and name is not optional")
      #expect("\(error)".split(separator: "\n").count == 4)
    }
    #expect(try shop.record(anna)?["name"] == .text("Anna"))
    #expect(try shop.record(anna)?.version == 1)
  }

  @Test("The number of objects of a relationship is looked at unless it may be empty and is")
  func counts() throws {
    let anna = try shop.customer()
    func order(_ items: Int, _ tags: Int) throws -> [Int] {
      try shop.problems { transaction in
        let items = try (0..<items).map { _ in try transaction.insert("Item") }
        let tags = try (0..<tags).map { _ in try transaction.insert("Tag") }
        try transaction.insert("Order", ["customer": .object(anna), "items": .objects(items), "tags": .objects(tags)])
      }.map(\.code)
    }
    #expect(try order(0, 0) == [])
    #expect(try order(4, 2) == [1590])
    #expect(try order(3, 1) == [1580])
    #expect(try order(3, 2) == [])
    let problem = try shop.problems { transaction in
      let order = try #require(try transaction.fetch(RecordRequest("Order")).last)
      for _ in 0..<2 { try transaction.add(try transaction.insert("Item"), to: "items", of: order.id) }
    }
    #expect(problem.map(\.description) == ["Order 2 has 5 objects in items, and may have 3 at most"])
  }

  @Test("Deny keeps an object while what it has stays, and lets it go with it")
  func deny() throws {
    let anna = try shop.customer()
    let order = try shop.store.write { try $0.insert("Order", ["customer": .object(anna)]) }
    let problems = try shop.problems { try $0.delete(anna) }
    #expect(problems.map(\.code) == [1600])
    #expect(
      problems.map(\.description) == [
        "Customer 1 has 1 object in orders, whose delete rule is Deny: delete or move them first"
      ])
    #expect(
      try shop.problems {
        try $0.delete(anna); try $0.delete(order)
      } == [])
    #expect(try shop.rows("SELECT * FROM ZCUSTOMER").isEmpty && shop.rows("SELECT * FROM ZORDER").isEmpty)
  }

  @Test("A link needs an object that is there and of the right entity, and an abstract entity has none")
  func links() throws {
    let anna = try shop.customer()
    let gone = RecordID(entity: "Customer", key: 99)
    #expect(try shop.problems { try $0.insert("Order", ["customer": .object(gone)]) }.map(\.code).contains(133_000))
    let tag = try shop.store.write { try $0.insert("Tag") }
    let wrong = try shop.problems { try $0.insert("Order", ["customer": .object(anna), "items": .objects([tag])]) }
    #expect(wrong.map(\.description) == ["items of a new Order is Tag 1, and must be of Item"])
    #expect(
      try shop.problems { try $0.insert("Thing") }.map(\.description) == [
        "Thing is abstract and has no objects; insert one of an entity below it"
      ])
    #expect(throws: RecordRequestError.unknownProperty("nam", entity: "Customer", near: ["name", "age", "home"])) {
      try shop.store.write { try $0.insert("Customer", ["nam": .null]) }
    }
    #expect(throws: RecordRequestError.self) { try shop.store.write { try $0.insert("Costumer") } }
    #expect(throws: RecordRequestError.self) { try shop.store.write { try $0.update(anna, ["shout": .null]) } }
  }
}
