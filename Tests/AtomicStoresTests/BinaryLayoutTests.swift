import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows
import Testing
import VersionHashing

@Suite("The fields of a binary store")
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

  private static func store() throws -> (bytes: Data, document: StoreDocument, model: EntityHierarchy) {
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
    let document = StoreDocument(metadata: metadata, objects: objects)
    return (try BinaryStoreKind().bytes(of: document, model: model), document, model)
  }

  /// The position of the archive of a store's objects, from its header.
  private static func objects(in bytes: Data) -> Range<Int> {
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | Int($1) } }
    return number(32)..<number(32) + number(40)
  }

  /// The object of a store, as its archive has it.
  private static func node() throws -> ArchivedObject {
    let bytes = try store().bytes
    let archive = try KeyedArchive(Data(bytes[objects(in: bytes)]), path: "")
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

  @Test("An ordered relationship keeps its keys in an ordered set, any other in an array")
  func links() throws {
    let related = try #require(try Self.node()["NSRelatedNodes"])
    let lists = Dictionary(related.entries.map { ($0.key, $0.value) }) { first, _ in first }
    #expect(lists.mapValues { $0.classNames.first } == ["friends": "NSMutableArray", "walks": "NSOrderedSet"])
    #expect(lists["walks"]?.elements.map(\.value.integer) == [3, 1, 2])
    #expect(lists["friends"]?.elements.map(\.value.integer) == [1, 2, 3])
  }

  /// A store with each ordered set of its objects in the older form, which numbers its fields.
  private static func numbered(_ bytes: Data) throws -> Data {
    let range = objects(in: bytes)
    guard case .dictionary(var root) = try PropertyList(decoding: bytes[range]),
      case .array(let objects)? = root["$objects"]
    else { throw CocoaError(.coderReadCorrupt) }
    let orderedSet = try #require(
      objects.firstIndex {
        if case .dictionary(let fields) = $0 { fields["$classname"]?.string == "NSOrderedSet" } else { false }
      })
    root["$objects"] = .array(
      objects.map { object in
        guard case .dictionary(var fields) = object, fields["$class"] == .uid(UInt64(orderedSet)),
          case .array(let members)? = fields.removeValue(forKey: "NS.objects")
        else { return object }
        for (position, member) in members.enumerated() { fields["NS.object.\(position)"] = member }
        return .dictionary(fields)
      })
    let archive = PropertyList.dictionary(root).binary
    func field(_ value: Int) -> Data { Data((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }) }
    var header = bytes.prefix(range.lowerBound)
    header.replaceSubrange(16..<24, with: field(range.lowerBound + archive.count))
    header.replaceSubrange(40..<48, with: field(archive.count))
    return header + archive + bytes.dropFirst(range.upperBound)
  }

  @Test("An ordered set whose fields are numbered is read as one with a list")
  func numberedFields() throws {
    let (bytes, document, model) = try Self.store()
    let older = try Self.numbered(bytes)
    #expect(older != bytes && older.range(of: Data("NS.object.2".utf8)) != nil)
    let read = try BinaryStoreKind().document(in: older, of: model, path: "")
    #expect(read == (try BinaryStoreKind().document(in: bytes, of: model, path: "")))
    let walks = document.objects.first { $0.id.key == 1 }?.values["walks"]
    #expect(read.objects.first?.values["walks"] == walks && walks != nil)
  }
}
