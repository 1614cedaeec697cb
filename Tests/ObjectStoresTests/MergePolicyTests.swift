import GRDB
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

/// Two connections that change the same objects.
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
      problems.map(\.description) == [
        "another save changed Customer 1: version 1 was read, but the store has version 2"
      ])
    #expect(try shop.problems { try $0.delete(id, version: 1) }.map(\.code) == [133_020])
    #expect(try shop.record(id)?["name"] == .text("Anna"))
  }

  @Test(
    "Each policy decides whose properties are kept",
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

  @Test("My unchanged properties win only if my complete object wins")
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

  @Test(
    "A change of a deleted object is refused if my object wins, and dropped if the store's object wins",
    arguments: [
      (.error, true), (.propertiesOfMine, true), (.overwrite, true), (.propertiesOfStore, false), (.rollback, false),
    ] as [(MergePolicy, Bool)])
  func deleted(_ policy: MergePolicy, _ isRefused: Bool) throws {
    var (id, mine) = try stale()
    try other.write { try $0.delete(id) }
    mine.values["name"] = .text("Bert")
    let problems = try shop.problems(merging: policy) {
      try $0.insert("Item")
      try $0.update(mine)
    }
    #expect(problems.map(\.code) == (isRefused ? [133_020] : []))
    #expect(problems.map(\.description) == (isRefused ? ["Customer 1 does not exist any more"] : []))
    #expect(try shop.record(id) == nil)
    // The rest of the save does not depend on it.
    #expect(try shop.rows("SELECT 1 FROM ZTHING").count == (isRefused ? 0 : 1))
  }

  @Test(
    "A stale object is deleted if my object wins, and kept if the store's object wins",
    arguments: [
      (.propertiesOfMine, true), (.overwrite, true), (.propertiesOfStore, false), (.rollback, false),
    ] as [(MergePolicy, Bool)])
  func staleDelete(_ policy: MergePolicy, _ goes: Bool) throws {
    let (id, mine) = try stale()
    #expect(try shop.problems(merging: policy) { try $0.delete(id, version: mine.version) } == [])
    let left = try shop.record(id)
    #expect(left?.version == (goes ? nil : 2))
    #expect(goes ? left == nil : left?["age"] == .number(30))
  }

  @Test("A deleted object can be deleted again if a policy merges", arguments: MergePolicy.allCases)
  func goneDelete(_ policy: MergePolicy) throws {
    let (id, mine) = try stale()
    try other.write { try $0.delete(id) }
    let isRefused = policy == .error
    for version in [mine.version, nil] {
      let problems = try shop.problems(merging: policy) {
        try $0.insert("Item")
        try $0.delete(id, version: version)
      }
      #expect(problems.map(\.code) == (isRefused ? [133_020] : []))
      #expect(problems.map(\.description) == (isRefused ? ["Customer 1 does not exist any more"] : []))
    }
    #expect(try shop.rows("SELECT 1 FROM ZTHING").count == (isRefused ? 0 : 2))
  }

  @Test("A new child is a save of its parent, so that a change of the parent that was read before is stale")
  func child() throws {
    let id = try shop.customer()
    var mine = try #require(try shop.record(id))
    let order = try other.write { try $0.insert("Order", ["customer": .object(id)]) }
    mine.values["name"] = .text("Bert")
    let problems = try shop.problems { try $0.update(mine) }
    #expect(problems.map(\.code) == [133_020])
    #expect(
      problems.map(\.description) == [
        "another save changed Customer 1: version 1 was read, but the store has version 2"
      ])
    #expect(try shop.record(id)?["name"] == .text("Anna"))
    #expect(try shop.problems { try $0.delete(id, version: mine.version) }.map(\.code) == [133_020])
    #expect(try shop.problems(merging: .propertiesOfMine) { try $0.update(mine) } == [])
    let saved = try #require(try shop.record(id))
    #expect(saved["name"] == .text("Bert") && saved.version == 3)
    #expect(try shop.store.read { try $0.links(along: "orders", of: id) } == [order])
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

  @Test("A conflict of two unique properties names both, and a missing value never collides")
  func compound() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Seat") {
        Attribute("line", .integer64).optional()
        Attribute("number", .integer64).optional()
        Attribute("guest", .string).optional()
        UniquenessConstraint("line", "number")
      }
    }
    let store = try ObjectStore.open(folder.path("seats.sqlite"), model: model)
    let seats = try store.write { transaction in
      try [1, 2].map { try transaction.insert("Seat", ["line": 1, "number": .number($0)]) }
    }
    let problems = try store.problems { try $0.insert("Seat", ["line": 1, "number": 1]) }
    #expect(problems.map(\.code) == [133_021] && problems.map(\.property) == [nil])
    #expect(
      problems.map(\.description) == [
        "a new Seat has the same line and number as Seat 1, which must be unique"
      ])
    for _ in 0..<2 { #expect(try store.problems { try $0.insert("Seat", ["line": 1]) } == []) }
    #expect(
      try store.problems { transaction in
        try transaction.update(seats[0], ["number": 2])
        try transaction.update(seats[1], ["number": 1])
      } == [])
    #expect(
      try store.problems(merging: .propertiesOfMine) {
        try $0.insert("Seat", ["line": 1, "number": 1, "guest": "Anna"])
      } == [])
    #expect(try store.read { try $0.object(seats[1]) }?["guest"] == .text("Anna"))
  }

  @Test(
    "Two saved objects are never merged, with any policy",
    arguments: [.propertiesOfMine, .propertiesOfStore, .overwrite, .rollback] as [MergePolicy])
  func savedTwins(_ policy: MergePolicy) throws {
    try shop.customer("Anna", ["number": .number(1)])
    let bert = try shop.customer("Bert", ["number": .number(2)])
    let problems = try shop.problems(merging: policy) { try $0.update(bert, ["number": .number(1)]) }
    #expect(problems.map(\.code) == [133_021])
    #expect(problems.map(\.description) == ["Customer 2 has the same number as Customer 1, which must be unique"])
    #expect(try shop.rows("SELECT ZNUMBER FROM ZCUSTOMER ORDER BY Z_PK").map { $0[0] } == [1, 2])
  }

  @Test(
    "A new object with an existing unique value becomes that object, no matter who saved it",
    arguments: [
      (.propertiesOfMine, false, "Bert", 20), (.propertiesOfStore, false, "Anna", 20), (.overwrite, false, "Bert", nil),
      (.rollback, false, "Anna", 20), (.propertiesOfMine, true, "Bert", 20), (.propertiesOfStore, true, "Anna", 20),
      (.overwrite, true, "Bert", nil), (.rollback, true, "Anna", 20),
    ] as [(MergePolicy, Bool, String, Int64?)])
  func upsert(_ policy: MergePolicy, _ isOthers: Bool, _ name: String, _ age: Int64?) throws {
    let saver = isOthers ? other : shop.store
    let anna = try saver.write {
      try $0.insert("Customer", ["name": .text("Anna"), "number": .number(1), "age": .number(20)])
    }
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

  @Test(
    "To-many links of the dropped object move to the kept object, which keeps its own links",
    arguments: [
      (.propertiesOfMine, [2, 3]), (.propertiesOfStore, [2, 3]), (.overwrite, [2, 3]), (.rollback, [2]),
    ] as [(MergePolicy, [Int64])])
  func upsertedLinks(_ policy: MergePolicy, _ friends: [Int64]) throws {
    let anna = try shop.customer("Anna", ["number": .number(1)])
    let (carl, dora) = (try shop.customer("Carl", ["friends": .objects([anna])]), try shop.customer("Dora"))
    #expect(
      try shop.problems(merging: policy) {
        try $0.insert("Customer", ["name": .text("Bert"), "number": .number(1), "friends": .objects([dora])])
      } == [])
    #expect(try shop.store.read { try $0.links(along: "friends", of: anna) }.map(\.key).sorted() == friends)
    #expect(try shop.store.read { try $0.links(along: "friends", of: carl) } == [anna])
    #expect(try shop.store.read { try $0.links(along: "friends", of: dora) } == (friends.contains(3) ? [anna] : []))
    #expect(try shop.rows("SELECT 1 FROM ZCUSTOMER").count == 3)
  }
}
