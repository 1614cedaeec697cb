import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows
import TestSupport
import Testing

@Suite("A store that is open")
struct ObjectStoreTests {
  let shop: ShopStore

  init() throws { shop = try ShopStore() }

  private func findings() throws -> [StoreFinding] {
    let reader = try StoreReader(path: shop.path)
    defer { reader.close() }
    return try reader.verify(against: shop.store.hierarchy)
  }

  // MARK: Opening

  @Test("A missing store is made, a current one opened, an older one migrated")
  func opening() throws {
    #expect(shop.store.opening == .created)
    let anna = try shop.customer()
    #expect(try shop.another().opening == .opened)
    try shop.store.close()
    var newer = ShopStore.model
    newer.entities[0].attributes.append(AttributeDescription(name: "note", type: .string, isOptional: true))
    let versions = [
      try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: false, model: ShopStore.model),
      try LoadedVersion(bundle: "Shop", name: "v2", isCurrent: true, model: newer),
    ]
    let request = MigrationRequest(path: shop.path, versions: versions, destination: versions[1])
    var options = OpeningOptions()
    options.migration = .refuse
    let bytes = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    #expect(throws: ObjectStoreError.older(path: shop.path, version: "v1", wanted: "v2")) {
      try ObjectStore.open(request, options: options)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: shop.path)) == bytes)
    // Somebody migrated it since its model was looked at.
    #expect(throws: ObjectStoreError.older(path: shop.path, version: nil, wanted: "current")) {
      try ObjectStore.open(shop.path, having: newer, options: OpeningOptions())
    }
    let known = try ObjectStore.open(shop.path, having: ShopStore.model, options: OpeningOptions())
    #expect(known.opening == .opened)
    try known.close()
    let unknown = ObjectStoreError.older(path: "shop.sqlite", version: nil, wanted: "v2")
    #expect(unknown.advice?.text == "find the nearest version: modelctl status shop.sqlite")
    options.migration = .to("v3")
    #expect(throws: ObjectStoreError.unknownVersion("v3", known: ["v1", "v2"])) {
      try ObjectStore.open(request, options: options)
    }
    options.migration = .to("v1")
    #expect(try ObjectStore.open(request, options: options).opening == .opened)
    let store = try ObjectStore.open(request)
    #expect(store.opening == .migrated(from: "v1", to: "v2", backup: nil))
    try store.write { try $0.update(anna, ["note": .text("hello")]) }
    #expect(try store.read { try $0.object(anna)?["note"] } == .text("hello"))
  }

  @Test("A store is migrated to the requested version, and loses only named data")
  func chosenVersion() throws {
    try shop.customer()
    try shop.store.close()
    var older = ShopStore.model
    older.entities[0].attributes.removeAll { $0.name == "isVip" }
    let versions = [
      try LoadedVersion(bundle: "Shop", name: "v0", isCurrent: false, model: older),
      try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: true, model: ShopStore.model),
    ]
    let request = MigrationRequest(path: shop.path, versions: versions, destination: versions[1])
    var options = OpeningOptions()
    options.migration = .to("v0")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    #expect(throws: MigrationBlocked.self) { try ObjectStore.open(request, options: options) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: shop.path)) == bytes)
    options.migration = .to("v0", allowingLossOf: ["Customer.isVip"])
    let store = try ObjectStore.open(request, options: options)
    #expect(store.opening == .migrated(from: "v1", to: "v0", backup: shop.path + ".v1.backup"))
    #expect(try store.read { try $0.fetch(RecordRequest("Customer")).map { $0["isVip"] } } == [nil])
  }

  @Test("A store that keeps no model of its own cannot be opened without one")
  func ownModel() throws {
    #expect(throws: ObjectStoreError.noModel(path: shop.path)) { try ObjectStore.open(at: shop.path) }
    let missing = shop.folder.path("none.sqlite")
    #expect(throws: ObjectStoreError.missing(path: missing)) { try ObjectStore.open(at: missing) }
  }

  @Test("A file that is not a store, and a missing file, are refused and unchanged")
  func refusals() throws {
    let path = shop.folder.path("note.txt")
    try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) { try ObjectStore.open(path, model: ShopStore.model) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("hello".utf8))
    var options = OpeningOptions()
    options.createsMissing = false
    let missing = shop.folder.path("none.sqlite")
    #expect(throws: ObjectStoreError.missing(path: missing)) {
      try ObjectStore.open(missing, model: ShopStore.model, options: options)
    }
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test("A store that was replaced or migrated while it is open is not written to")
  func replaced() throws {
    let anna = try shop.customer()
    try shop.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
    #expect(throws: ObjectStoreError.replaced(path: shop.path)) { try shop.record(anna) }
    #expect(throws: ObjectStoreError.replaced(path: shop.path)) { try shop.customer() }
  }

  @Test("A store that CloudKit mirrors is read, and written only on request")
  func mirrored() throws {
    let anna = try shop.customer()
    try shop.execute("CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)")
    #expect(try shop.record(anna) != nil)
    #expect(throws: ObjectStoreError.mirrored(path: shop.path)) { try shop.customer() }
    #expect(throws: ObjectStoreError.mirrored(path: shop.path)) { try shop.store.plan { try $0.delete(anna) } }
    var options = OpeningOptions()
    options.writesMirrored = true
    try shop.another(options).write { try $0.delete(anna) }
    #expect(try shop.record(anna) == nil)
  }

  @Test("The arguments of a closure end with it")
  func ended() throws {
    var reading: StoreReading?
    var transaction: StoreTransaction?
    try shop.store.read { reading = $0 }
    try shop.store.write { transaction = $0 }
    #expect(throws: ObjectStoreError.ended) { try reading?.count(RecordRequest("Customer")) }
    #expect(throws: ObjectStoreError.ended) { try transaction?.insert("Customer") }
    #expect(throws: ObjectStoreError.ended) { try transaction?.delete(RecordID(entity: "Customer", key: 1)) }
  }

  // MARK: Writing

  @Test("A graph is inserted with its links on both sides, defaults, derived values and versions")
  func graph() throws {
    let (anna, order, items) = try shop.store.write { transaction in
      let anna = try transaction.insert("Customer", ["name": .text("Anna")])
      let items = try (0..<3).map { try transaction.insert("Item", ["title": .text("item \($0)")]) }
      let order = try transaction.insert(
        "Order", ["customer": .object(anna), "items": .objects([items[2], items[0]])])
      try transaction.add(items[1], to: "items", of: order, at: 1)
      return (anna, order, items)
    }
    let saved = try #require(try shop.record(order))
    #expect(saved["number"] == .number(7) && saved.version == 1 && saved["customerName"] == .text("Anna"))
    #expect(try shop.store.read { try $0.links(along: "items", of: order) } == [items[2], items[1], items[0]])
    #expect(try shop.store.read { try $0.links(along: "orders", of: anna) } == [order])
    #expect(try shop.record(items[0])?["order"] == .object(order))
    let customer = try #require(try shop.record(anna))
    #expect(customer["isVip"] == .attribute(.boolean(false)))
    #expect(customer["orderCount"] == .number(1) && customer["shout"] == .text("ANNA"))
    #expect(try shop.rows("SELECT Z_FOK_ORDER FROM ZTHING ORDER BY Z_FOK_ORDER").map { $0[0] } == [2048, 3072, 4096])
    #expect(try findings() == [])
  }

  @Test("Moving an object between owners changes both, their versions and their derived values")
  func moving() throws {
    let (anna, bert) = (try shop.customer(), try shop.customer("Bert"))
    let order = try shop.store.write { try $0.insert("Order", ["customer": .object(anna)]) }
    #expect(try shop.record(anna)?.version == 2)
    try shop.store.write { try $0.update(order, ["customer": .object(bert)]) }
    #expect(try shop.record(anna)?["orderCount"] == .number(0) && shop.record(bert)?["orderCount"] == .number(1))
    #expect(try shop.record(anna)?.version == 3 && shop.record(bert)?.version == 2)
    try shop.store.write { try $0.update(bert, ["name": .text("Bernd")]) }
    #expect(try shop.record(order)?["customerName"] == .text("Bernd"))
    #expect(try shop.record(order)?.version == 2)
    // What is set to the value that it has is no change.
    try shop.store.write { try $0.update(bert, ["name": .text("Bernd")]) }
    #expect(try shop.record(bert)?.version == 3)
  }

  @Test("A save leaves the model that a store keeps of itself as it is, byte for byte")
  func modelCache() throws {
    try shop.execute("DELETE FROM Z_MODELCACHE; INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (randomblob(5000))")
    func content() throws -> [String?] {
      try shop.rows("SELECT typeof(Z_CONTENT) || hex(Z_CONTENT) FROM Z_MODELCACHE").map { $0[0] }
    }
    let before = try content()
    let anna = try shop.customer()
    let store = try shop.another()
    try store.write { try $0.update(anna, ["name": .text("Emma")]) }
    try store.write { try $0.delete(anna) }
    try store.close()
    #expect(try content() == before && before.first??.count == 10_004)
  }

  @Test("A text with the character NUL is kept, found and unique with its complete content")
  func textWithNUL() throws {
    let (first, second) = ("a\0b", "a\0c")
    let anna = try shop.customer(first)
    let bert = try shop.customer(second)
    #expect(try shop.record(anna)?["name"] == .text(first) && shop.record(bert)?["name"] == .text(second))
    try shop.store.write { try $0.update(bert, ["name": .text("\0\0")]) }
    #expect(try shop.record(bert)?["name"] == .text("\0\0"))
    #expect(try shop.rows("SELECT hex(ZNAME) FROM ZCUSTOMER ORDER BY Z_PK").map { $0[0] } == ["610062", "0000"])
    for kind in ["==", "IN"] {
      let text = kind == "IN" ? "name IN {%@}" : "name == %@"
      let error = #expect(throws: RecordRequestError.self) {
        try shop.store.fetch(RecordRequest("Customer", where: text, first))
      }
      #expect(error.map { "\($0)" }?.contains("NUL") == true)
    }
  }

  @Test("A relationship that is its own inverse holds on both sides")
  func reflexive() throws {
    let (anna, bert) = (try shop.customer(), try shop.customer("Bert"))
    try shop.store.write { try $0.add(bert, to: "friends", of: anna) }
    #expect(try shop.store.read { try $0.links(along: "friends", of: bert) } == [anna])
    try shop.store.write { try $0.remove(anna, from: "friends", of: bert) }
    #expect(try shop.store.read { try $0.links(along: "friends", of: anna) } == [])
    try shop.store.write { try $0.add(bert, to: "friends", of: anna) }
    try shop.store.write { try $0.delete(bert) }
    #expect(try shop.store.read { try $0.links(along: "friends", of: anna) } == [])
    #expect(try findings() == [])
  }

  @Test("A deleted object leaves no link of a relationship that is its own inverse, whose rule is No Action")
  func reflexiveWithoutAction() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("people.sqlite")
    let model = ManagedObjectModel {
      Entity("Person") { Relationship("friends", toMany: "Person", inverse: "friends", deleteRule: .noAction) }
    }
    let store = try ObjectStore.open(path, model: model)
    defer { try? store.close() }
    let (first, others) = try store.write { transaction in
      let others = try (0..<2).map { _ in try transaction.insert("Person") }
      return (try transaction.insert("Person", ["friends": .objects(others)]), others)
    }
    let friends = PropertyAddress(entity: "Person", property: "friends")
    let storage = SQLStoreLayout(of: store.hierarchy).storage(ofRelationship: friends, in: store.hierarchy)
    guard case .join(let table, _, _, _, _)? = storage else {
      Issue.record("no join table: \(String(describing: storage))")
      return
    }
    func rows() throws -> Int {
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      return try reader.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(SQLIdentifier(table).quoted)") ?? 0 }
    }
    #expect(try rows() == 4)
    try store.write { try $0.delete(first) }
    #expect(try rows() == 0)
    for other in others { #expect(try store.read { try $0.links(along: "friends", of: other) } == []) }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    #expect(try reader.verify(against: store.hierarchy) == [])
  }

  @Test("A transaction sees its own changes, and an error undoes all of them")
  func pending() throws {
    struct Stop: Error {}
    let anna = try shop.customer()
    #expect(throws: Stop.self) {
      try shop.store.write { transaction in
        try transaction.insert("Customer", ["name": .text("Bert")])
        try transaction.update(anna, ["name": .text("Emma")])
        #expect(try transaction.count(RecordRequest("Customer")) == 2)
        #expect(try transaction.object(anna)?["name"] == .text("Emma"))
        try transaction.delete(anna)
        #expect(try transaction.object(anna) == nil)
        throw Stop()
      }
    }
    #expect(try shop.store.read { try $0.count(RecordRequest("Customer")) } == 1)
    #expect(try shop.record(anna)?["name"] == .text("Anna"))
  }

  @Test("A plan names the rows that would be written, cascades among them, and writes none")
  func plan() throws {
    let anna = try shop.customer()
    let order = try shop.store.write { transaction in
      let items = try (0..<2).map { _ in try transaction.insert("Item") }
      return try transaction.insert("Order", ["customer": .object(anna), "items": .objects(items)])
    }
    let saving = try shop.store.plan { try $0.delete(order) }
    #expect(saving.writes.deletions.map(\.id.description) == ["Item 1", "Item 2", "Order 1"])
    #expect(saving.writes.updates.map(\.id) == [anna])
    #expect(try shop.record(order) != nil)
    #expect(try shop.store.write { try $0.delete(RecordRequest("Order")) } == 1)
    #expect(try shop.rows("SELECT * FROM ZTHING").isEmpty)
  }

  // MARK: External data

  private var files: [String] {
    let folder = ExternalData.folder(ofStore: shop.path)
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test("Large data has a file of its own, and the file is deleted when no row names it")
  func externalData() throws {
    let small = Data(repeating: 1, count: 100)
    let large = Data(repeating: 2, count: 128 * 1024 + 1)
    let anna = try shop.customer("Anna", ["photo": .attribute(.binary(small))])
    #expect(try shop.record(anna)?["photo"] == .attribute(.binary(small)))
    #expect(files == [])
    try shop.store.write { try $0.update(anna, ["photo": .attribute(.binary(large))]) }
    let first = try #require(files.first)
    #expect(try shop.record(anna)?["photo"]?.externalFile == first)
    #expect(try findings() == [])
    // Another row with the same value gets a file of its own.
    let photo = try #require(try shop.record(anna)?["photo"])
    let bert = try shop.customer("Bert", ["photo": photo])
    #expect(files.count == 2)
    try shop.store.write { try $0.update(anna, ["name": .text("Emma")]) }
    #expect(files.contains(first))
    try shop.store.write { try $0.update(anna, ["photo": .attribute(.binary(large + small))]) }
    #expect(files.count == 2 && !files.contains(first))
    #expect(throws: SaveError.self) {
      try shop.store.write {
        try $0.update(anna, ["photo": .null])
        try $0.insert("Customer", ["photo": .attribute(.binary(large))])
      }
    }
    #expect(files.count == 2)
    try shop.store.write {
      try $0.update(anna, ["photo": .null]); try $0.delete(bert)
    }
    #expect(files == [])
    #expect(try findings() == [])
  }

  @Test("Data of 128 KiB is in its row, and one byte more in a file", arguments: [0, 1])
  func threshold(_ more: Int) throws {
    let data = Data(repeating: 3, count: 128 * 1024 + more)
    let anna = try shop.customer("Anna", ["photo": .attribute(.binary(data))])
    #expect(files.count == more)
    let row = try #require(try shop.rows("SELECT length(ZPHOTO), hex(substr(ZPHOTO, 1, 1)) FROM ZCUSTOMER").first)
    let (length, mark): (Int, String) = (row[0], row[1])
    #expect(length == (more == 0 ? data.count + 1 : 38) && mark == (more == 0 ? "01" : "02"))
    guard more > 0 else {
      #expect(try shop.record(anna)?["photo"] == .attribute(.binary(data)))
      return
    }
    let file = try #require(files.first)
    let folder = URL(fileURLWithPath: ExternalData.folder(ofStore: shop.path))
    #expect(try Data(contentsOf: folder.appendingPathComponent(file)) == data)
  }

  @Test("A trigger with an unknown function prevents writing to the store, and is named")
  func unknownTrigger() throws {
    try shop.execute(
      "CREATE TRIGGER Z_DA_X AFTER INSERT ON ZCUSTOMER BEGIN SELECT NSCoreDataSomethingNew('a', NEW.Z_PK); END")
    #expect(throws: RecordWritingError.unknownFunction(trigger: "Z_DA_X", function: "NSCoreDataSomethingNew")) {
      try shop.customer()
    }
    #expect(try shop.rows("SELECT * FROM ZCUSTOMER").isEmpty)
  }
}
