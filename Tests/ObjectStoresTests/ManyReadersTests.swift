import Foundation
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("Many readers of a store")
struct ManyReadersTests {
  private func name(_ record: ObjectRecord?) -> RecordValue? { record?["name"] }

  @Test("Ten thousand readers next to a writer each see complete saves", arguments: [true, false])
  func readers(hasLog: Bool) async throws {
    let shop = try ShopStore()
    let store: ObjectStore
    if hasLog {
      store = shop.store
    } else {
      try shop.store.close()
      try shop.execute("PRAGMA journal_mode = DELETE")
      store = try shop.another()
    }
    let (first, second) = try await store.write { transaction in
      (try transaction.insert("Customer", ["name": "n0"]), try transaction.insert("Customer", ["name": "n0"]))
    }
    let whole = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<10_000 {
        group.addTask {
          try await store.read { reading in
            try name(reading.object(first)) == name(reading.object(second)) ? 1 : 0
          }
        }
      }
      group.addTask {
        for number in 1...20 {
          let name = RecordValue.text("n\(number)")
          try await store.write { transaction in
            try transaction.update(first, ["name": name])
            try transaction.update(second, ["name": name])
          }
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(whole == 10_000)
    try store.close()
  }
}
