import GRDB
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("A store that is open is never read or saved by an index that is wrong") struct WrongIndexTests {
  @Test("Reading and saving are refused until the index is created again", arguments: IndexFault.allCases)
  func refusal(_ fault: IndexFault) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    let made = try ObjectStore.open(path, model: ShopStore.model)
    try made.write { transaction in
      try transaction.insert("Customer", ["name": "Anna", "number": 1])
      try transaction.insert("Customer", ["name": "Bert", "number": 2])
      try transaction.insert("Customer", ["name": "Carl", "number": 3])
    }
    try made.close()
    let index = try #require(try IndexFault.indexes(of: path).first { $0.uppercased().contains("CUSTOMER_UNIQUE") })
    #expect(try fault.put(into: index, of: path))
    let store = try ObjectStore.open(path, model: ShopStore.model)
    let wanted = StoreError.staleIndexes(path: path, names: [index])
    #expect(throws: wanted) { try store.read { try $0.fetch(RecordRequest("Customer")) } }
    #expect(throws: wanted) {
      try store.write { try $0.insert("Customer", ["name": "Dora", "number": 1]) }
    }
    // A repair by another program is enough.
    try store.close()
    let writer = try StoreWriter(path: path)
    try writer.transaction { try $0.execute(sql: "REINDEX") }
    try writer.finish()
    let mended = try ObjectStore.open(path, model: ShopStore.model)
    #expect(try mended.read { try $0.count(RecordRequest("Customer")) } == 3)
    try mended.close()
  }
}
