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

  @Test("A key that was given and is free again stays given")
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

  @Test(
    "Every store of the corpus that has objects", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let chosen = CorpusSample.of(all, atMost: 4)
    var (stores, objects) = (0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      let model = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
      reader.close()
      guard let model else { continue }
      let version = try LoadedVersion(bundle: "corpus", name: "v", isCurrent: true, model: model)
      do {
        objects += try compare(path, version, in: folder).objects.count
        stores += 1
      } catch let error as RecordWritingError {
        print("  \(file.lastPathComponent): \(error)")
      }
    }
    print("documents: \(objects) objects of \(stores) stores, of \(CorpusSample.scope(chosen.count, of: all.count))")
    #expect(objects > 0)
  }

  @discardableResult
  private func compare(_ path: String, _ version: LoadedVersion, in folder: TemporaryFolder) throws -> StoreDocument {
    var document = try StoreDocument(storeAt: path, model: version.hierarchy)
    try document.makeStore(at: folder.path("copy.sqlite"), version: version)
    let copy = try StoreDocument(storeAt: folder.path("copy.sqlite"), model: version.hierarchy)
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
    #expect(copy.metadata.versionHashes == document.metadata.versionHashes)
    #expect(copy.metadata.uuid == document.metadata.uuid)
    let reader = try StoreReader(path: folder.path("copy.sqlite"))
    defer { reader.close() }
    let findings = try reader.verify(against: version.hierarchy).filter { $0.severity == .error }
    #expect(findings == [])
    document.metadata = copy.metadata
    return document
  }
}
