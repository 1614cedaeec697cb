import Foundation
import MappingModels
import ModelDescription
import StoreRows
import Testing

@Suite("Fetch request templates and fetched properties")
struct RequestTemplateTests {
  let store: RowsStore
  let hierarchy: EntityHierarchy

  init() throws {
    store = try RowsStore()
    var model = RowsStore.model
    model.fetchRequests = [
      FetchRequestDescription(name: "all", entityName: "Item"),
      FetchRequestDescription(
        name: "named", entityName: "Customer", predicate: "name ==[cd] $name",
        settings: ["fetchBatchSize": "20", "returnObjectsAsFaults": "YES", "resultType": "0"]),
      FetchRequestDescription(
        name: "cheap", entityName: "Item", predicate: "price < $limit AND order IN $orders",
        settings: ["fetchLimit": "1", "includeSubentities": "NO"]),
      FetchRequestDescription(
        name: "inner", entityName: "Customer",
        predicate: "SUBQUERY(orders, $x, $x.number BETWEEN {$low, $high}).@count > 0 AND $x == score"),
      FetchRequestDescription(name: "having", entityName: "Customer", predicate: "orders CONTAINS $order"),
      FetchRequestDescription(name: "chosen", entityName: "Customer", predicate: "$people CONTAINS SELF"),
      FetchRequestDescription(name: "counted", entityName: "Item", settings: ["resultType": "4"]),
      FetchRequestDescription(name: "strange", entityName: "Item", settings: ["fetchLimit": "many"]),
      FetchRequestDescription(name: "new", entityName: "Item", settings: ["someday": "YES"]),
      FetchRequestDescription(name: "broken", entityName: "Item", predicate: "title =="),
      FetchRequestDescription(name: "wrong", entityName: "Item", predicate: "title == 'x' AND titel == $t"),
      FetchRequestDescription(name: "lost", entityName: "Nothing"),
    ]
    let position = try #require(model.entities.firstIndex { $0.name == "Item" })
    model.entities[position].fetchedProperties = [
      FetchedPropertyDescription(
        name: "twins",
        fetchRequest: FetchRequestDescription(
          name: "r", entityName: "Item", predicate: "title == $FETCH_SOURCE.title AND SELF != $FETCH_SOURCE")),
      FetchedPropertyDescription(
        name: "pens", fetchRequest: FetchRequestDescription(name: "r", entityName: "Item", predicate: "title == 'pen'")),
      FetchedPropertyDescription(
        name: "odd",
        fetchRequest: FetchRequestDescription(
          name: "r", entityName: "Item", predicate: "title == $FETCHED_PROPERTY.userInfo.title")),
      FetchedPropertyDescription(name: "empty"),
    ]
    hierarchy = try EntityHierarchy(model)
  }

  private func keys(_ template: String, _ variables: [String: any PredicateArgument] = [:]) throws -> [Int64] {
    try store.keys(RecordRequest(template: template, of: hierarchy, variables: variables))
  }

  @Test("A template is fetched with values for its variables, and its settings apply")
  func templates() throws {
    #expect(try keys("all") == [1, 2, 3, 4])
    #expect(try keys("named", ["name": "EMILE"]) == [1])
    let orders = [RecordID(entity: "Order", key: 1), RecordID(entity: "Order", key: 2)]
    #expect(try keys("cheap", ["limit": 9.0, "orders": orders]) == [1])
    #expect(try keys("inner", ["low": 10, "high": 15, "x": 7]) == [1])
    #expect(try keys("inner", ["low": 11, "high": 15, "x": 7]) == [])
    #expect(try keys("having", ["order": RecordID(entity: "Order", key: 2)]) == [1])
  }

  @Test("Texts become values of the type that their variable is compared with")
  func texts() throws {
    func keys(_ template: String, _ texts: [String: String]) throws -> [Int64] {
      try store.keys(RecordRequest(template: template, of: hierarchy, texts: texts))
    }
    #expect(try keys("named", ["name": "emile"]) == [1])
    #expect(try keys("cheap", ["limit": "2", "orders": "1, 2"]) == [1])
    #expect(try keys("cheap", ["limit": "2", "orders": "2"]) == [])
    #expect(try keys("inner", ["low": "10", "high": "15", "x": "7"]) == [1])
    #expect(try keys("having", ["order": "2"]) == [1] && keys("having", ["order": "3"]) == [])
    #expect(try keys("chosen", ["people": "1, 3"]) == [1, 3])
    #expect(throws: RecordAssignmentError.key(property: "$orders", text: "one")) {
      try keys("cheap", ["limit": "2", "orders": "one"])
    }
    let error = #expect(throws: RecordAssignmentError.self) { try keys("cheap", ["limit": "low", "orders": "1"]) }
    guard case .value(property: "$limit", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A fetched property is fetched for one object")
  func fetchedProperties() throws {
    func keys(_ property: String, _ entity: String, _ key: Int64) throws -> [Int64] {
      try store.keys(
        RecordRequest(fetchedProperty: property, of: RecordID(entity: entity, key: key), in: hierarchy))
    }
    #expect(try keys("twins", "Item", 1) == [3] && keys("twins", "Gift", 3) == [1] && keys("twins", "Item", 2) == [])
    #expect(try keys("twins", "Item", 99) == [] && keys("pens", "Item", 2) == [1, 3])
    for (property, entity, words) in [
      ("odd", "Item", "Item.odd: it needs $FETCHED_PROPERTY"),
      ("empty", "Item", "Item has no fetched property “empty”"),
      ("twin", "Gift", "Gift has no fetched property “twin”; nearest: twins"),
      ("pens", "Gft", "the model has no entity “Gft”"),
      ("pens", "Order", "Order has no fetched property “pens”"),
    ] {
      let error = #expect(throws: RecordRequestError.self) { try keys(property, entity, 1) }
      #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(String(describing: error))")
    }
  }

  @Test(
    "An unsupported setting of a template is named",
    arguments: [
      ("naned", [:], "the model has no fetch request template “naned”; nearest: named"),
      ("named", [:], "named: it needs $name"), ("all", ["name": "x"], "all: it does not have $name"),
      ("named", ["nam": "x"], "named: it needs $name and it does not have $nam"),
      ("counted", [:], "counted: the setting resultType=4 is not supported"),
      ("strange", [:], "strange: the setting fetchLimit=many"),
      ("new", [:], "new: the setting someday=YES is not supported"),
      ("broken", [:], "broken: at character 9: expected a value, found the end"),
      ("wrong", ["t": "x"], "at character 18: titel == "), ("lost", [:], "the model has no entity “Nothing”"),
    ] as [(String, [String: String], String)])
  func refused(_ template: String, _ variables: [String: String], _ words: String) {
    let error = #expect(throws: RecordRequestError.self) { try keys(template, variables) }
    #expect(
      error.map { "\($0)".hasPrefix(words) || "\($0)".contains("titel: Item has no property “titel”") } == true,
      "\(String(describing: error))")
  }

  @Test("A value that cannot be compared is refused by its variable")
  func noValue() {
    #expect(throws: RecordRequestError.variable("name", template: "named")) {
      try keys("named", ["name": RecordValue.composite([:])])
    }
  }
}
