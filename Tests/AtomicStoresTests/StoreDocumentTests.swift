import AtomicStores
import PersistentStores
import StoreRows
import Testing
import VersionHashing

@Suite("A store as one value")
struct StoreDocumentTests {
  @Test("Objects are sorted by entity and key")
  func order() {
    let metadata = StoreMetadata(uuid: "U", versionHashes: VersionHashes(entities: [:]), identifiers: [])
    let ids = [("B", 2), ("A", 9), ("B", 1)].map { RecordID(entity: $0.0, key: Int64($0.1)) }
    let document = StoreDocument(metadata: metadata, objects: ids.map { StoreDocument.Object(id: $0, values: [:]) })
    #expect(document.objects.map(\.id.description) == ["A 9", "B 1", "B 2"])
  }
}
