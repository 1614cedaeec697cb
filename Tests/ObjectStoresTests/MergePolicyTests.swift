import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

/// Two connections that change the same objects: spec/writing-rows.md §9.
@Suite("Conflicts and merge policies")
struct MergePolicyTests {
  let shop: ShopStore
  let other: ObjectStore

  init() throws {
    shop = try ShopStore()
    other = try shop.another()
  }

  /// Anna as two programs read her, after the other one has saved age 30.
  private func stale() throws -> (id: RecordID, mine: ObjectRecord) {
    let id = try shop.customer("Anna", ["age": .number(20), "number": .number(1)])
    let mine = try #require(try shop.record(id))
    try other.write { try $0.update(id, ["age": .number(30)]) }
    return (id, mine)
  }

  @Test("Without a policy a stale object is not saved, and both versions are reported")
  func error() throws {
    var (id, mine) = try stale()
    mine.values["name"] = .text("Bert")
    let problems = try shop.problems { try $0.update(mine) }
    #expect(problems.map(\.code) == [133_020])
    #expect(
      problems.map(\.description) == ["Customer 1 was saved by somebody else: version 1 was read, and 2 is there"])
    #expect(try shop.problems { try $0.delete(id, version: 1) }.map(\.code) == [133_020])
    #expect(try shop.record(id)?["name"] == .text("Anna"))
  }

  @Test(
    "Each policy says whose properties stay",
    arguments: [
      (.propertiesOfMine, "Bert", 25), (.propertiesOfStore, "Bert", 30), (.overwrite, "Bert", 25),
      (.rollback, "Anna", 30),
    ] as [(MergePolicy, String, Int64)])
  func policies(_ policy: MergePolicy, _ name: String, _ age: Int64) throws {
    var (id, mine) = try stale()
    (mine.values["name"], mine.values["age"]) = (.text("Bert"), .number(25))
    #expect(try shop.problems(merging: policy) { try $0.update(mine) } == [])
    let saved = try #require(try shop.record(id))
    #expect(saved["name"] == .text(name) && saved["age"] == .number(age))
    #expect(saved.version == (policy == .rollback ? 2 : 3))
  }

  @Test("What I did not change wins only where my whole object does")
  func untouched() throws {
    for (policy, age) in [(MergePolicy.propertiesOfMine, Int64(30)), (.overwrite, 20)] {
      let shop = try ShopStore()
      let id = try shop.customer("Anna", ["age": .number(20)])
      var mine = try #require(try shop.record(id))
      try shop.another().write { try $0.update(id, ["age": .number(30)]) }
      mine.values["name"] = .text("Bert")
      #expect(try shop.problems(merging: policy) { try $0.update(mine) } == [])
      #expect(try shop.record(id)?["age"] == .number(age), "\(policy)")
    }
  }

  @Test("An object that somebody deleted cannot be changed")
  func deleted() throws {
    var (id, mine) = try stale()
    try other.write { try $0.delete(id) }
    mine.values["name"] = .text("Bert")
    #expect(try shop.problems { try $0.update(mine) }.map(\.description) == ["Customer 1 is not there any more"])
    #expect(try shop.problems { try $0.delete(id) }.map(\.code) == [133_020])
    #expect(try shop.problems(merging: .rollback) { try $0.update(mine) } == [])
  }

  @Test("Two objects with the same unique value are reported by name")
  func unique() throws {
    let anna = try shop.customer("Anna", ["number": .number(1)])
    let bert = try shop.customer("Bert", ["number": .number(2)])
    let problems = try shop.problems { try $0.update(bert, ["number": .number(1)]) }
    #expect(problems.map(\.code) == [133_021])
    #expect(problems.map(\.description) == ["Customer 2 has the same number as Customer 1, which must be unique"])
    #expect(
      try shop.problems { transaction in
        for _ in 0..<2 { try transaction.insert("Customer", ["name": .text("Both"), "number": .number(3)]) }
      }.map(\.code) == [133_021])
    // Two that trade their values, and one that takes the value of one that goes.
    #expect(
      try shop.problems {
        try $0.update(anna, ["number": .number(2)])
        try $0.update(bert, ["number": .number(1)])
      } == [])
    #expect(
      try shop.problems {
        try $0.delete(anna)
        try $0.insert("Customer", ["name": .text("Carl"), "number": .number(2)])
      } == [])
    #expect(try shop.problems { try $0.update(bert, ["number": .null]) } == [])
  }

  @Test(
    "A new object with a unique value that is there becomes that object",
    arguments: [
      (.propertiesOfMine, "Bert", 20), (.propertiesOfStore, "Anna", 20), (.overwrite, "Bert", nil),
      (.rollback, "Anna", 20),
    ] as [(MergePolicy, String, Int64?)])
  func upsert(_ policy: MergePolicy, _ name: String, _ age: Int64?) throws {
    let anna = try shop.customer("Anna", ["number": .number(1), "age": .number(20)])
    var made: [RecordID] = []
    #expect(
      try shop.problems(merging: policy) { transaction in
        let bert = try transaction.insert("Customer", ["name": .text("Bert"), "number": .number(1)])
        made = [bert, try transaction.insert("Order", ["customer": .object(bert)])]
      } == [])
    let saved = try #require(try shop.record(anna))
    #expect(saved["name"] == .text(name) && saved["age"] == age.map { .number($0) } ?? .null)
    #expect(try shop.record(made[0]) == nil)
    // Links of the dropped object lead to the kept one.
    #expect(try shop.record(made[1])?["customer"] == .object(anna))
    #expect(saved["orderCount"] == .number(1))
  }
}
