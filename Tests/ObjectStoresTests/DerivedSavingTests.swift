import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Derived attributes follow the saved values")
struct DerivedSavingTests {
  /// A store, with the triggers that it was made with or without them, as Core Data leaves out some.
  private struct Subject {
    let folder: TemporaryFolder
    let store: ObjectStore

    init(_ model: ManagedObjectModel, hasTriggers: Bool = true) throws {
      folder = try TemporaryFolder()
      store = try ObjectStore.open(folder.path("derived.sqlite"), model: model)
      guard !hasTriggers else { return }
      let queue = try DatabaseQueue(path: folder.path("derived.sqlite"))
      try queue.writeWithoutTransaction { database in
        let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
        #expect(!names.isEmpty)
        for name in names { try database.execute(sql: "DROP TRIGGER \(SQLIdentifier(name).quoted)") }
      }
      try queue.close()
    }

    func execute(_ sql: String) throws {
      let queue = try DatabaseQueue(path: folder.path("derived.sqlite"))
      try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
      try queue.close()
    }

    func values(_ id: RecordID, _ names: String...) throws -> [RecordValue] {
      let record = try #require(try store.read { try $0.object(id) })
      return names.map { record[$0] ?? .null }
    }
  }

  private static let clubs = ManagedObjectModel {
    Entity("Person") {
      Attribute("name", .string)
      Attribute("plain", .string).optional().derived(from: "canonical:(name)")
      Attribute("loud", .string).optional().derived(from: "uppercase:(name)")
      Attribute("low", .string).optional().derived(from: "lowercase:(name)")
      Attribute("savedAt", .date).optional().derived(from: "now()")
      Attribute("orderCount", .integer64).optional().derived(from: "orders.@count")
      Attribute("total", .double).optional().derived(from: "orders.@sum.price")
      Attribute("clubCount", .integer64).optional().derived(from: "clubs.@count")
      Relationship("orders", toMany: "Order", inverse: "person")
      Relationship("clubs", toMany: "Club", inverse: "members")
    }
    Entity("Order") {
      Attribute("price", .double, default: 0)
      Attribute("personName", .string).optional().derived(from: "person.name")
      Relationship("person", toOne: "Person", inverse: "orders").optional()
    }
    Entity("Club") {
      Attribute("memberCount", .integer64).optional().derived(from: "members.@count")
      Relationship("members", toMany: "Person", inverse: "clubs")
    }
  }

  @Test("Forms of a text follow it: without case and accents, in upper case, in lower case")
  func texts() throws {
    let subject = try Subject(Self.clubs)
    let person = try subject.store.write { try $0.insert("Person", ["name": "Ärger ÇA"]) }
    #expect(try subject.values(person, "plain", "loud", "low") == ["arger ca", "ÄRGER ÇA", "ärger ça"])
    try subject.store.write { try $0.update(person, ["name": "Øre Straße"]) }
    #expect(try subject.values(person, "plain", "loud", "low") == ["øre strasse", "ØRE STRASSE", "øre straße"])
  }

  @Test("Counts, sums and values of another object follow every kind of change", arguments: [true, false])
  func links(_ hasTriggers: Bool) throws {
    let subject = try Subject(Self.clubs, hasTriggers: hasTriggers)
    let store = subject.store
    let (anna, bert) = try store.write { transaction in
      (try transaction.insert("Person", ["name": "Anna"]), try transaction.insert("Person", ["name": "Bert"]))
    }
    #expect(try subject.values(anna, "orderCount", "total", "clubCount") == [0, .null, 0])
    let (first, second, club) = try store.write { transaction in
      (
        try transaction.insert("Order", ["price": 2.5, "person": .object(anna)]),
        try transaction.insert("Order", ["price": 4.0, "person": .object(anna)]),
        try transaction.insert("Club", ["members": .objects([anna, bert])])
      )
    }
    #expect(try subject.values(anna, "orderCount", "total", "clubCount") == [2, 6.5, 1])
    #expect(try subject.values(bert, "orderCount", "total", "clubCount") == [0, .null, 1])
    #expect(try subject.values(club, "memberCount") == [2])
    #expect(try subject.values(first, "personName") == ["Anna"])
    try store.write { try $0.update(second, ["person": .object(bert)]) }
    #expect(try subject.values(anna, "orderCount", "total") == [1, 2.5])
    #expect(try subject.values(bert, "orderCount", "total") == [1, 4.0])
    #expect(try subject.values(second, "personName") == ["Bert"])
    try store.write { transaction in
      try transaction.update(first, ["price": 3.0])
      try transaction.update(bert, ["name": "Bernd"])
      try transaction.remove(bert, from: "members", of: club)
    }
    #expect(try subject.values(anna, "orderCount", "total") == [1, 3.0])
    #expect(try subject.values(second, "personName") == ["Bernd"])
    #expect(try subject.values(bert, "clubCount") == [0] && subject.values(club, "memberCount") == [1])
    try store.write { try $0.delete(second) }
    #expect(try subject.values(bert, "orderCount", "total") == [0, .null])
    try store.write { try $0.update(first, ["person": nil]) }
    #expect(try subject.values(anna, "orderCount", "total") == [0, .null])
    #expect(try subject.values(first, "personName") == [.null])
    try store.write { try $0.update(first, ["person": .object(anna)]) }
    try store.write { try $0.delete(anna) }
    #expect(try subject.values(first, "personName", "person") == [.null, .null])
    #expect(try subject.values(club, "memberCount") == [0])
  }

  private static let orders = ManagedObjectModel {
    Entity("Order") {
      Attribute("rowCount", .integer64).optional().derived(from: "rows.@count")
      Attribute("total", .double).optional().derived(from: "rows.@sum.price")
      Attribute("giftCount", .integer64).optional().derived(from: "gifts.@count")
      Attribute("giftTotal", .double).optional().derived(from: "gifts.@sum.price")
      Attribute("tagCount", .integer64).optional().derived(from: "tags.@count")
      Relationship("rows", toMany: "Row", inverse: "order")
      Relationship("gifts", toMany: "Row")
      Relationship("tags", toMany: "Tag", inverse: "orders")
    }
    Entity("Row") {
      Attribute("price", .double, default: 0)
      Relationship("order", toOne: "Order", inverse: "rows", deleteRule: .noAction).optional()
    }
    Entity("Tag") { Relationship("orders", toMany: "Order", inverse: "tags", deleteRule: .noAction) }
  }

  @Test(
    "A deleted object is in no count and no sum, also without an inverse or with the rule No Action",
    arguments: [true, false])
  func deletes(_ hasTriggers: Bool) throws {
    let subject = try Subject(Self.orders, hasTriggers: hasTriggers)
    let (order, rows, tags) = try subject.store.write { transaction in
      let rows = try [2.0, 3.0].map { try transaction.insert("Row", ["price": .attribute(.double($0))]) }
      let tags = try (0..<2).map { _ in try transaction.insert("Tag") }
      let order = try transaction.insert(
        "Order", ["rows": .objects(rows), "gifts": .objects([rows[1]]), "tags": .objects(tags)])
      return (order, rows, tags)
    }
    let names = ["rowCount", "total", "giftCount", "giftTotal", "tagCount"]
    func values() throws -> [RecordValue] {
      let record = try #require(try subject.store.read { try $0.object(order) })
      return names.map { record[$0] ?? .null }
    }
    #expect(try values() == [2, 5.0, 1, 3.0, 2])
    try subject.store.write { try $0.delete(rows[1]) }
    #expect(try values() == [1, 2.0, 0, .null, 2])
    try subject.store.write { try $0.delete(tags[0]) }
    #expect(try values() == [1, 2.0, 0, .null, 1])
  }

  @Test("now() is the moment of the last save of its row, and of no other")
  func moment() throws {
    let subject = try Subject(Self.clubs)
    let (anna, bert) = try subject.store.write { transaction in
      (try transaction.insert("Person", ["name": "Anna"]), try transaction.insert("Person", ["name": "Bert"]))
    }
    func moment(_ id: RecordID) throws -> Double? {
      guard case .attribute(.date(let moment))? = try subject.values(id, "savedAt").first else { return nil }
      return moment
    }
    let now = Date().timeIntervalSinceReferenceDate
    #expect(try abs((moment(anna) ?? 0) - now) < 60)
    try subject.execute("UPDATE ZPERSON SET ZSAVEDAT = 1")
    try subject.store.write { try $0.update(bert, ["name": "Bernd"]) }
    #expect(try moment(anna) == 1)
    #expect(try abs((moment(bert) ?? 0) - now) < 60)
    // A new child is a save of its parent.
    try subject.store.write { try $0.insert("Order", ["person": .object(anna)]) }
    #expect(try abs((moment(anna) ?? 0) - now) < 60)
  }
}
