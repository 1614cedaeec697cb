import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import PredicateOracle
import StoreRows
import Testing

@Suite("A predicate has the same result for objects in memory and for rows")
struct RecordEvaluatorTests {
  let store: RowsStore

  init() throws { store = try RowsStore() }

  /// Every object with its links.
  private func objects() throws -> RecordObjects {
    try store.read { reading in
      var objects = RecordObjects(store.hierarchy, of: store.path)
      for entity in store.hierarchy.model.entities {
        var request = RecordRequest(entity.name)
        request.includesSubentities = false
        for var record in try reading.fetch(request) {
          for relationship in store.hierarchy.allRelationships(of: entity.name).values.map(\.property)
          where relationship.isToMany {
            let links = try reading.links(along: relationship.name, of: entity.name, from: [record.id.key])
            record.values[relationship.name] = .objects(links[record.id.key] ?? [])
          }
          objects.insert(record)
        }
      }
      return objects
    }
  }

  private func keys(_ request: RecordRequest, _ objects: RecordObjects) throws -> [Int64] {
    let evaluator = try RecordEvaluator(request, over: objects, now: Date().timeIntervalSinceReferenceDate)
    let all = try store.read { reading in
      try ["Customer", "Order", "Item"].flatMap { try reading.fetch(RecordRequest($0)).map(\.id) }
    }
    return try all.filter { try evaluator.matches($0) }.map(\.key)
  }

  @Test(
    "Predicates find the same objects in both",
    arguments: [
      ("Customer", "score == nil"), ("Customer", "score != 7"), ("Customer", "NOT score == 7"),
      ("Customer", "score != rate"), ("Customer", "score == rate OR score == nil"),
      ("Customer", "score BETWEEN {-7, 0}"), ("Customer", "score IN {7, nil}"), ("Customer", "NOT score IN {7, nil}"),
      ("Customer", "name ==[cd] 'EMILE'"), ("Customer", "name LIKE[c] '?MILE'"), ("Customer", "name MATCHES '[a-z]+'"),
      ("Customer", "name BEGINSWITH 'É'"), ("Customer", "name ENDSWITH[c] 'E'"), ("Customer", "'oe' IN name"),
      ("Customer", "address.street == 'Rue 1'"), ("Customer", "address.zip == nil"), ("Customer", "isVip == YES"),
      ("Customer", "balance > 2.2"), ("Customer", "since < now()"), ("Customer", "photo != nil"),
      ("Customer", "photo == CAST('qrs=', 'NSData')"), ("Customer", "token.UUIDString BEGINSWITH '0001'"),
      ("Customer", "home.absoluteString CONTAINS 'example'"), ("Customer", "score > 0 AND 14 / score == 2"),
      ("Customer", "ANY orders.number > 15"), ("Customer", "ALL orders.number > 15"),
      ("Customer", "NONE orders.number > 15"),
      ("Customer", "ALL favourites.price > 1"), ("Customer", "orders.@count > 1"),
      ("Customer", "ANY favourites.price == nil"), ("Customer", "NONE favourites.price == nil"),
      ("Customer", "ALL favourites.price != nil"), ("Customer", "NONE favourites.price > 2"),
      ("Customer", "ANY orders.best == nil"), ("Customer", "ANY orders.best.title == nil"),
      ("Customer", "ALL orders.best.title == 'pen'"), ("Customer", "ANY orders.best.order.number == 20"),
      ("Customer", "ANY orders.best.fans != nil"), ("Customer", "ANY {score, 7} == nil"),
      ("Customer", "NONE favourites.@distinctUnionOfObjects.price == nil"),
      ("Customer", "orders.@sum.number == 30"),
      ("Customer", "orders.@max.number == 20"), ("Customer", "favourites.@avg.price > 1.3"),
      ("Customer", "SUBQUERY(orders, $o, $o.number > 15 AND $o.customer == SELF).@count == 1"),
      ("Customer", "orders.@distinctUnionOfSets.items.@count == 3"), ("Customer", "length(name) == 5"),
      ("Customer", "uppercase(name) == 'ZOE'"), ("Customer", "canonical(name) == 'emile'"),
      ("Customer", "TERNARY(score > 0, name, 'x') == 'x'"), ("Customer", "CAST(score, 'NSString') == '7'"),
      ("Customer", "rate ** 2 > 1"), ("Customer", "abs(score) == 7"), ("Order", "customer == nil"),
      ("Order", "customer.name == nil"), ("Order", "customer.orders.@count == 2"), ("Order", "best.title == 'pen'"),
      ("Order", "SELF IN customer.orders"), ("Order", "customer == CAST('Customer/p1', 'NSManagedObjectID')"),
      ("Customer", "orders CONTAINS CAST('Order/p1', 'NSManagedObjectID')"), ("Order", "customer.orders CONTAINS SELF"),
      ("Customer", "orders.number CONTAINS 10"), ("Customer", "NOT orders.number CONTAINS 10"),
      ("Customer", "favourites.title CONTAINS[c] 'PEN'"), ("Customer", "{7, 8} CONTAINS score"),
      ("Item", "order.customer.score > 0"), ("Item", "ANY fans.score < 0"), ("Item", "title == order.items.@max.title"),
      ("Gift", "wrap == 'red'"), ("Item", "SELF == CAST('Item/p3', 'NSManagedObjectID')"), ("Item", "TRUEPREDICATE"),
    ])
  func same(_ entity: String, _ text: String) throws {
    let request = try RecordRequest(entity, where: text)
    let found = try store.keys(request)
    #expect(try keys(request, objects()) == found)
    #expect(text.contains("NOT score IN") || text == "SELF == nil" || !found.isEmpty, "nothing is found: \(text)")
  }

  @Test("An unknown result is not true and not false")
  func unknown() throws {
    let objects = try objects()
    let evaluator = try RecordEvaluator(RecordRequest("Customer", where: "score > 0"), over: objects, now: 0)
    let answers = try (1...3).map { try evaluator.holds(for: RecordID(entity: "Customer", key: $0)) }
    #expect(answers == [true, false, nil])
  }

  @Test("An object of another entity, and one that is not there, does not match")
  func others() throws {
    var objects = try objects()
    let all = try RecordEvaluator(RecordRequest("Gift"), over: objects, now: 0)
    #expect(try all.matches(RecordID(entity: "Gift", key: 3)) && !all.matches(RecordID(entity: "Item", key: 1)))
    #expect(try !all.matches(RecordID(entity: "Gift", key: 99)))
    objects.remove(RecordID(entity: "Gift", key: 3))
    let now = try RecordEvaluator(RecordRequest("Gift"), over: objects, now: 0)
    #expect(try !now.matches(RecordID(entity: "Gift", key: 3)))
    let links = try RecordEvaluator(RecordRequest("Customer", where: "favourites.@count == 2"), over: objects, now: 0)
    #expect(try links.matches(RecordID(entity: "Customer", key: 1)))
  }

  @Test("A property that was not read is named, and so is an error that stops a fetch")
  func notRead() throws {
    let id = RecordID(entity: "Customer", key: 1)
    let record = ObjectRecord(id: id, version: 1, values: ["score": 0, "rate": nil])
    let objects = RecordObjects(store.hierarchy, [record])
    func holds(_ text: String) throws -> Bool? {
      try RecordEvaluator(RecordRequest("Customer", where: text), over: objects, now: 0).holds(for: id)
    }
    #expect(throws: RecordEvaluationError.notRead("orders", of: id)) { try holds("orders.@count > 0") }
    #expect(throws: RecordEvaluationError.notRead("name", of: id)) { try holds("score == 0 AND name == 'x'") }
    #expect(try holds("score == 1 AND name == 'x'") == false)
    #expect(throws: (any Error).self) { try holds("rate + 14 / score == 2") }
    let error = #expect(throws: (any Error).self) { try holds("14 / score == 2") }
    #expect(error.map { "\($0)" } == "Customer with Z_PK 1: 14 / score: the divisor is zero")
  }

  @Test("A predicate that means nothing is refused with its place")
  func refused() throws {
    let error = #expect(throws: RecordRequestError.self) {
      try RecordEvaluator(RecordRequest("Customer", where: "score > 1 OR scor < 1"), over: objects(), now: 0)
    }
    #expect(error.map { "\($0)".hasPrefix("at character 14: scor: Customer has no property “scor”") } == true)
    #expect(throws: RecordRequestError.self) { try RecordEvaluator(RecordRequest("Custmer"), over: objects(), now: 0) }
  }

  @Test("External data is read from its file when it is compared, and not to see whether it is there")
  func externalData() throws {
    let name = "8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11"
    let folder = URL(fileURLWithPath: ExternalData.folder(ofStore: store.path))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try Data([1, 2, 3]).write(to: file)
    let bytes = Data(name.utf8).map { String($0, radix: 16) }.joined()
    try store.execute("UPDATE ZCUSTOMER SET ZPHOTO = x'02\(bytes)00' WHERE Z_PK = 2")
    let equal = try RecordRequest("Customer", where: "photo == %@", Data([1, 2, 3]))
    #expect(try store.keys(equal) == [2] && keys(equal, objects()) == [2])
    try FileManager.default.removeItem(at: file)
    let present = try RecordRequest("Customer", where: "photo != nil")
    #expect(try store.keys(present) == [1, 2] && keys(present, objects()) == [1, 2])
    let missing = "Customer with Z_PK 2: photo: the external data file \(name) is not in \(folder.path)"
    let error = #expect(throws: (any Error).self) { try keys(equal, objects()) }
    #expect(error.map { "\($0)" } == missing)
    #expect(throws: StoreError.noValue(path: store.path, detail: missing)) { try store.keys(equal) }
  }
}
