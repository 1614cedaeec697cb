import Foundation
import GRDB

/// The tasks with GRDB's records over the same tables; they check nothing and keep no other side of a link.
struct WithRecords {
  let pool: DatabasePool

  init(store path: String) throws { pool = try DatabasePool(path: path) }

  struct Customer: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZCUSTOMER"
    var Z_PK: Int64
    var Z_ENT = 1
    var Z_OPT = 1
    var ZNUMBER: Int64?
    var ZREGISTRATIONDATE: Double?
    var ZEMAIL: String?
    var ZNAME: String?
  }

  struct Order: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZORDER"
    var Z_PK: Int64
    var Z_ENT = 2
    var Z_OPT = 1
    var ZISPAID: Bool?
    var ZNUMBER: Int64?
    var ZCUSTOMER: Int64?
    var ZDATE: Double?
    var ZSHIPPINGDATE: Double?
    var ZTOTAL: Double?
    var ZNOTE: String?
  }

  struct RowOfOrder: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZROWOFORDER"
    var Z_PK: Int64
    var Z_ENT = 3
    var Z_OPT = 1
    var ZPOSITION: Int64?
    var ZORDER: Int64?
    var ZSERVICE: Int64?
    var ZQUANTITY: Double?
    var ZSUM: Double?
  }

  func run(_ task: ObjectAccess.Task) throws -> (Duration, Int) {
    switch task {
    case .fetch: return try ObjectAccess.measured { try pool.read { try Order.fetchAll($0) }.count }
    case .include:
      return try ObjectAccess.measured {
        try pool.read { database in
          let orders = try Order.order(Column("Z_PK")).limit(1000).fetchAll(database)
          let customers = try Customer.fetchAll(database, keys: Set(orders.compactMap(\.ZCUSTOMER)))
          let rows = try RowOfOrder.filter(orders.map(\.Z_PK).contains(Column("ZORDER"))).fetchAll(database)
          return customers.count + rows.count
        }
      }
    case .count:
      return try ObjectAccess.measured {
        var found = 0
        for _ in 0..<20 {
          found = try pool.read {
            try Order.filter(Column("ZISPAID") == false && Column("ZTOTAL") > 50).fetchCount($0)
          }
        }
        return found
      }
    case .sum:
      return try ObjectAccess.measured {
        try pool.read { database in
          try Row.fetchAll(
            database, Order.select(Column("ZCUSTOMER"), sum(Column("ZTOTAL"))).group(Column("ZCUSTOMER"))
          ).count
        }
      }
    case .insert: return try ObjectAccess.measured { try insert() }
    case .update:
      return try ObjectAccess.measured {
        try pool.write { database in
          let orders = try Order.order(Column("Z_PK")).limit(10_000).fetchAll(database)
          for var order in orders {
            order.ZNOTE = "changed"
            order.Z_OPT += 1
            try order.update(database)
          }
          return orders.count
        }
      }
    case .delete:
      return try ObjectAccess.measured {
        try pool.write { database in
          let orders = try Order.order(Column("Z_PK")).limit(10_000).fetchAll(database).map(\.Z_PK)
          let rows = try RowOfOrder.filter(orders.contains(Column("ZORDER"))).deleteAll(database)
          return try rows + Order.deleteAll(database, keys: orders)
        }
      }
    case .get:
      let keys = try pool.read { try Order.order(Column("Z_PK")).limit(10_000).fetchAll($0).map(\.Z_PK) }
      return try ObjectAccess.measured { try keys.count { key in try pool.read { try Order.fetchOne($0, key: key) } != nil } }
    case .cursor:
      return try ObjectAccess.measured {
        try pool.read { database in
          var count = 0
          let cursor = try Order.fetchCursor(database)
          while try cursor.next() != nil { count += 1 }
          return count
        }
      }
    }
  }

  private func insert() throws -> Int {
    try pool.write { database in
      for number in 0..<Int64(1000) {
        try Customer(
          Z_PK: number + 1, ZNUMBER: number, ZREGISTRATIONDATE: Double(number),
          ZEMAIL: "customer\(number)@example.com", ZNAME: "Customer \(number)"
        ).insert(database)
      }
      for number in 0..<Int64(99_000) {
        try Order(
          Z_PK: number + 1, ZISPAID: number % 2 == 0, ZNUMBER: number, ZCUSTOMER: number % 1000 + 1,
          ZDATE: Double(number), ZTOTAL: Double(number), ZNOTE: "order \(number)"
        ).insert(database)
      }
      return 100_000
    }
  }
}
