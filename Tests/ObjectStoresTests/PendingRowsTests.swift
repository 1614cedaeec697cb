import GRDB
import ModelDescription
import StoreRows
import TestSupport
import Testing

@testable import ObjectStores

@Suite("A transaction reads its own changes")
struct PendingRowsTests {
  let shop: ShopStore

  init() throws { shop = try ShopStore() }

  @Test("An object that was changed and read again in one transaction can be changed again")
  func readAgain() throws {
    let anna = try shop.customer()
    try shop.store.write { transaction in
      try transaction.update(anna, ["age": .number(30)])
      var record = try #require(try transaction.object(anna))
      #expect(record["age"] == .number(30))
      #expect(record.version == 1)
      record.values["name"] = .text("Ann")
      try transaction.update(record)
      #expect(try transaction.object(anna)?["name"] == .text("Ann"))
    }
    let saved = try #require(try shop.record(anna))
    #expect(saved["age"] == .number(30))
    #expect(saved["name"] == .text("Ann"))
    #expect(saved.version == 2)
  }

  @Test("A loop of fetching and inserting sees its own inserts, and saves them once")
  func importing() throws {
    let numbers: [Int64] = [1, 2, 1, 3, 2, 1, 4]
    try shop.store.write { transaction in
      for number in numbers {
        let request = try RecordRequest("Customer", where: "number == \(number)")
        if let known = try transaction.fetch(request).first {
          try transaction.update(known.id, ["age": .number(18 + number)])
        } else {
          try transaction.insert("Customer", ["name": .text("No \(number)"), "number": .number(number)])
        }
      }
      #expect(try transaction.count(RecordRequest("Customer")) == 4)
    }
    let rows = try shop.rows("SELECT ZNUMBER, ZAGE, Z_OPT FROM ZCUSTOMER ORDER BY ZNUMBER")
    #expect(rows.map { $0[0] as Int64 } == [1, 2, 3, 4])
    #expect(rows.map { $0[1] as Int64? } == [19, 20, nil, nil])
    #expect(rows.allSatisfy { $0[2] as Int64 == 1 })
  }

  @Test("Two new objects of one unique value are refused at the next read")
  func collision() throws {
    try shop.customer("Anna", ["number": .number(1)])
    let problems = try shop.problems { transaction in
      try transaction.insert("Customer", ["name": .text("Bob"), "number": .number(1)])
      _ = try transaction.count(RecordRequest("Customer"))
    }
    #expect(problems.map(\.code) == [133_021])
    #expect(try shop.rows("SELECT ZNAME FROM ZCUSTOMER").count == 1)
  }

  @Test("A new object that a policy merged with a stored object is that object for later changes")
  func merged() throws {
    let anna = try shop.customer("Anna", ["number": .number(1)])
    try shop.store.write(merging: .propertiesOfMine) { transaction in
      let new = try transaction.insert("Customer", ["name": .text("Bob"), "number": .number(1)])
      #expect(try transaction.object(anna)?["name"] == .text("Bob"))
      try transaction.update(new, ["age": .number(40)])
      #expect(try transaction.object(anna)?["age"] == .number(40))
    }
    #expect(try shop.record(anna)?["age"] == .number(40))
    #expect(try shop.rows("SELECT 1 FROM ZCUSTOMER").count == 1)
  }

  /// It ends with the first delete: what a read finds deleted a later change may still take out of a cascade.
  @Test("Reading between changes does not change later results")
  func readingBetween() throws {
    var compared = 0
    for seed in 0..<UInt64(40) {
      var random = RandomSaving(seed: seed)
      let folder = try TemporaryFolder()
      let store = try ObjectStore.open(folder.path("random.sqlite"), model: random.model)
      defer { try? store.close() }
      var reference = ReferenceGraph(store.hierarchy)
      for _ in 0..<3 {
        var inserts: [RecordChanges.Operation] = []
        var others: [RecordChanges.Operation] = []
        var seen: [Set<ObjectRecord>?] = []
        _ = try? store.plan { transaction in
          let asked = try random.changes(of: reference) { try transaction.insert($0, $1) }
          inserts = asked.operations.filter(\.isInsert)
          seen = [try? Self.objects(transaction)]
          for operation in asked.operations where !operation.isInsert {
            try transaction.apply(operation)
            others.append(operation)
            seen.append(try? Self.objects(transaction))
            if case .delete = operation { return }
          }
        }
        for (count, expected) in seen.enumerated() {
          _ = try? store.plan { transaction in
            for operation in inserts + others.prefix(count) { try transaction.apply(operation) }
            #expect((try? Self.objects(transaction)) == expected, "seed \(seed)")
            compared += 1
          }
        }
        _ = try? store.write { transaction in
          for operation in inserts + others { try transaction.apply(operation) }
        }
        _ = reference.apply(RecordChanges(inserts + others))
      }
    }
    #expect(compared > 200)
  }

  private static func objects(_ transaction: StoreTransaction) throws -> Set<ObjectRecord> {
    Set(try ["E0", "E1"].flatMap { try transaction.fetch(RecordRequest($0)) })
  }
}

extension RecordChanges.Operation {
  var isInsert: Bool { if case .insert = self { true } else { false } }
}

extension StoreTransaction {
  func apply(_ operation: RecordChanges.Operation) throws {
    switch operation {
    case .insert(let id, let values): #expect(try insert(id.entity, values) == id)
    case .update(let update): try self.update(update)
    case .delete(let id, let version): try delete(id, version: version)
    }
  }
}
