import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("A SQLite store as a document, and back")
struct StoreDocumentStoreTests {
  @Test("A sample store's copy has the same objects, keys, links, orders and metadata", arguments: ["Orders", "Todo"])
  func samples(_ name: String) throws {
    let versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path(name))).versions
    #expect(!versions.isEmpty)
    for version in versions {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      let rows = SyntheticRows(seed: 11, rowsPerEntity: 20)
      try StoreCreator(of: version.hierarchy).create(at: path, filling: rows)
      try compare(path, version, in: folder)
    }
  }

  @Test("A key that was used and is free again is not used again")
  func lastKeys() throws {
    let model = ManagedObjectModel { Entity("Note") { Attribute("text", .string) } }
    let folder = try TemporaryFolder()
    let path = folder.path("store.sqlite")
    let store = try ObjectStore.open(path, model: model)
    let ids = try store.write { transaction in try (1...3).map { _ in try transaction.insert("Note", ["text": "a"]) } }
    try store.write { try $0.delete(ids[2]) }
    try store.close()
    let version = try LoadedVersion(bundle: "b", name: "v", isCurrent: true, model: model)
    let document = try compare(path, version, in: folder)
    #expect(document.lastKeys == ["Note": 3])
    let copy = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
    #expect(try copy.write { try $0.insert("Note", ["text": "b"]) }.key == 4)
    try copy.close()
  }

  private static let kinds = StoreKinds.builtIn.map(\.name)

  /// Makes a SQLite store of a file of another kind.
  private func convert(_ path: String, _ version: LoadedVersion, to made: String) throws {
    let mirror = try #require(try StoreMirror.of(path, versions: [version]))
    let reader = try mirror.reader()
    defer { reader.close() }
    try StoreConversion(version).convert(reader, to: made, kind: nil)
  }

  @Test("A SQLite store made of another kind records the Core Data whose tables it has", arguments: kinds)
  func framework(_ name: String) throws {
    let kind = try #require(StoreKinds.builtIn.first { $0.name == name })
    let model = ManagedObjectModel { Entity("Note") { Attribute("text", .string) } }
    let version = try LoadedVersion(bundle: "b", name: "v", isCurrent: true, model: model)
    let metadata = StoreMetadata(
      uuid: UUID().uuidString, versionHashes: version.versionHashes, identifiers: [],
      entries: ["NSPersistenceFrameworkVersion": .integer(977), "NSStoreType": .string(name)])
    let note = StoreDocument.Object(id: RecordID(entity: "Note", key: 1), values: ["text": "a"])
    let folder = try TemporaryFolder()
    let (path, made) = (folder.path("notes"), folder.path("notes.sqlite"))
    let bytes = try kind.bytes(of: StoreDocument(metadata: metadata, objects: [note]), model: version.hierarchy)
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try kind.metadata(in: bytes, path: path).frameworkVersion == 977)
    try convert(path, version, to: made)
    #expect(try StoreContent(made, version.hierarchy).metadata.frameworkVersion == 1344)
  }

  @Test("Object versions and persistent history are not converted", arguments: kinds)
  func history(_ name: String) throws {
    let kind = try #require(StoreKinds.builtIn.first { $0.name == name })
    let shop = try ShopStore()
    try HistoryTables.add(to: shop.path)
    let anna = try shop.customer()
    try shop.store.write { try $0.update(anna, ["age": .number(20)]) }
    #expect(try shop.record(anna)?.version == 2)
    #expect(try !shop.store.history().isEmpty)
    try shop.store.close()
    let version = try LoadedVersion(bundle: "b", name: "v", isCurrent: true, model: ShopStore.model)
    let (path, made) = (shop.folder.path("other"), shop.folder.path("made.sqlite"))
    try StoreConversion(version).convert(shop.path, to: path, kind: kind)
    try convert(path, version, to: made)
    let copy = try ObjectStore.open(made, model: ShopStore.model)
    #expect(try copy.read { try $0.object(anna) }?.version == 1)
    #expect(try copy.history().isEmpty)
    try copy.close()
  }

  @Test(
    "Every store of the corpus that has objects", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var objects = 0
    let (count, scope) = try CorpusStores.forEach(atMost: 4) { path, version, _ in
      objects += try compare(path, version, in: TemporaryFolder()).objects.count
    }
    print("documents: \(objects) objects, \(scope) stores")
    #expect(count >= CorpusSample.least(44, sampled: 4))
  }

  @discardableResult
  private func compare(_ path: String, _ version: LoadedVersion, in folder: TemporaryFolder) throws -> StoreDocument {
    let document = try StoreDocument(storeAt: path, model: version.hierarchy)
    let place = folder.path("copy.sqlite")
    try document.makeStore(at: place, version: version)
    let copy = try StoreDocument(storeAt: place, model: version.hierarchy)
    #expect(copy.lastKeys == document.lastKeys)
    #expect(copy.objects.map(\.id) == document.objects.map(\.id))
    let differing = zip(copy.objects, document.objects).filter { copied, original in
      let derived = version.hierarchy.allAttributes(of: original.id.entity).values
        .filter { $0.property.derivation != nil }.map(\.property.name)
      func stored(_ object: StoreDocument.Object) -> [String: RecordValue] {
        object.values.filter { !derived.contains($0.key) }
      }
      return stored(copied) != stored(original)
    }
    #expect(differing.isEmpty, "\(path): \(differing.prefix(2))")
    let after = try StoreContent(place, version.hierarchy)
    #expect(try after.differences(from: StoreContent(path, version.hierarchy)).prefix(5) == [], "\(path)")
    let reader = try StoreReader(path: place)
    defer { reader.close() }
    let findings = try reader.verify(against: version.hierarchy).filter { $0.severity == .error }
    #expect(findings == [])
    return document
  }
}
