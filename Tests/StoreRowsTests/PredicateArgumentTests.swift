import Foundation
import MappingModels
import ModelDescription
import StoreRows
import Testing

@Suite("Arguments of predicates")
struct PredicateArgumentTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  private func keys(_ entity: String, _ text: String, _ arguments: any PredicateArgument...) throws -> [Int64] {
    try store.keys(RecordRequest(entity, where: text, arguments: arguments))
  }

  @Test("Every type of value can replace %@, and a key path can replace %K")
  func values() throws {
    let token = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    let home = try #require(URL(string: "https://a.example"))
    #expect(try keys("Customer", "name == %@", "Émile") == [1])
    #expect(try keys("Customer", "score == %@ AND isVip == %@", 7, true) == [1])
    #expect(try keys("Customer", "score > %@", Int64(-8)) == [1, 2])
    #expect(try keys("Customer", "rate > %@", 0.5) == [2])
    #expect(try keys("Customer", "balance == %@", Decimal(225) / 100) == [2])
    #expect(try keys("Customer", "since > %@", Date(timeIntervalSinceReferenceDate: 1)) == [1])
    #expect(try keys("Customer", "token == %@ OR home == %@", token, home) == [1])
    #expect(try keys("Customer", "photo == %@", Data([0xAA, 0xBB])) == [1])
    #expect(try keys("Customer", "%K == %@", "address.street", "Rue 1") == [1])
    #expect(try keys("Customer", "name == %@", String?.none) == [3])
    #expect(try keys("Customer", "score == %@", RecordValue.attribute(.integer(7))) == [1])
    #expect(try keys("Customer", "score == %@", AttributeValue.integer(7)) == [1])
  }

  @Test("A list can be the right side of IN and BETWEEN")
  func lists() throws {
    #expect(try keys("Customer", "name IN %@", ["zoe", "Émile", "x"]) == [1, 2])
    #expect(try keys("Customer", "score IN %@", [Int]()) == [])
    #expect(try keys("Customer", "score BETWEEN %@", [-7, 0]) == [2])
    #expect(
      try keys("Item", "order IN %@", [RecordID(entity: "Order", key: 1), RecordID(entity: "Order", key: 9)]) == [1, 2])
  }

  @Test("An object is compared with a relationship to one object, and with SELF")
  func objects() throws {
    let customer = RecordID(entity: "Customer", key: 1)
    #expect(try keys("Order", "customer == %@", customer) == [1, 2])
    #expect(try keys("Order", "customer != %@", customer) == [])
    #expect(try keys("Order", "customer == %@", RecordValue.object(customer)) == [1, 2])
    #expect(try keys("Customer", "SELF == %@", customer) == [1])
    #expect(try keys("Customer", "ANY orders == %@", RecordID(entity: "Order", key: 2)) == [1])
    #expect(try keys("Item", "%@ IN fans", customer) == [1, 2, 3])
    #expect(try keys("Order", "customer.name == %@.name", customer) == [1, 2])
    #expect(try keys("Item", "order == CAST('Order/p2', 'NSManagedObjectID')") == [3])
  }

  @Test("A text like SQL or like a predicate is a value, and an invalid key is not found")
  func hostile() throws {
    for text in ["' OR '1'='1", "\" OR 1 == 1 --", "%@", "\\", "); DROP TABLE ZCUSTOMER; --"] {
      #expect(try keys("Customer", "name == %@", text) == [])
      #expect(try keys("Customer", "NOT name IN %@", [text]) == [1, 2])
      let error = #expect(throws: RecordRequestError.self) { try keys("Customer", "1 == 1 AND %K == 1", text) }
      guard case .meaning(_, _, offset: 11)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try store.keys(RecordRequest("Customer")) == [1, 2, 3])
  }

  @Test("A text with NUL, which SQLite's functions would read in part, is refused with its location")
  func textWithNUL() throws {
    for text in ["name == %@", "name CONTAINS %@", "name IN {%@}"] {
      let error = #expect(throws: RecordRequestError.self) { try keys("Customer", text, "x\u{0}y") }
      #expect(error.map { "\($0)" }?.contains("the text contains the character NUL") == true)
    }
  }

  @Test("NaN equals nothing, and infinity is a number")
  func numbers() throws {
    #expect(try keys("Customer", "rate == %@ OR rate != %@", Double.nan, Double.nan) == [])
    #expect(try keys("Customer", "rate < %@", Double.infinity) == [1, 2])
  }

  @Test(
    "Arguments that cannot be compared, and too few or too many arguments, are refused",
    arguments: [
      (
        ["x"], "name == %@ AND score == %@",
        "at character 25: an argument is missing: the text takes 2, and 1 is given"
      ),
      ([1, 2], "score == %@", "at character 12: there are too many arguments: the text takes 1, and 2 are given"),
      ([1], "%K == 1", "at character 1: argument 1 is not a key path"),
      ([1, RecordValue.transformed(Data())], "score == %@ OR score == %@", "argument 2 cannot be compared"),
      ([RecordID(entity: "Order", key: 1)], "SELF == %@", "at character 1: SELF == CAST((\"Order/p1\")"),
      ([RecordID(entity: "Ordr", key: 1)], "SELF == %@", "the model has no entity “Ordr”; nearest: Order"),
      (["x"], "since > %@", "at character 1: since > \"x\": a value of type Date and a value of type String"),
      ([["x"]], "name == %@", "at character 9: {\"x\"}: one value is needed, and this gives several values"),
    ] as [([any PredicateArgument & Sendable], String, String)])
  func refused(_ arguments: [any PredicateArgument & Sendable], _ text: String, _ words: String) {
    let error = #expect(throws: RecordRequestError.self) {
      try store.keys(RecordRequest("Customer", where: text, arguments: arguments))
    }
    #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
  }

  @Test(
    "A mistake has its place in the text that was written",
    arguments: [
      ("scor > 1", 0), ("score > 1 AND nme == 'x'", 14), ("orders.@count > 1 AND orders.@sum.nmber > 1", 34),
      ("SUBQUERY(orders, $x, $x.number > 1).@count > 0 AND SUBQUERY(favourites, $x, $x.number > 1).@count > 0", 79),
      ("(name == 'a' OR (score < 'b'))", 17), ("nickname == 'x'", 0), ("address == nil", 0),
      ("NOT (address.strt == '')", 5),
      ("orders.items.title == 'x'", 7), ("name == 'score' AND score", 20), ("foo(name) == 1", 0),
    ])
  func places(_ text: String, _ place: Int) {
    let error = #expect(throws: RecordRequestError.self) { try store.keys(RecordRequest("Customer", where: text)) }
    switch error {
    case .meaning(_, text, let offset): #expect(offset == place)
    case .syntax(let error, text): #expect(error.offset == place)
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test("A predicate that was put in the place of another has no text")
  func replaced() throws {
    var request = try RecordRequest("Customer", where: "score == 7")
    request.predicate = try ValueExpression(parsing: "scor == 7")
    let error = #expect(throws: RecordRequestError.self) { try store.keys(request) }
    guard case .meaning(_, "scor == 7", offset: nil)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("Without accents ß, æ and ø are still letters of their own")
  func letters() throws {
    for (key, title) in ["Straße", "ÆØ", "café", "cafe"].enumerated() {
      try store.execute("UPDATE ZITEM SET ZTITLE = '\(title)' WHERE Z_PK = \(key + 1)")
    }
    #expect(try keys("Item", "title ==[d] 'Strasse' OR title ==[d] 'AEO' OR title ==[d] 'AO'") == [])
    #expect(try keys("Item", "title ==[cd] 'aeo' OR title CONTAINS[cd] 'ae'") == [])
    #expect(try keys("Item", "title ==[cd] 'æø'") == [2])
    #expect(try keys("Item", "title ==[d] 'cafe'") == [3, 4])
  }

  @Test("A text without options is compared by its bytes, and the beginning of a text is a range")
  func bytes() throws {
    try store.execute("UPDATE ZITEM SET ZTITLE = 'e' || char(0x301) WHERE Z_PK = 1")
    try store.execute("UPDATE ZITEM SET ZTITLE = 'é' WHERE Z_PK = 2")
    try store.execute("UPDATE ZITEM SET ZTITLE = char(0x10FFFF) || 'x' WHERE Z_PK = 3")
    try store.execute("UPDATE ZITEM SET ZTITLE = 'f' WHERE Z_PK = 4")
    #expect(try keys("Item", "title < 'f'") == [1])
    #expect(try keys("Item", "title > 'f'") == [2, 3])
    #expect(try keys("Item", "title <[d] 'f'") == [1, 2])
    #expect(try keys("Item", "title BETWEEN {'e', 'f'}") == [1, 4])
    #expect(try keys("Item", "title BEGINSWITH 'e'") == [1])
    #expect(try keys("Item", "NOT title BEGINSWITH 'e'") == [2, 3, 4])
    #expect(try keys("Item", "title BEGINSWITH %@", "\u{10FFFF}") == [3])
    #expect(try keys("Item", "title BEGINSWITH ''") == [1, 2, 3, 4])
    #expect(try keys("Item", "title BEGINSWITH[d] 'e'") == [1, 2])
    #expect(try keys("Order", "items.@max.title == 'é'") == [1])
    // The options of a comparison are not those of another around it.
    for text in [
      "TERNARY(title ==[c] 'F', 'B', 'B') == 'b'", "'b' == TERNARY(title ==[c] 'F', 'B', 'B')",
      "TERNARY(title ==[c] 'F', 'B', 'B') > 'a'", "TERNARY(title ==[c] 'F', 'B', 'B') IN {'b'}",
      "TERNARY(title ==[c] 'F', 'B', 'B') BETWEEN {'a', 'c'}",
    ] {
      #expect(try keys("Item", text) == [], "\(text)")
    }
  }
}
