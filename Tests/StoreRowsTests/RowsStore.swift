import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreRows
import TestSupport

/// A small store of customers, orders, items and gifts, with rows whose keys the tests name.
final class RowsStore {
  private static let address = Composite("Address") {
    Attribute("street", .string).optional()
    Attribute("zip", .string).optional()
  }

  static let model = ManagedObjectModel {
    address
    Entity("Customer") {
      Attribute("name", .string).optional()
      Attribute("since", .date).optional()
      Attribute("isVip", .boolean).optional()
      Attribute("balance", .decimal).optional()
      Attribute("token", .uuid).optional()
      Attribute("home", .uri).optional()
      Attribute("photo", .binary).optional().allowsExternalBinaryDataStorage()
      Attribute("score", .integer16).optional()
      Attribute("rate", .double).optional()
      Attribute("address", .composite(address)).optional()
      Attribute("nickname", .string).optional().transient()
      Relationship("orders", toMany: "Order", inverse: "customer")
      Relationship("favourites", toMany: "Item", inverse: "fans").ordered()
    }
    Entity("Item") {
      Attribute("title", .string).optional()
      Attribute("price", .double).optional()
      Relationship("order", toOne: "Order", inverse: "items").optional()
      Relationship("fans", toMany: "Customer", inverse: "favourites")
    }
    Entity("Gift", parent: "Item") {
      Attribute("wrap", .string).optional()
    }
    Entity("Order") {
      Attribute("number", .integer64).optional()
      Relationship("customer", toOne: "Customer", inverse: "orders").optional()
      Relationship("items", toMany: "Item", inverse: "order").ordered()
      Relationship("best", toOne: "Item").optional()
    }
  }

  let folder: TemporaryFolder
  let hierarchy: EntityHierarchy
  var path: String { folder.path("shop.sqlite") }

  /// Three customers, the last with only a key; three orders, the last without a customer; four items, one of them a
  /// gift.
  init() throws {
    folder = try TemporaryFolder()
    hierarchy = try EntityHierarchy(Self.model)
    try StoreCreator(of: hierarchy).create(at: folder.path("shop.sqlite"))
    let numbers = SQLStoreLayout(of: hierarchy)
    let (customer, item) = (numbers.number(of: "Customer") ?? 0, numbers.number(of: "Item") ?? 0)
    let (gift, order) = (numbers.number(of: "Gift") ?? 0, numbers.number(of: "Order") ?? 0)
    try execute(
      """
      INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSINCE, ZISVIP, ZBALANCE, ZTOKEN, ZHOME, ZPHOTO, ZSCORE, ZRATE,
        ZSTREET) VALUES
        (1, \(customer), 3, 'Émile', 86400.5, 1, 7, x'000102030405060708090a0b0c0d0e0f', 'https://a.example', x'01aabb',
          7, 0.5, 'Rue 1'),
        (2, \(customer), 1, 'zoe', 0, 0, 2.25, NULL, NULL, NULL, -7, 2.5, NULL),
        (3, \(customer), 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZCUSTOMER, ZBEST, Z\(item)_BEST) VALUES
        (1, \(order), 1, 10, 1, 3, \(gift)), (2, \(order), 1, 20, 1, NULL, NULL), (3, \(order), 1, 0, NULL, 1, \(item));
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPRICE, ZORDER, Z_FOK_ORDER, ZWRAP) VALUES
        (1, \(item), 1, 'pen', 1.5, 1, 3072, NULL), (2, \(item), 1, 'ink', 2.5, 1, 2048, NULL),
        (3, \(gift), 1, 'pen', NULL, 2, 2048, 'red'), (4, \(item), 1, NULL, 1.5, NULL, NULL, NULL);
      """)
    let layout = SQLStoreLayout(of: hierarchy)
    let address = PropertyAddress(entity: "Customer", property: "favourites")
    if case .join(let table, let near, let far, _, let place?)? = layout.storage(ofRelationship: address, in: hierarchy)
    {
      try execute(
        "INSERT INTO \(table) (\(near), \(far), \(place)) VALUES (1, 3, 20), (1, 1, 30), (1, 2, 10), (2, 3, 5)")
    }
  }

  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Reads the store as users do.
  func read<Value>(_ body: (RecordReading) throws -> Value) throws -> Value {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read { try body(RecordReading(of: hierarchy, path: path, in: $0)) }
  }

  /// The keys of the objects that a request gives.
  func keys(_ request: RecordRequest) throws -> [Int64] { try read { try $0.fetch(request).map(\.id.key) } }
}
