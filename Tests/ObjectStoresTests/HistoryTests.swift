import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

/// Persistent history as Core Data writes it, in a store that has its tables.
@Suite("Persistent history is written")
struct HistoryTests {
  let shop: ShopStore

  init() throws {
    shop = try ShopStore()
    try HistoryTables.add(to: shop.path)
  }

  @Test("A save is a transaction: inserts, then updates with the bits of changed properties, then deletes")
  func transaction() throws {
    let (anna, bert) = (try shop.customer(), try shop.customer("Bert"))
    try shop.store.write(author: "import") { transaction in
      try transaction.delete(bert)
      try transaction.update(anna, ["name": .text("Emma"), "age": .number(20)])
      try transaction.insert("Item")
    }
    let texts = try shop.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK")
    #expect(texts.map { $0[0] } == [101, 102, 103])
    #expect(texts.map { $0[3] } == ["modelctl", ProcessInfo.processInfo.processName, "import"])
    #expect(texts.allSatisfy { $0[1] == 16003 && $0[2] == nil as Int? })
    let transactions = try shop.rows("SELECT Z_PK, ZAUTHORTS, ZPROCESSIDTS, Z_OPT, ZTIMESTAMP FROM ATRANSACTION")
    #expect(transactions.map { $0[0] } == [9, 10, 11] && transactions.map { $0[1] } == [101, 101, 103])
    let changes = try shop.rows(
      "SELECT Z_PK, ZCHANGETYPE, ZENTITYPK, hex(ZCOLUMNS), ZTRANSACTIONID FROM ACHANGE ORDER BY Z_PK")
    #expect(changes.map { $0[0] } == [41, 42, 43, 44, 45])
    #expect(changes.map { $0[1] } == [0, 0, 0, 1, 2])
    #expect(changes.map { $0[4] } == [9, 10, 11, 11, 11])
    let bitmap = HistoryBitmap(of: "Customer", in: shop.store.hierarchy)
    let bytes: Data = try #require(
      try shop.rows("SELECT ZCOLUMNS FROM ACHANGE WHERE ZCHANGETYPE = 1").first?[0] as Data?)
    #expect(bitmap.changes(in: bytes) == [.property("age"), .property("name")])
    let maxima = try shop.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT").map {
      $0[0] as Int?
    }
    #expect(maxima == [45, 11, 103])
  }

  @Test("An object whose to-many relationship changed has a new version and a change, with any inverse")
  func owner() throws {
    let anna = try shop.customer()
    try shop.store.write { try $0.insert("Order", ["customer": .object(anna)]) }
    #expect(try shop.record(anna)?.version == 2)
    #expect(try shop.store.history().last?.changes.last?.properties == ["orders"])
  }

  @Test("An object that a relationship without inverse leads to is changed with it")
  func incoming() throws {
    let model = ManagedObjectModel {
      Entity("Folder") { Relationship("children", toMany: "Account") }
      Entity("Account") { Attribute("name", .string).optional() }
    }
    let folder = try TemporaryFolder()
    let store = try ObjectStore.open(folder.path("a.sqlite"), model: model)
    try HistoryTables.add(to: folder.path("a.sqlite"))
    let children = PropertyAddress(entity: "Folder", property: "children")
    let (account, other) = try store.write { (try $0.insert("Account"), try $0.insert("Account")) }
    let owner = try store.write { try $0.insert("Folder", ["children": .objects([account])]) }
    func last() throws -> [HistoryChange] { try store.history().last?.changes ?? [] }
    #expect(try last().map(\.object) == [owner, account] && last().map(\.incoming) == [[], [children]])
    #expect(try store.read { try $0.object(account)?.version } == 2)
    try store.write { try $0.update(owner, ["children": .objects([other])]) }
    #expect(try last().map(\.object) == [account, other, owner])
    #expect(try last().map(\.incoming) == [[children], [children], []])
    #expect(try last().map(\.properties) == [[], [], ["children"]])
    // The hidden inverse has the first bit, the attribute the second.
    let bitmap = HistoryBitmap(of: "Account", in: store.hierarchy)
    #expect(bitmap.bytes(of: ["name"], incoming: [children]) == Data([0xC0]))
  }

  @Test("The first save makes the rows of the numbers, where a fresh store has none, and counts on from the next")
  func numbers() throws {
    try shop.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    for last in 1...2 {
      try shop.customer()
      let rows = try shop.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1")
      #expect(rows.map { $0[1] } == ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"] && rows.map { $0[2] } == [0, 0, 0])
      #expect(rows.map { $0[0] } == [16001, 16002, 16003] && rows.map { $0[3] } == [last, last, 2])
    }
    #expect(try shop.store.history().allSatisfy { $0.bundle == ProcessInfo.processInfo.processName })
  }

  @Test("A store of an older framework has the texts in the transaction")
  func withoutTexts() throws {
    try shop.execute("DROP TABLE ATRANSACTIONSTRING")
    try shop.customer()
    let save = try #require(try shop.store.history().last)
    #expect(save.author == "modelctl" && save.process == ProcessInfo.processInfo.processName && save.context == nil)
  }

  @Test("A save without changes, and a refused save, are not transactions")
  func nothing() throws {
    let anna = try shop.customer()
    try shop.store.write { try $0.update(anna, ["name": .text("Anna")]) }
    #expect(throws: SaveError.self) { try shop.store.write { try $0.update(anna, ["name": .null]) } }
    #expect(try shop.rows("SELECT * FROM ATRANSACTION").count == 1)
  }

  @Test("Bits are counted from the highest, over to-one relationships, attributes and to-many relationships")
  func bitmap() throws {
    let bitmap = HistoryBitmap(of: "Item", in: shop.store.hierarchy)
    let all = [HistoryBitmap.Bit.property("order"), .property("title")]
    #expect(bitmap.bits == all)
    #expect(bitmap.bytes(of: ["title"]) == Data([0x40]) && bitmap.bytes(of: ["order", "title"]) == Data([0xC0]))
    #expect(bitmap.changes(in: Data([0xFF, 0xFF])) == all && bitmap.changes(in: Data()) == [])
    let customer = HistoryBitmap(of: "Customer", in: shop.store.hierarchy).bits
    #expect(customer.first == .property("age") && customer.last == .property("orders"), "\(customer)")
  }
}

@Suite("Persistent history is read")
struct HistoryReadingTests {
  @Test("The record of a save is read: author, time, objects, properties, and values of deleted objects")
  func saves() throws {
    let shop = try HistoryTests().shop
    let anna = try shop.customer()
    try shop.store.write(author: "import") { transaction in
      try transaction.update(anna, ["name": "Emma", "age": 20])
      try transaction.insert("Item", ["title": "pen"])
    }
    try shop.store.write { try $0.delete(anna) }
    func history(_ change: (inout HistoryRequest) -> Void = { _ in }) throws -> [HistoryTransaction] {
      var request = HistoryRequest()
      change(&request)
      return try shop.store.history(request)
    }
    let all = try history()
    #expect(all.map(\.number) == [9, 10, 11] && all.map(\.author) == ["modelctl", "import", "modelctl"])
    #expect(all.allSatisfy { abs(($0.moment ?? 0) - Date().timeIntervalSinceReferenceDate) < 60 })
    #expect(all[0].process == ProcessInfo.processInfo.processName && all[0].context == nil)
    #expect(all[1].changes.map(\.kind) == [.insert, .update])
    #expect(all[1].changes[0].object == RecordID(entity: "Item", key: 1))
    #expect(all[1].changes[1].object == anna && all[1].changes[1].properties == ["age", "name"])
    #expect(all[2].changes[0].tombstone == ["name": "Emma"])
    #expect(try shop.store.history(after: 9).map(\.number) == [10, 11])
    #expect(try shop.store.history(after: 11) == [])
    #expect(try history { $0.author = "import" }.map(\.number) == [10])
    #expect(try history { $0.entity = "Thing" }.map { $0.changes.count } == [1])
    #expect(try history { $0.since = Date().timeIntervalSinceReferenceDate + 60 } == [])
    #expect(throws: RecordRequestError.self) { try history { $0.entity = "Thin" } }
    let other = try ShopStore()
    #expect(try other.store.history() == [])
  }
}
