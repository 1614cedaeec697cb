import AtomicStores
import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("A dry run refuses the same changes as a save")
struct DryRunTests {
  @Test("A trigger that calls an unknown function, and a unique index that the model does not know")
  func rows() throws {
    let shop = try ShopStore()
    let anna = try shop.customer("Anna", ["age": .number(20)])
    let bert = try shop.customer("Bert", ["age": .number(30)])
    let change: (StoreTransaction) throws -> Void = { try $0.update(bert, ["age": .number(20)]) }
    #expect(try shop.store.plan(change).writes.updates.map(\.id) == [bert])
    try shop.execute("CREATE UNIQUE INDEX extra ON ZCUSTOMER (ZAGE)")
    #expect(throws: StoreError.self) { try shop.store.write { try change($0) } }
    #expect(throws: StoreError.self) { try shop.store.plan(change) }
    try shop.execute("DROP INDEX extra")
    try shop.execute("CREATE TRIGGER extra AFTER UPDATE ON ZTHING BEGIN SELECT NSCoreDataUnknown(1); END")
    let unknown = RecordWritingError.unknownFunction(trigger: "extra", function: "NSCoreDataUnknown")
    #expect(throws: unknown) { try shop.store.write { try change($0) } }
    #expect(throws: unknown) { try shop.store.plan(change) }
    #expect(try shop.record(anna)?.version == 1 && shop.record(bert)?.version == 1)
  }

  @Test("Large data gets no file, and keeps the one that it has")
  func externalData() throws {
    let shop = try ShopStore()
    func large(_ byte: UInt8) -> RecordValue { .attribute(.binary(Data(repeating: byte, count: 200 * 1024))) }
    let folder = ExternalData.folder(ofStore: shop.path)
    _ = try shop.store.plan { _ = try $0.insert("Customer", ["name": .text("Anna"), "photo": large(1)]) }
    #expect(!FileManager.default.fileExists(atPath: folder))
    let anna = try shop.customer("Anna", ["photo": large(1)])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let plan = try shop.store.plan { try $0.update(anna, ["photo": large(2)]) }
    #expect(plan.writes.updates.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == names && names.count == 1)
    #expect(try shop.record(anna)?.version == 1)
  }

  @Test("A text that XML cannot hold")
  func document() throws {
    let model = ManagedObjectModel { Entity("Note") { Attribute("text", .string) } }
    let folder = try TemporaryFolder()
    let path = folder.path("notes.xml")
    var options = OpeningOptions()
    options.kindOfMissing = StoreKinds.builtIn.first { $0.name == "XML" }
    let store = try ObjectStore.open(path, model: model, options: options)
    let note = try store.write { try $0.insert("Note", ["text": "a"]) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StoreDocumentError.self) { try store.write { try $0.update(note, ["text": .text("\u{1}")]) } }
    #expect(throws: StoreDocumentError.self) { try store.plan { try $0.update(note, ["text": .text("\u{1}")]) } }
    #expect(try store.plan { try $0.update(note, ["text": "b"]) }.writes.updates.count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    #expect(try store.read { try $0.object(note) }?["text"] == "a")
    try store.close()
  }
}
