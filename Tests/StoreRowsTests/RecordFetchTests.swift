import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreRows
import Testing

@Suite("Objects are read as values")
struct RecordFetchTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  private func record(_ entity: String, _ key: Int64) throws -> ObjectRecord {
    let records = try store.read { try $0.fetch(RecordRequest(entity)) }
    return try #require(records.first { $0.id.key == key })
  }

  @Test("Every attribute of an object has its value, and nothing is a value of its own")
  func values() throws {
    let customer = try record("Customer", 1)
    let token = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    #expect(customer.id == RecordID(entity: "Customer", key: 1) && customer.version == 3)
    #expect(
      customer.values == [
        "name": .attribute(.string("Émile")), "since": .attribute(.date(86400.5)), "isVip": .attribute(.boolean(true)),
        "balance": .attribute(.decimal(7)), "home": .attribute(.uri("https://a.example")),
        "token": .attribute(.uuid(token)),
        "photo": .attribute(.binary(Data([0xAA, 0xBB]))), "score": .attribute(.integer(7)),
        "rate": .attribute(.double(0.5)),
        "address": .composite(["street": .attribute(.string("Rue 1")), "zip": .null]),
      ])
    #expect(try record("Customer", 3).values.values.allSatisfy { $0 == .null })
    #expect(try record("Customer", 2)["balance"] == .attribute(.decimal(2.25)))
  }

  @Test("A to-one relationship names the entity of the row that it leads to")
  func toOne() throws {
    #expect(try record("Order", 1)["best"] == .object(RecordID(entity: "Gift", key: 3)))
    #expect(try record("Order", 3)["best"] == .object(RecordID(entity: "Item", key: 1)))
    #expect(try record("Order", 1)["customer"] == .object(RecordID(entity: "Customer", key: 1)))
    #expect(try record("Order", 3)["customer"] == .null)
  }

  @Test("Objects of the entities below count, unless they are left out")
  func subentities() throws {
    var request = RecordRequest("Item")
    #expect(try store.keys(request) == [1, 2, 3, 4])
    #expect(try store.read { try $0.fetch(request).map(\.id.entity) } == ["Item", "Item", "Gift", "Item"])
    request.includesSubentities = false
    #expect(try store.keys(request) == [1, 2, 4])
    #expect(try store.keys(RecordRequest("Gift")) == [3])
    #expect(try record("Gift", 3)["wrap"] == .attribute(.string("red")))
  }

  @Test("Links are in the order of the relationship, for all objects together")
  func links() throws {
    func links(_ relationship: String, of entity: String, from keys: Int64...) throws -> [Int64: [String]] {
      try store.read { try $0.links(along: relationship, of: entity, from: keys) }.mapValues { $0.map(\.description) }
    }
    #expect(try links("items", of: "Order", from: 1, 2, 3) == [1: ["Item 2", "Item 1"], 2: ["Gift 3"]])
    #expect(try links("favourites", of: "Customer", from: 1, 2) == [1: ["Item 2", "Gift 3", "Item 1"], 2: ["Gift 3"]])
    #expect(try links("fans", of: "Gift", from: 3) == [3: ["Customer 1", "Customer 2"]])
    #expect(try links("customer", of: "Order", from: 2, 3) == [2: ["Customer 1"]])
  }

  @Test("Included objects are fetched too, over several relationships")
  func inclusion() throws {
    let tree = InclusionTree(["orders.items", "favourites", "orders.best"])
    let graph = try store.read { try $0.fetch(RecordRequest("Customer"), including: tree) }
    let first = try #require(graph.objects.first)
    #expect(first["orders"] == .objects([1, 2].map { RecordID(entity: "Order", key: $0) }))
    let order = try #require(graph[RecordID(entity: "Order", key: 1)])
    #expect(order["items"] == .objects([2, 1].map { RecordID(entity: "Item", key: $0) }))
    #expect(graph[RecordID(entity: "Item", key: 2)]?["title"] == .attribute(.string("ink")))
    #expect(graph[RecordID(entity: "Gift", key: 3)]?["title"] == .attribute(.string("pen")))
    #expect(graph.objects.last?["orders"] == .objects([]))
    #expect(graph[RecordID(entity: "Order", key: 3)] == nil)
  }

  @Test(
    "A missing value is not equal and not unequal to anything but nil",
    arguments: [
      ("score == nil", [3]), ("score != nil", [1, 2]), ("score == 7", [1]), ("score != 7", [2]),
      ("NOT score == 7", [2]), ("NOT (score != 7)", [1]), ("score != 7 OR score == nil", [2, 3]),
      ("score < 100", [1, 2]),
      ("NOT score < 100", []), ("score BETWEEN {-7, 0}", [2]), ("NOT score BETWEEN {-7, 0}", [1]),
      ("score IN {7, 8}", [1]), ("NOT score IN {7, 8}", [2]), ("name CONTAINS 'o'", [2]),
      ("NOT name CONTAINS 'o'", [1]),
      ("NOT name LIKE '*'", []), ("NOT name MATCHES 'z.*'", [1]), ("name ==[cd] 'EMILE'", [1]),
      ("nil == nil", [1, 2, 3]),
      ("score > 0 AND 14 / score == 2", [1]), ("NOT (score > 0 AND 14 / score == 2)", [2]),
      ("score == 7 OR 14 / score == -2", [1, 2]), ("isVip == YES", [1]),
      ("ANY orders.number > 15", [1]), ("ALL orders.number > 15", [2, 3]), ("NONE orders.number > 15", [2, 3]),
      ("SUBQUERY(orders, $o, $o.number > 15).@count == 1", [1]), ("orders.@count == 0", [2, 3]),
      ("ANY favourites.price > 2", [1]), ("ALL favourites.price > 1", [3]), ("ALL orders.number > 5", [1, 2, 3]),
      ("NONE orders.number > 15 AND ALL favourites.price > 2", [3]),
      ("ANY orders.number > 15 AND ANY favourites.price > 2 AND NOT NONE orders.number > 5", [1]),
      ("score == rate", []), ("score != rate", [1, 2]), ("NOT score == rate", [1, 2]),
      ("score == rate OR (score == nil AND rate == nil)", [3]),
      ("address.street == 'Rue 1'", [1]),
      ("TRUEPREDICATE", [1, 2, 3]), ("FALSEPREDICATE", []),
    ])
  func predicates(_ text: String, _ keys: [Int64]) throws {
    var request = RecordRequest("Customer")
    request.predicate = try ValueExpression(parsing: text)
    #expect(try store.keys(request) == keys)
    #expect(try store.read { try $0.count(request) } == keys.count)
  }

  @Test(
    "A text is compared to its end, also behind a NUL",
    arguments: [
      ("title ENDSWITH 'b'", [2]), ("title ENDSWITH 'a'", []), ("title CONTAINS 'b'", [2]), ("title LIKE '*b'", [2]),
      ("title LIKE 'a'", []), ("title MATCHES 'a'", []), ("title MATCHES 'a.b'", [2]), ("title ==[c] 'A'", []),
      ("title ENDSWITH[cd] 'B'", [2]), ("title.length == 3 AND title BEGINSWITH[c] 'A'", [2]),
    ])
  func wholeTexts(_ text: String, _ keys: [Int64]) throws {
    try store.execute("UPDATE ZITEM SET ZTITLE = 'a' || char(0) || 'b' WHERE Z_PK = 2")
    #expect(try store.keys(RecordRequest("Item", where: text)) == keys)
  }

  @Test(
    "A quantifier looks at every member, also at one that has no value at the end of the path",
    arguments: [
      ("ANY favourites.price == nil", [1, 2]), ("ANY favourites.price != nil", [1]),
      ("ALL favourites.price == nil", [2, 3]), ("ALL favourites.price != nil", [3]),
      ("NONE favourites.price == nil", [3]), ("NOT ANY favourites.price == nil", [3]),
      ("NONE favourites.price > 2", [2, 3]), ("NOT ANY favourites.price > 2", [2, 3]),
      ("ANY favourites.price != 1.5", [1]), ("ANY favourites.price IN {1.5, nil}", [1]),
      ("ANY orders.best == nil", [1]), ("ANY orders.best.title == nil", [1]), ("ANY orders.best.title == 'pen'", [1]),
      ("ALL orders.best.title == 'pen'", [2, 3]), ("NONE orders.best.title == nil", [2, 3]),
      ("ANY orders.best.order.number == 20", [1]), ("ALL orders.best.order.number == 20", [2, 3]),
      ("ANY orders.best.fans == nil", []), ("ANY orders.best.fans != nil", [1]),
      ("ANY {score, 7} == nil", [3]), ("ALL {score, 7} == 7", [1]),
      ("ANY favourites.@distinctUnionOfObjects.price == nil", []), ("7 IN favourites.price", []),
      ("favourites.@count == 3 AND favourites.@sum.price == 4 AND favourites.@min.price == 1.5", [1]),
    ])
  func quantifiers(_ text: String, _ keys: [Int64]) throws {
    #expect(try store.keys(RecordRequest("Customer", where: text)) == keys)
  }

  @Test("If an expression has no value, the error names the object and the part, and shows no SQL")
  func noValue() throws {
    func error(_ text: String) throws -> StoreError? {
      let request = try RecordRequest("Customer", where: text)
      return #expect(throws: StoreError.self) { try store.keys(request) }
    }
    let division = try error("name != nil AND 7 / (score - 7) > 1")
    let detail = "Customer with Z_PK 1: 7 / (score - 7): the divisor is zero"
    #expect(division == .noValue(path: store.path, detail: detail))
    #expect(division?.description.hasPrefix("\(store.path): \(detail); change that part of the expression") == true)
    try store.execute("UPDATE ZORDER SET ZNUMBER = 9223372036854775807")
    let sum = "Customer with Z_PK 1: orders.@sum.number: the number does not fit 64 bits"
    #expect(try error("orders.@sum.number > 0") == .noValue(path: store.path, detail: sum))
  }

  @Test("A nil object before a to-many relationship has no members")
  func noMembers() throws {
    #expect(try store.keys(RecordRequest("Item", where: "ANY order.items.price == nil")) == [3])
    #expect(try store.keys(RecordRequest("Item", where: "NONE order.items.price == nil")) == [1, 2, 4])
    #expect(try store.keys(RecordRequest("Item", where: "ALL order.items.price != nil")) == [1, 2, 4])
  }

  @Test("Objects are sorted by several keys, those without a value first, and by their keys last")
  func sorting() throws {
    func keys(_ entity: String, _ sort: RecordSort...) throws -> [Int64] {
      var request = RecordRequest(entity)
      request.sort = sort
      return try store.keys(request)
    }
    #expect(try keys("Customer", RecordSort("score")) == [3, 2, 1])
    #expect(try keys("Customer", RecordSort("score", isAscending: false)) == [1, 2, 3])
    #expect(try keys("Item", RecordSort("price"), RecordSort("title", isAscending: false)) == [3, 1, 4, 2])
    #expect(try keys("Order", RecordSort("customer.name"), RecordSort("number", isAscending: false)) == [3, 2, 1])
    #expect(try keys("Customer", RecordSort("orders.@count", isAscending: false)) == [1, 2, 3])
    #expect(try keys("Customer", RecordSort("name")) == [3, 2, 1])
    #expect(try keys("Customer", RecordSort("name", textOrder: .standard)) == [3, 1, 2])
    #expect(try keys("Customer", RecordSort("name", textOrder: .caseInsensitive)) == [3, 1, 2])
    try store.execute("UPDATE ZITEM SET ZTITLE = 'item ' || (11 - Z_PK * 3)")
    #expect(try keys("Item", RecordSort("title")) == [4, 3, 2, 1])
    try store.execute("UPDATE ZITEM SET ZTITLE = 'Item ' || (Z_PK * 5)")
    #expect(try keys("Item", RecordSort("title")) == [2, 3, 4, 1])
    #expect(try keys("Item", RecordSort("title", textOrder: .standard)) == [1, 2, 3, 4])
  }

  @Test("A limit and an offset cut the list, and only the requested rows are read")
  func window() throws {
    var request = RecordRequest("Item")
    (request.limit, request.offset) = (2, 1)
    request.properties = ["title", "order", "title"]
    let records = try store.read { try $0.fetch(request) }
    #expect(records.map(\.id.key) == [2, 3])
    #expect(records.first?.values.keys.sorted() == ["order", "title"])
    #expect(try store.read { try $0.count(request) } == 4)
    request.limit = 0
    #expect(try store.keys(request) == [])
  }

  @Test(
    "A request that is not valid for the model is refused before any query",
    arguments: [
      ("Custmer", "TRUEPREDICATE", "the model has no entity “Custmer”; nearest: Customer"),
      ("Customer", "scor > 1", "scor: Customer has no property “scor”; nearest: score"),
      (
        "Customer", "since == 'x'",
        "since == \"x\": a value of type Date and a value of type String cannot be compared by =="
      ),
      ("Customer", "nickname == 'x'", "Customer.nickname is transient: stores do not keep its value"),
      ("Customer", "score", "a condition is needed, and this is a value of type Integer 16"),
      ("Customer", "orders.number > 1", "several values"),
      ("Customer", "SUBQUERY(score, $x, $x > 1).@count > 0", "SUBQUERY takes a collection of objects"),
      ("Customer", "$x.score > 1", "unknown variable $x"),
    ])
  func refused(_ entity: String, _ text: String, _ words: String) throws {
    var request = RecordRequest(entity)
    request.predicate = try ValueExpression(parsing: text)
    let error = try #require(
      #expect(throws: RecordRequestError.self) { try store.read { try $0.count(request) } })
    #expect("\(error)".contains(words), "\(error)")
  }

  @Test("A property that cannot be read is refused with those that can")
  func unknownProperty() throws {
    for (name, words) in [
      ("titel", "Item has no stored property “titel”; nearest: title"), ("fans", "Item.fans is a to-many relationship"),
    ] {
      var request = RecordRequest("Item")
      request.properties = [name]
      let error = try #require(#expect(throws: RecordRequestError.self) { try store.keys(request) })
      #expect("\(error)".hasPrefix(words), "\(error)")
    }
    let error = #expect(throws: RecordRequestError.self) {
      try store.read { try $0.fetch(RecordRequest("Item"), including: InclusionTree(["ordr"])) }
    }
    #expect(error == .unknownRelationship("ordr", entity: "Item", near: ["order"]))
  }

  @Test(
    "A value that a column cannot hold is named with its object and property",
    arguments: [
      ("ZSCORE = 'text'", "score"), ("ZSCORE = 1.5", "score"), ("ZNAME = x'ff'", "name"), ("ZTOKEN = x'0011'", "token"),
      ("ZNAME = CAST(x'61ff62' AS TEXT)", "name"), ("ZBALANCE = 'many'", "balance"), ("ZPHOTO = x'07aa'", "photo"),
      ("ZSINCE = 'yesterday'", "since"), ("ZHOME = x'05'", "home"),
    ])
  func damaged(_ change: String, _ property: String) throws {
    try store.execute("UPDATE ZCUSTOMER SET \(change) WHERE Z_PK = 2")
    let error = #expect(throws: RecordValueError.self) { try store.keys(RecordRequest("Customer")) }
    #expect(error?.object == RecordID(entity: "Customer", key: 2) && error?.property == property)
  }

  @Test("NaN, a text with a zero, and a file of external data are values")
  func strange() throws {
    let file = "8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11"
    let bytes = Data(file.utf8).map { String($0, radix: 16) }.joined()
    try store.execute(
      """
      UPDATE ZCUSTOMER SET ZBALANCE = 'NaN', ZNAME = CAST(x'610062' AS TEXT), ZPHOTO = x'02\(bytes)00' WHERE Z_PK = 2
      """)
    let record = try record("Customer", 2)
    #expect(record["name"] == .attribute(.string("a\0b")) && record["photo"]?.externalFile == file)
    guard case .attribute(.decimal(let number))? = record["balance"] else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN)
  }
}
