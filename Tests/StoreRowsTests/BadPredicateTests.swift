import Foundation
import MappingModels
import ModelDescription
import PredicateOracle
import StoreRows
import TestSupport
import Testing

@Suite("Predicates that are none, too long or too deep")
struct BadPredicateTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  private func refusal(_ text: String, _ arguments: any PredicateArgument...) throws -> String {
    let error = #expect(throws: RecordRequestError.self) {
      try store.keys(RecordRequest("Customer", where: text, arguments: arguments))
    }
    return error.map { "\($0)" } ?? ""
  }

  @Test("A text of a megabyte is refused before it is read")
  func long() throws {
    for part in ["name == 'x' OR ", "(", "a", "'", "%@ ", "\u{1F600}"] {
      let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
      #expect(try refusal(text) == "at character 20001: the expression has more than 20000 characters")
    }
  }

  @Test("A value of a megabyte is not part of the text, and can be queried")
  func longValue() throws {
    let text = String(repeating: "x", count: 1 << 20)
    #expect(try store.keys(RecordRequest("Customer", where: "name == %@ OR name CONTAINS[cd] %@", text, text)) == [])
    #expect(try store.keys(RecordRequest("Customer", where: "%@ CONTAINS name", text + "zoe")) == [2])
  }

  @Test("A search takes as long as the two texts, and not as their product")
  func search() throws {
    let text = String(repeating: "x", count: 10_000)
    try store.execute("UPDATE ZITEM SET ZTITLE = replace(hex(zeroblob(100000)), '0', 'x')")
    let start = ContinuousClock.now
    #expect(try store.keys(RecordRequest("Item", where: "title CONTAINS %@", text + "y")) == [])
    #expect(try store.keys(RecordRequest("Item", where: "title CONTAINS %@", text)) == [1, 2, 3, 4])
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test(
    "BETWEEN names the wrong value in place of two bounds",
    arguments: [
      ("name BETWEEN {'a'}", "BETWEEN takes two bounds, not 1"),
      ("score BETWEEN {1, 2, 3}", "BETWEEN takes two bounds, not 3"),
      ("name BETWEEN 'a'", "BETWEEN takes a list of two bounds, not a value of type String"),
      ("score BETWEEN orders.number", "not several values of type "),
    ])
  func bounds(_ text: String, _ words: String) throws {
    let found = try refusal(text)
    #expect(found.contains(words), "\(found)")
  }

  @Test(
    "Nesting a thousand levels deep is refused with its location",
    arguments: [
      ("(", "score == 1", ")"), ("NOT ", "score == 1", ""), ("NOT (", "score == 1", ")"), ("abs(", "score", ") == 1"),
      ("{", "1", "}"), ("-", "1", " == 1"), ("SUBQUERY(orders, $x, ", "$x.number == 1", ").@count > 0"),
      ("TERNARY(score == 1, 1, ", "2", ")"), ("(score == 1 AND ", "score == 1", ")"),
      ("ANY ", "orders.number == 1", ""),
      ("CAST(", "score", ", 'NSString')"),
    ])
  func deep(_ opening: String, _ inside: String, _ closing: String) throws {
    let text = String(repeating: opening, count: 1_000) + inside + String(repeating: closing, count: 1_000)
    let words = try refusal(text)
    #expect(words.hasPrefix("at character "), "\(words)")
    #expect(
      words.contains("more than 64 levels deep") || words.contains("expected") || words.contains("more than 20000"),
      "\(words)")
  }

  @Test("Nesting at the limit works, or is refused with a message")
  func deepest() throws {
    for depth in [20, 60] {
      let negated = String(repeating: "NOT (", count: depth) + "score == 7" + String(repeating: ")", count: depth)
      #expect(try asked(negated) ?? [1] == [1])
    }
    let nested =
      String(repeating: "SUBQUERY(orders, $x, $x.customer.score > 0 AND ", count: 12) + "score > 0"
      + String(repeating: ").@count > 0", count: 12)
    #expect(try asked(nested) ?? [1] == [1])
  }

  /// The keys of the customers for which a predicate holds; nil when SQLite does not read so deep.
  private func asked(_ text: String) throws -> [Int64]? {
    do {
      return try store.keys(RecordRequest("Customer", where: text))
    } catch let error as RecordRequestError {
      #expect("\(error)".contains("nested too deeply for SQLite"), "\(error)")
      return nil
    }
  }

  @Test("A chain of thousands, and a list of ten thousand, work; a longer list is refused")
  func wide() throws {
    let chain = (0..<1_200).map { "score == \($0)" }.joined(separator: " OR ")
    #expect(try store.keys(RecordRequest("Customer", where: chain)) == [1])
    #expect(try store.keys(RecordRequest("Customer", where: "score IN %@", Array(0..<10_000))) == [1])
    #expect(try refusal("score IN %@", Array(0..<20_000)).contains("the expression has more than 10000 constants"))
    let evaluator = try RecordEvaluator(
      RecordRequest("Customer", where: chain),
      over: RecordObjects(store.hierarchy, store.read { try $0.fetch(RecordRequest("Customer")) }),
      now: 0)
    #expect(try evaluator.matches(RecordID(entity: "Customer", key: 1)))
  }

  @Test(
    "The words about a predicate name no remedy that only a mapping has",
    arguments: [
      (
        "orders[0] == nil",
        "at character 7: indexing with [ ] cannot be used here; use a collection operator such as @count"
      ),
      ("random() > 1", "at character 1: random(): a random number differs in every run; write a number"),
      ("$x == 1", "at character 1: $x: unknown variable $x; use SUBQUERY(…) to name objects"),
      (
        "SUBQUERY(orders, $order, $ordr.number == 1).@count > 0",
        "at character 26: $ordr: unknown variable $ordr; nearest: $order"
      ),
      (
        "$destination == nil",
        "at character 1: $destination: $destination exists only in a mapping; write a key path or SELF"
      ),
    ])
  func remedies(_ text: String, _ words: String) throws {
    #expect(try refusal(text) == words)
  }

  @Test(
    "Parts that do not belong in a request are refused with a message",
    arguments: [
      "", " ", "name", "nil", "name = ", "== 3", "name == 'x", "name == 'x\\", "score == 1 score == 2",
      "score BETWEEN 3",
      "score BETWEEN {1, 2, 3}", "score IN 3", "name LIKE 3", "since < 3", "since == now() + 1", "token == 'x'",
      "photo > 'x'",
      "random() > 1", "FETCH(FUNCTION($manager, 'x'), $manager.sourceContext, NO) == nil",
      "FUNCTION(SELF, 'delete') == 1",
      "FUNCTION($entityPolicy, 'x') == 1", "$source.score == 1 AND $destination == nil", "name MATCHES '('",
      "name MATCHES '(?'",
      "orders.@sum == 1", "orders.@foo.number == 1", "orders[0] == nil", "name ==[x] 'a'", "ANY score == 1",
      "orders == 1", "orders CONTAINS 1", "orders CONTAINS orders", "orders.number CONTAINS 'x'", "score CONTAINS 1",
      "SUBQUERY(orders, $source, $source.number == 1).@count > 0", "address.street.x == 1", "score.foo == 1",

      "name == \u{0}", "name == %@", "@count > 1", "ANY ANY orders.number == 1", "$SELF == 1", "orders.items == nil",
      "CAST('x', 'NSManagedObjectID') == SELF", "CAST('Customer/p', 'NSManagedObjectID') == SELF",
      "CAST('Customer/p-1', 'NSManagedObjectID') == SELF", "CAST(name, 'NSManagedObjectID') == SELF",
      "CAST('Customer/p99999999999999999999', 'NSManagedObjectID') == SELF", "CAST('/p1', 'NSManagedObjectID') == SELF",
    ])
  func refused(_ text: String) throws {
    let error = #expect(throws: RecordRequestError.self) { try store.keys(RecordRequest("Customer", where: text)) }
    #expect(error.map { "\($0)".isEmpty } == false)
  }
}
