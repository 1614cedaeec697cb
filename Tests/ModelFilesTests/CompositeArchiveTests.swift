import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Composite attributes inside compiled and cached models, archived as Core Data archives them.
@Suite("Composite attributes in archives")
struct CompositeArchiveTests {
  /// Builds the archive of a model of one entity with composite attributes.
  private struct Builder {
    var archive = ArchiveFixture()

    mutating func attribute(_ name: String, _ type: Int64, _ fields: [String: PropertyList] = [:]) -> PropertyList {
      let text = archive.add(text: name)
      let plain: [String: PropertyList] = [
        "NSPropertyName": text, "NSRenamingIdentifier": text, "NSDefaultValue": .uid(0),
        "NSValueTransformerName": .uid(0),
        "NSFlagsKey": .integer(0), "NSAttributeType": .integer(type),
      ]
      return archive.add("NSAttributeDescription", plain.merging(fields) { $1 })
    }

    mutating func composite(
      _ name: String, _ elements: [PropertyList], _ fields: [String: PropertyList] = [:]
    ) -> PropertyList {
      let text = archive.add(text: name)
      let classes = ["NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject"]
      let type = archive.add(
        .dictionary(["$classname": .string(classes[0]), "$classes": .array(classes.map { .string($0) })]))
      let list = archive.add("NSMutableArray", ["NS.objects": .array(elements)])
      let plain: [String: PropertyList] = [
        "$class": type, "NSPropertyName": text, "NSRenamingIdentifier": text, "NSDefaultValue": .uid(0),
        "NSValueTransformerName": .uid(0), "NSFlagsKey": .integer(0), "NSAttributeType": .integer(2100),
        "NSAttributeValueClassName": archive.add(text: "NSDictionary"), "NSCompositeElements": list,
      ]
      return archive.add(.dictionary(plain.merging(fields) { $1 }))
    }

    mutating func data(_ properties: [(String, PropertyList)]) -> Data {
      let entity = archive.add(
        "NSEntityDescription",
        [
          "NSEntityName": archive.add(text: "Place"), "NSProperties": archive.add(entries: properties),
          "NSClassNameForEntity": archive.add(text: "NSManagedObject"),
        ])
      let entities = archive.add(entries: [("Place", entity)])
      let root = archive.add("NSManagedObjectModel", ["NSEntities": entities])
      return archive.data(root: root)
    }
  }

  /// An address with a street, a city and, nested, a position; and a name.
  private static let archived: Data = {
    var builder = Builder()
    let optional: [String: PropertyList] = ["NSIsOptional": .boolean(true)]
    let position = builder.composite(
      "position", [builder.attribute("latitude", 500), builder.attribute("longitude", 500)], optional)
    let address = builder.composite(
      "address", [builder.attribute("street", 700, optional), builder.attribute("city", 700), position])
    return builder.data([("address", address), ("name", builder.attribute("name", 700))])
  }()

  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Place">
            <attribute name="address" attributeType="Composite" composite="Address"/>
            <attribute name="name" attributeType="String"/>
        </entity>
        <composite name="Address">
            <attribute name="street" optional="YES" attributeType="String"/>
            <attribute name="city" attributeType="String"/>
            <attribute name="position" optional="YES" attributeType="Composite" composite="Position"/>
        </composite>
        <composite name="Position">
            <attribute name="latitude" attributeType="Double"/>
            <attribute name="longitude" attributeType="Double"/>
        </composite>
    </model>
    """

  /// The elements of an attribute with their types, nested ones in brackets.
  private static func outline(_ attribute: AttributeDescription) -> String {
    let elements = attribute.elements.map(outline).joined(separator: " ")
    return attribute.name + (attribute.isOptional ? "?" : "") + (elements.isEmpty ? "" : "(\(elements))")
  }

  @Test("A compiled model has the elements, nested ones too, and the hash of the model it was made of")
  func compiled() throws {
    let file = try CompiledModelReader.read(Self.archived, path: "Places.mom")
    #expect(file.notes.isEmpty)
    let attributes = try #require(file.model.entities.first).attributes
    #expect(attributes.map(Self.outline) == ["address(street? city position?(latitude longitude))", "name"])
    #expect(attributes.map(\.type) == [.composite, .string])
    #expect(attributes[0].elements.map(\.type) == [.string, .string, .composite])
    let written = try ContentsReader.read(Data(Self.contents.utf8), path: "contents").model
    #expect(try VersionHashes(of: file.model) == VersionHashes(of: written))
  }

  @Test("A bundle that Xcode compiled, with the optimised form beside, is read by its .mom")
  func bundle() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Places.momd")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.archived.write(to: URL(fileURLWithPath: path + "/Places.mom"))
    try Self.archived.write(to: URL(fileURLWithPath: path + "/Places.omo"))
    let bundle = try ModelBundle(at: path)
    #expect(bundle.versions.map(\.name) == ["Places"])
    let model = try #require(bundle.versions.first).load().model
    #expect(model == (try CompiledModelReader.read(Self.archived, path: "Places.mom").model))
  }

  @Test("A store's cached model has them")
  func cached() throws {
    let model = try ModelCache.decode(ArchiveFixture.deflated(Self.archived))
    #expect(model == (try CompiledModelReader.read(Self.archived, path: "Places.mom").model))
  }

  @Test("An export as a contents file, which cannot express them, is refused")
  func exported() throws {
    let folder = try TemporaryFolder()
    try Self.archived.write(to: URL(fileURLWithPath: folder.path("Places.mom")))
    let source = try ModelSource.resolve(folder.path("Places.mom"))
    let error = #expect(throws: (any Error).self) {
      try ModelExport(source.document().document, to: folder.path("Places.xcdatamodeld")).write()
    }
    #expect(error.map { "\($0)" }?.contains("Place.address (its elements)") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("Places.xcdatamodeld")))
  }

  @Test("Unreadable elements are reported, and the rest of the model is read")
  func unreadable() throws {
    let note = "the elements of Place.address are not read from a compiled model"
    for damage in ["none", "without a name", "in a circle", "nested without elements"] {
      var builder = Builder()
      var elements: [PropertyList] = []
      switch damage {
      case "without a name": elements = [builder.attribute("street", 700, ["NSPropertyName": .uid(0)])]
      case "nested without elements": elements = [builder.composite("position", [])]
      default: break
      }
      let address = builder.composite("address", elements)
      if damage == "in a circle" {
        let list = builder.archive.add("NSMutableArray", ["NS.objects": .array([address])])
        builder.archive.set(address, "NSCompositeElements", to: list)
      }
      let data = builder.data([("address", address), ("name", builder.attribute("name", 700))])
      let file = try CompiledModelReader.read(data, path: "Places.mom")
      #expect(file.notes.map { "\($0)" }.contains { $0.contains(note) }, "\(damage): \(file.notes)")
      #expect(file.model.entities.first?.attributes.map(Self.outline) == ["address", "name"], "\(damage)")
    }
  }

  @Test("The composites of SwiftData's stores are decoded", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let stores = Corpus.files(in: "swiftdata") { $0.hasSuffix(".store") }
    var (composites, leaves) = (0, 0)
    for url in stores {
      guard let contents = try? CorpusModelCacheTests.read(url), let cache = contents.cache else { continue }
      let model = try ModelCache.decode(cache, path: url.path)
      for attribute in model.entities.flatMap(\.attributes) where attribute.type == .composite {
        composites += 1
        leaves += attribute.elements.count
        #expect(!attribute.elements.isEmpty, "\(url.lastPathComponent): \(attribute.name)")
      }
      let written = contents.metadata.dictionary?["NSStoreModelVersionHashes"]?.dictionary?.compactMapValues(\.data)
      #expect(try VersionHashes(of: model).entities.mapValues { Data($0.bytes) } == written, "\(url.lastPathComponent)")
    }
    print("composites in cached models of \(stores.count) SwiftData stores: \(composites) with \(leaves) leaves")
    #expect(composites > 40)
  }
}
