import GRDB
import ModelDescription
import PersistentStores
import StoreRows
import Testing

@Suite("The number of statements that objects are read with")
struct StatementCountTests {
  private final class Counter {
    var count = 0
  }

  let store: RowsStore

  /// The thousand customers that come to those of the store.
  private static let many: [Int64] = Array(101...1100)

  /// Each of them has an order with an item, which is the order's best one and a favourite.
  init() throws {
    store = try RowsStore()
    let layout = SQLStoreLayout(of: store.hierarchy)
    let (customer, item) = (layout.number(of: "Customer") ?? 0, layout.number(of: "Item") ?? 0)
    let order = layout.number(of: "Order") ?? 0
    let many = "WITH RECURSIVE n(i) AS (SELECT 101 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)"
    try store.execute(
      """
      \(many) INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT) SELECT i, \(customer), 1 FROM n;
      \(many) INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZCUSTOMER, ZBEST, Z\(item)_BEST)
        SELECT i, \(order), 1, i, i, \(item) FROM n;
      \(many) INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZORDER, Z_FOK_ORDER) SELECT i, \(item), 1, i, 2048 FROM n;
      """)
    let address = PropertyAddress(entity: "Customer", property: "favourites")
    let favourites = layout.storage(ofRelationship: address, in: store.hierarchy)
    if case .join(let table, let near, let far, _, let place?)? = favourites {
      try store.execute("\(many) INSERT INTO \(table) (\(near), \(far), \(place)) SELECT i, i, 2048 FROM n")
    }
  }

  /// How many statements a reading runs.
  private func statements(_ body: (RecordReading) throws -> Void) throws -> Int {
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    return try reader.read { database in
      let reading = try RecordReading(of: store.hierarchy, path: store.path, in: database)
      let counter = Counter()
      database.trace { _ in counter.count += 1 }
      defer { database.trace(options: []) }
      try body(reading)
      return counter.count
    }
  }

  @Test(
    "Included objects need one statement per relationship, two with an order or a join table, for any number of objects"
  )
  func inclusion() throws {
    let tree = InclusionTree(["orders.items", "orders.best", "favourites"])
    func count(of objects: Int, limit: Int?) throws -> Int {
      var request = RecordRequest("Customer")
      request.limit = limit
      return try statements { reading in
        let graph = try reading.fetch(request, including: tree)
        #expect(graph.objects.count == objects)
        #expect(graph.objects.last?["favourites"] != .objects([]))
      }
    }
    let one = try count(of: 1, limit: 1)
    #expect(one == 1 + 1 + 2 + 1 + 2)
    #expect(try count(of: 1003, limit: nil) == one)
  }

  @Test("Links take one, from one object or from a thousand", arguments: ["orders", "favourites"])
  func links(_ relationship: String) throws {
    for keys in [[1], Self.many] {
      let count = try statements { reading in
        let links = try reading.links(along: relationship, of: "Customer", from: keys)
        #expect(links.count == keys.count)
      }
      #expect(count == 1)
    }
  }

  @Test("Objects of some keys take one, and one more for each entity of a family, however many there are")
  func records() throws {
    func count(_ entity: String, _ keys: [Int64], found: Int) throws -> Int {
      try statements { reading in
        let records = try reading.records(of: entity, keys: keys)
        #expect(records.count == found)
      }
    }
    for keys in [[101], Self.many] {
      #expect(try count("Customer", keys, found: keys.count) == 1)
      #expect(try count("Item", keys, found: keys.count) == 2)
    }
    #expect(try count("Item", [3] + Self.many, found: 1001) == 3)
    #expect(try count("Gift", [3] + Self.many, found: 1) == 2)
  }
}
