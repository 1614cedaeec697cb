import Foundation
import GRDB
import ModelDescription
import ModelKit
import ObjectStores
import StoreRows
import TestSupport
import Testing

/// Each number of Core Data's for what keeps objects from being saved, as `CoreDataErrors.h` lists them.
@Suite("Blockers of a save")
struct SaveBlockerTests {
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
      ("rate", .attribute(.double(.nan)), 1550, "rate of a new Customer is not a number"),
      ("since", .attribute(.date(1001)), 1630, "since of a new Customer is after 2001-01-01T00:16:40Z"),
      ("since", .attribute(.date(-1)), 1640, "since of a new Customer is before 2001-01-01T00:00:00Z"),
      ("since", .attribute(.date(.nan)), 1650, "since of a new Customer is not a valid date"),
      ("code", .text("a1\n"), 1680, "code of a new Customer does not match [a-z]+[0-9]"),
      ("home", .attribute(.uri("http://[")), 1690, "home of a new Customer is not a URI"),
      ("age", .text("old"), 1550, "age of a new Customer is not a valid value of type Integer 16"),
      (
        "name", .object(RecordID(entity: "Customer", key: 1)), 1550,
        "name of a new Customer is not a valid value of type String"
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

  @Test("All blockers of a save are reported together, and nothing is written")
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
      #expect(error.blockers.map(\.code) == [1570, 1620, 1670, 1570])
      #expect(error.blockers.map { $0.property ?? "" } == ["name", "age", "name", "customer"])
      let sentences = [
        "Customer 1 has no name, and name is not optional", "age of a new Customer is below 18",
        "name of a new Customer is shorter than 2 characters",
        "a new Order has no customer, and customer is not optional",
      ]
      #expect("\(error)" == sentences.joined(separator: "\n"))
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
    #expect(problem.map(\.code) == [1590])
    #expect(problem.map(\.description) == ["Order 2 has 5 objects in items, but may have at most 3"])
  }

  @Test("Deny keeps an object as long as its linked objects exist, and deletes it with them")
  func deny() throws {
    let anna = try shop.customer()
    let order = try shop.store.write { try $0.insert("Order", ["customer": .object(anna)]) }
    let problems = try shop.problems { try $0.delete(anna) }
    #expect(problems.map(\.code) == [1600])
    #expect(
      problems.map(\.description) == [
        "Customer 1 has 1 object in orders, whose delete rule is Deny; delete or move them first"
      ])
    #expect(
      try shop.problems {
        try $0.delete(anna); try $0.delete(order)
      } == [])
    #expect(try shop.rows("SELECT * FROM ZCUSTOMER").isEmpty && shop.rows("SELECT * FROM ZORDER").isEmpty)
  }

  @Test(
    "Deny allows the deletion of an object with its linked objects, with any rule of the inverse",
    arguments: DeleteRule.allCases, [false, true])
  func denyBothWays(_ rule: DeleteRule, _ childFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Owner") { Relationship("parts", toMany: "Part", inverse: "owner", deleteRule: .deny) }
      Entity("Part") { Relationship("owner", toOne: "Owner", inverse: "parts", deleteRule: rule).optional() }
    }
    let store = try ObjectStore.open(folder.path("owners.sqlite"), model: model)
    let both = try store.write { transaction in
      let part = try transaction.insert("Part")
      return [try transaction.insert("Owner", ["parts": .objects([part])]), part]
    }
    #expect(try store.problems { try $0.delete(both[0]) }.map(\.code) == [1600])
    let problems = try store.problems { transaction in
      for id in childFirst ? both.reversed() : both { try transaction.delete(id) }
    }
    #expect(problems == [])
    for entity in ["Owner", "Part"] { #expect(try store.read { try $0.count(RecordRequest(entity)) } == 0) }
  }

  @Test("A to-many that is not optional may be empty where it has no minimum, as Core Data saved it")
  func emptyList() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Owner") { Relationship("parts", toMany: "Part", inverse: "owner").required() }
      Entity("Part") { Relationship("owner", toOne: "Owner", inverse: "parts").optional() }
    }
    let store = try ObjectStore.open(folder.path("owners.sqlite"), model: model)
    let owner = try store.write { try $0.insert("Owner") }
    let part = try store.write { try $0.insert("Part", ["owner": .object(owner)]) }
    #expect(try store.problems { try $0.delete(part) } == [])
    #expect(try store.read { try $0.object(owner) }?.version == 3)
  }

  @Test("A link needs an object that is there and of the right entity, and an abstract entity has none")
  func links() throws {
    let anna = try shop.customer()
    let gone = RecordID(entity: "Customer", key: 99)
    let dangling = try shop.problems { try $0.insert("Order", ["customer": .object(gone)]) }
    #expect(dangling.map(\.code) == [133_000, 1570])
    #expect(dangling.first?.description == "customer of a new Order is Customer 99, which does not exist")
    let tag = try shop.store.write { try $0.insert("Tag") }
    let wrong = try shop.problems { try $0.insert("Order", ["customer": .object(anna), "items": .objects([tag])]) }
    #expect(wrong.map(\.code) == [1550])
    #expect(wrong.map(\.description) == ["items of a new Order is Tag 1, but must be of Item"])
    #expect(
      try shop.problems { try $0.insert("Thing") }.map(\.description) == [
        "Thing is abstract, so it cannot have objects; insert an object of a subentity"
      ])
    #expect(throws: RecordRequestError.unknownProperty("nam", entity: "Customer", near: ["name"])) {
      try shop.store.write { try $0.insert("Customer", ["nam": .null]) }
    }
    #expect(throws: RecordRequestError.self) { try shop.store.write { try $0.insert("Costumer") } }
    #expect(throws: RecordRequestError.self) { try shop.store.write { try $0.update(anna, ["shout": .null]) } }
  }

  // MARK: What the model of the shop has not

  private static let desks = ManagedObjectModel {
    Composite("Place") {
      Attribute("street", .string)
      Attribute("city", .string).optional()
    }
    Composite("Size") {
      Attribute("width", .integer16, default: 80)
      Attribute("depth", .integer16).optional()
    }
    Entity("Thing", isAbstract: true) { Attribute("title", .string).optional() }
    Entity("Desk", parent: "Thing") {
      Attribute("small", .integer16).optional()
      Attribute("middle", .integer32).optional()
      Attribute("price", .decimal).optional().minimum(-4.5).maximum(4.9)
      Attribute("weight", .decimal).optional()
      Attribute("any", .undefined).optional()
      Attribute("place", .composite("Place")).optional()
      Attribute("size", .composite("Size")).optional()
      Relationship("owner", toOne: "Person", inverse: "desk", deleteRule: .deny).optional()
      Relationship("legs", toMany: "Leg", inverse: "desk", deleteRule: .cascade).minCount(3)
    }
    Entity("Person") { Relationship("desk", toOne: "Desk", inverse: "owner").optional() }
    Entity("Leg") { Relationship("desk", toOne: "Desk", inverse: "legs") }
  }

  /// A store with a desk that has an owner and three legs.
  private func deskStore(in folder: TemporaryFolder) throws -> ObjectStore {
    let store = try ObjectStore.open(folder.path("desks.sqlite"), model: Self.desks)
    try store.write { transaction in
      let owner = try transaction.insert("Person")
      let legs = try (0..<3).map { _ in try transaction.insert("Leg") }
      try transaction.insert("Desk", ["owner": .object(owner), "legs": .objects(legs)])
    }
    return store
  }

  /// A change that one rule refuses.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let code: Int
    let property: String?
    let sentence: String
    let change: @Sendable (StoreTransaction) throws -> Void
    var testDescription: String { sentence }

    init(
      _ code: Int, _ property: String?, _ sentence: String,
      _ change: @escaping @Sendable (StoreTransaction) throws -> Void
    ) {
      (self.code, self.property, self.sentence, self.change) = (code, property, sentence, change)
    }

    /// A new desk with one value that is wrong.
    init(_ code: Int, _ property: String, _ value: RecordValue, _ sentence: String) {
      let name = String(property.prefix { $0 != "." })
      self.init(code, property, sentence) { try $0.insert("Desk", [name: value]) }
    }
  }

  private static let refusals: [Refusal] = [
    Refusal(1550, nil, "Thing is abstract, so it cannot have objects; insert an object of a subentity") {
      try $0.insert("Thing")
    },
    Refusal(
      1550, "owner", .object(RecordID(entity: "Leg", key: 1)), "owner of a new Desk is Leg 1, but must be of Person"),
    Refusal(1550, "any", .text("x"), "any of a new Desk is not a valid value of type Undefined"),
    Refusal(1570, "desk", "a new Leg has no desk, and desk is not optional") { try $0.insert("Leg") },
    Refusal(
      1570, "place.street", .composite(["city": "Rome"]),
      "a new Desk has no place.street, and place.street is not optional"),
    Refusal(1580, "legs", "a new Desk has 2 objects in legs, but needs at least 3") { transaction in
      let legs = try (0..<2).map { _ in try transaction.insert("Leg") }
      try transaction.insert("Desk", ["legs": .objects(legs)])
    },
    Refusal(
      1600, "owner", "Desk 1 has 1 object in owner, whose delete rule is Deny; delete or move them first"
    ) { try $0.delete(RecordID(entity: "Desk", key: 1)) },
    Refusal(1610, "small", .number(32_768), "small of a new Desk is above 32767"),
    Refusal(1620, "small", .number(-32_769), "small of a new Desk is below -32768"),
    Refusal(1610, "middle", .number(2_147_483_648), "middle of a new Desk is above 2147483647"),
    Refusal(1620, "middle", .number(-2_147_483_649), "middle of a new Desk is below -2147483648"),
    Refusal(1610, "price", .attribute(.decimal(Decimal(491) / 100)), "price of a new Desk is above 4.9"),
    Refusal(1620, "price", .attribute(.decimal(Decimal(-451) / 100)), "price of a new Desk is below -4.5"),
    Refusal(
      133_000, "owner", .object(RecordID(entity: "Person", key: 99)),
      "owner of a new Desk is Person 99, which does not exist"),
  ]

  @Test("A rule of a relationship, of a type and of an element has its number too", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    let folder = try TemporaryFolder()
    let store = try deskStore(in: folder)
    let problems = try store.problems(refusal.change)
    #expect(problems.map(\.code) == [refusal.code])
    #expect(problems.map(\.description) == [refusal.sentence])
    #expect(problems.first?.property == refusal.property)
    #expect(try store.read { try $0.count(RecordRequest("Thing")) } == 1)
  }

  @Test("Every form of a link that contradicts its inverse has Core Data's general error number")
  func contradiction() {
    let (desk, leg) = (RecordID(entity: "Desk", key: 1), RecordID(entity: "Leg", key: 2))
    let kinds: [SaveBlocker.Kind] = [
      .contradicted(leg, inverse: "desk"), .contradicted(leg, inverse: "desk", isEmpty: true),
      .contradicted(leg, inverse: nil),
    ]
    let problems = kinds.map { SaveBlocker($0, desk, isNew: false, property: "legs") }
    #expect(problems.map(\.code) == [1550, 1550, 1550])
    #expect(
      problems.map(\.description) == [
        "legs of Desk 1 points to Leg 2, whose desk points to another object",
        "legs of Desk 1 points to Leg 2, whose desk is empty",
        "legs of Desk 1 points to Leg 2, which belongs to another object",
      ])
  }

  /// A save gives the object to the last one; only a text that makes a store is held to what each says.
  @Test("Two objects of a new store cannot both have one in a relationship without inverse")
  func twoOwners() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Desk") { Relationship("legs", toMany: "Leg") }
      Entity("Leg") { Attribute("length", .integer64).optional() }
    }
    let text = folder.path("desks.jsonl")
    let lines = [#"{"entity": "Leg", "id": 1}"#] + (1...2).map { #"{"entity": "Desk", "id": \#($0), "legs": [1]}"# }
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: text))
    let loading = StoreLoading(
      text, format: .jsonl, version: try LoadedVersion(bundle: "Desks", name: "v1", isCurrent: true, model: model))
    let path = folder.path("desks.sqlite")
    let error = #expect(throws: LoadError.self) { try loading.run(to: path) }
    guard case .findings(let found, more: 0)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let problems = found.compactMap { if case .save(let problem) = $0.cause { problem } else { nil } }
    #expect(problems.map(\.code) == [1550])
    #expect(problems.map(\.description) == ["legs of a new Desk points to Leg 1, which belongs to another object"])
    #expect(problems.first?.property == "legs")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A new object has the defaults of a composite attribute's elements, and nil where none has one")
  func elementDefaults() throws {
    let folder = try TemporaryFolder()
    let store = try deskStore(in: folder)
    let desk = try #require(try store.fetch(RecordRequest("Desk")).first)
    #expect(desk["size"]?.element(at: ["width"]) == .number(80))
    #expect(desk["size"]?.element(at: ["depth"]) == .null && desk["place"] == .null)
  }

  @Test("A decimal number within its limits is saved, and so is NaN without limits")
  func decimals() throws {
    let folder = try TemporaryFolder()
    let store = try deskStore(in: folder)
    let limits = [Decimal(49) / 10, Decimal(-45) / 10]
    for limit in limits { try store.write { try $0.insert("Desk", ["price": .attribute(.decimal(limit))]) } }
    try store.write { try $0.insert("Desk", ["weight": .attribute(.decimal(.nan))]) }
    let desks = try store.fetch(RecordRequest("Desk"))
    let expected: [RecordValue?] = limits.map { .attribute(.decimal($0)) }
    #expect(desks.dropFirst().prefix(2).map { $0["price"] } == expected)
    guard case .attribute(.decimal(let weight))? = desks.last?["weight"] else {
      Issue.record("no number")
      return
    }
    #expect(weight.isNaN)
  }
}
