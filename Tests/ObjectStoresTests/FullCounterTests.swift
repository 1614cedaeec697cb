import GRDB
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("A counter of a store that is as high as it can be")
struct FullCounterTests {
  private let shop: ShopStore
  private let item: RecordID

  init() throws {
    shop = try ShopStore()
    try HistoryTables.add(to: shop.path)
    item = try shop.store.write { try $0.insert("Item", ["title": .text("pen")]) }
  }

  @Test("An object of the maximum version is refused, and kept")
  func version() throws {
    try shop.execute("UPDATE ZTHING SET Z_OPT = \(Int64.max)")
    #expect(throws: RecordWritingError.noVersions(item)) {
      try shop.store.write { try $0.update(item, ["title": .text("ink")]) }
    }
    #expect(try shop.record(item)?["title"] == .text("pen") && shop.record(item)?.version == Int64.max)
    #expect(RecordWritingError.noVersions(item).description.hasPrefix("Item 1 has the greatest version"))
    try shop.store.write { try $0.delete(item) }
    #expect(try shop.record(item) == nil)
  }

  @Test(
    "A number of persistent history is refused, and nothing is saved",
    arguments: [(16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING")])
  func history(_ number: Int, _ name: String) throws {
    try shop.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_ENT = \(number)")
    #expect(throws: RecordWritingError.noKeys(entity: name)) {
      try shop.store.write(author: "somebody") { try $0.update(item, ["title": .text("ink")]) }
    }
    #expect(try shop.record(item)?["title"] == .text("pen") && shop.store.history().count == 1)
  }

  @Test("The last numbers of changes are given, and none after them")
  func lastChanges() throws {
    try shop.execute("INSERT INTO ACHANGE (Z_PK, Z_ENT) VALUES (\(Int64.max - 2), 16001)")
    func insert(_ count: Int) throws {
      try shop.store.write { transaction in
        for _ in 0..<count { _ = try transaction.insert("Item", ["title": .text("ink")]) }
      }
    }
    #expect(throws: RecordWritingError.noKeys(entity: "CHANGE")) { try insert(3) }
    #expect(try shop.rows("SELECT * FROM ZTHING").count == 1)
    try insert(2)
    let row = try #require(try shop.rows("SELECT MAX(Z_PK) FROM ACHANGE").first)
    let greatest: Int64 = row[0]
    #expect(greatest == .max)
    #expect(throws: RecordWritingError.noKeys(entity: "CHANGE")) { try insert(1) }
  }
}
