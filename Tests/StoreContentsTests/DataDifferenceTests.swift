import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("The differences between the objects of two stores")
struct DataDifferenceTests {
  private func difference(_ first: String, _ second: String, _ names: [String] = []) throws -> [ObjectChange] {
    let hierarchy = try EntityHierarchy(ShopModel.model)
    let (before, after) = (try StoreReader(path: first), try StoreReader(path: second))
    defer {
      before.close()
      after.close()
    }
    return try DataDifference(
      from: before, to: after, of: hierarchy, matching: ObjectMatching(names, in: hierarchy)
    ).changes
  }

  @Test("Random edits give exactly the difference that was made", arguments: 1...UInt64(30))
  func randomEdits(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    try ShopModel.make(folder.path("a.sqlite"), customers: 300, orders: 40, tags: 5, seed: seed).close()
    try ShopModel.copy("a", to: "b", in: folder)
    #expect(try difference(folder.path("a.sqlite"), folder.path("b.sqlite")) == [])
    let store = try ObjectStore.open(folder.path("b.sqlite"), model: ShopModel.model)
    var expected: Set<String> = []
    let (orders, people, tags) = try store.read { reading in
      (
        try reading.fetch(RecordRequest("Order")), try reading.fetch(RecordRequest("Customer")),
        try reading.fetch(RecordRequest("Tag"))
      )
    }
    let chosen = people.shuffled(using: &random).prefix(3)
    let order = try #require(orders.randomElement(using: &random))
    let label = try #require(tags.randomElement(using: &random))
    let listed = try store.read { try $0.links(along: "tags", of: order.id) }
    let (kept, watchers) = try store.read {
      (try $0.links(along: "orders", of: label.id), try $0.links(along: "watchers", of: label.id))
    }
    let shuffled = Array(kept.filter { $0 != order.id }.reversed()) + kept.filter { $0 == order.id }
    try store.write { transaction in
      for person in chosen {
        try transaction.update(person.id, ["age": .attribute(.integer(-1))])
        expected.insert("\(person.id) age")
      }
      try transaction.update(order.id, ["note": .attribute(.string("other"))])
      expected.insert("\(order.id) note")
      let new = try transaction.insert("Member", ["email": .attribute(.string("new"))])
      expected.insert("added \(new)")
      try transaction.add(new, to: "watchers", of: label.id)
      expected.insert("\(label.id) watchers +\(new)")
      if shuffled != kept {
        try transaction.update(label.id, ["orders": .objects(shuffled)])
        expected.insert("\(label.id) orders reordered")
      }
      if let gone = people.first(where: { person in
        !chosen.contains(person) && !watchers.contains(person.id)
          && !orders.contains { $0["customer"] == .object(person.id) }
      }), !tags.indices.contains(people.firstIndex(of: gone) ?? 0) {
        try transaction.delete(gone.id)
        expected.insert("removed \(gone.id)")
      }
      if let other = tags.first(where: { $0.id != label.id && !listed.contains($0.id) }) {
        try transaction.add(other.id, to: "tags", of: order.id)
        expected.insert("\(order.id) tags +\(other.id)")
        expected.insert("\(other.id) orders +\(order.id)")
      } else if let other = listed.first(where: { $0 != label.id }) {
        try transaction.remove(other, from: "tags", of: order.id)
        expected.insert("\(order.id) tags -\(other)")
        expected.insert("\(other) orders -\(order.id)")
      }
    }
    try store.close()
    let found = try difference(folder.path("a.sqlite"), folder.path("b.sqlite"))
    #expect(Set(found.flatMap(\.words)) == expected)
    #expect(found.flatMap(\.words).count == expected.count)
    let back = try difference(folder.path("b.sqlite"), folder.path("a.sqlite"))
    #expect(back.count == found.count)
    #expect(expected.count > 5)
  }

  @Test("Objects are matched by unique attributes, and links through the match")
  func unique() throws {
    let folder = try TemporaryFolder()
    for (name, order) in [("a", ["x", "y", "z"]), ("b", ["z", "x", "y"])] {
      let store = try ObjectStore.open(folder.path("\(name).sqlite"), model: ShopModel.model)
      try store.write { transaction in
        for email in order {
          let person = try transaction.insert(
            "Customer",
            ["email": .attribute(.string(email)), "age": .attribute(.integer(name == "b" && email == "y" ? 2 : 1))])
          try transaction.insert("Order", ["note": .attribute(.string("of \(email)")), "customer": .object(person)])
        }
      }
      try store.close()
    }
    let (first, second) = (folder.path("a.sqlite"), folder.path("b.sqlite"))
    #expect(try difference(first, second).count == 6)
    let matched = try difference(first, second, ["unique", "Order.note"])
    #expect(
      matched == [
        .changed(
          RecordID(entity: "Customer", key: 2), to: RecordID(entity: "Customer", key: 3),
          [PropertyChange("age", .value(.attribute(.integer(1)), to: .attribute(.integer(2))))])
      ])
    let unknown = DataDifferenceError.versions(older: first, newer: second, version: nil)
    #expect(unknown.advice?.text == "see the versions: modelctl status \(first) \(second)")
    #expect(throws: DataDifferenceError.noAttribute("Order.nothing")) {
      try difference(first, second, ["Order.nothing"])
    }
    #expect(
      throws: DataDifferenceError.notUnique(path: first, entity: "Customer", attributes: ["age"], keys: [1, 2])
    ) { try difference(first, second, ["Customer.age"]) }
  }

  @Test("Large data is compared by its bytes")
  func external() throws {
    let folder = try TemporaryFolder()
    try ShopModel.make(folder.path("a.sqlite"), customers: 2, orders: 1, tags: 1, seed: 1).close()
    try ShopModel.copy("a", to: "b", in: folder)
    let store = try ObjectStore.open(folder.path("b.sqlite"), model: ShopModel.model)
    let id = RecordID(entity: "Customer", key: 1)
    try store.write { try $0.update(id, ["photo": .attribute(.binary(Data(count: 200_000)))]) }
    #expect(try difference(folder.path("a.sqlite"), folder.path("b.sqlite")) == [])
    try store.write { try $0.update(id, ["photo": .attribute(.binary(Data(count: 200_001)))]) }
    try store.close()
    let found = try difference(folder.path("a.sqlite"), folder.path("b.sqlite"))
    #expect(found.flatMap(\.words) == ["Customer 1 photo"])
  }
}

extension ObjectChange {
  /// A word a difference.
  fileprivate var words: [String] {
    switch self {
    case .added(let record): return ["added \(record.id)"]
    case .removed(let record): return ["removed \(record.id)"]
    case .changed(let id, _, let properties):
      return properties.flatMap { change -> [String] in
        switch change.content {
        case .value: ["\(id) \(change.property)"]
        case .list(let added, let removed, let isReordered):
          added.map { "\(id) \(change.property) +\($0)" } + removed.map { "\(id) \(change.property) -\($0)" }
            + (isReordered ? ["\(id) \(change.property) reordered"] : [])
        }
      }
    }
  }
}
