import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import Testing
import VersionHashing

@Suite("Where a binary store has which value")
struct BinaryLayoutTests {
  private static let place = Composite("Place") {
    Attribute("town", .string).optional()
  }

  private static let model = ManagedObjectModel {
    place
    Entity("Animal", isAbstract: true) {
      Attribute("zone", .string).optional()
      Attribute("name", .string).optional()
      Relationship("friends", toMany: "Animal", inverse: "friends")
    }
    Entity("Dog", parent: "Animal") {
      Attribute("weight", .string).optional()
      Attribute("loud", .string).optional().derived(from: "uppercase:(name)")
      Attribute("mood", .string).optional().transient()
      Attribute("home", .composite(place)).optional()
      Attribute("age", .string).optional()
      Relationship("walks", toMany: "Animal").ordered()
    }
  }

  /// The object of a store, as its archive has it.
  private static func node() throws -> ArchivedObject {
    let model = try EntityHierarchy(model)
    let dogs = ([3, 1, 2] as [Int64]).map { RecordID(entity: "Dog", key: $0) }
    let values: [String: RecordValue] = [
      "zone": "zone", "name": "name", "weight": "weight", "loud": "loud", "mood": "mood", "age": "age",
      "home": .composite(["town": "town"]), "friends": .objects(dogs.sorted { $0.key < $1.key }),
      "walks": .objects(dogs),
    ]
    let metadata = StoreMetadata(
      uuid: "9ECD24C8-A2FC-49F1-A4F6-D9A513D12374", versionHashes: try VersionHashes(of: model), identifiers: [])
    let objects = dogs.map { StoreDocument.Object(id: $0, values: $0.key == 1 ? values : [:]) }
    let bytes = try BinaryStoreKind().bytes(of: StoreDocument(metadata: metadata, objects: objects), model: model)
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) } }
    let archive = try KeyedArchive(Data(bytes[number(32)..<number(32) + number(40)]), path: "")
    let root = try #require(archive.number(ofRoot: "mapData").flatMap(archive.object(numbered:)))
    let nodes = try #require(root["NS.objects"])
    return try #require(nodes.elements.first { $0["NSPrimaryKey64"]?.value.integer == 1 })
  }

  @Test("Attributes by name, those of the topmost ancestor first and no transient ones, then a null a relationship")
  func positions() throws {
    let values = try #require(try Self.node()["NSAttributeValues"]).elements
    let texts = values.map { $0.string ?? $0.classNames.first ?? "" }
    #expect(texts == ["name", "zone", "age", "NSDictionary", "loud", "weight", "NSNull", "NSNull"])
    #expect(values.count == 8 && values[3].textEntries == ["town": "town"])
  }

  @Test("Keys are in an ordered set where the relationship is ordered, else in an array")
  func links() throws {
    let related = try #require(try Self.node()["NSRelatedNodes"])
    let lists = Dictionary(related.entries.map { ($0.key, $0.value) }) { first, _ in first }
    #expect(lists.mapValues { $0.classNames.first } == ["friends": "NSMutableArray", "walks": "NSOrderedSet"])
    #expect(lists["walks"]?.elements.map(\.value.integer) == [3, 1, 2])
    #expect(lists["friends"]?.elements.map(\.value.integer) == [1, 2, 3])
  }
}
