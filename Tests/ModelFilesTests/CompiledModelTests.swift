import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Compiled models, archived here the way Core Data archives them.
struct CompiledModelTests {
  /// A model of a parent and a child that repeats the parent's properties: one as a copy, one as a proxy.
  private func archive() -> Data {
    var archive = ArchiveFixture()
    let null = PropertyList.uid(0)
    func attribute(_ name: String, _ fields: [String: PropertyList]) -> PropertyList {
      let text = archive.add(text: name)
      return archive.add(
        "NSAttributeDescription",
        ["NSPropertyName": text, "NSRenamingIdentifier": text, "NSDefaultValue": null].merging(fields) { $1 })
    }
    let boxed = archive.add("NSMutableString", ["NS.string": .string("untitled")])
    let title: [String: PropertyList] = [
      "NSAttributeType": .integer(700), "NSIsOptional": .boolean(true), "NSDefaultValue": boxed,
    ]
    let price = archive.add(
      "NSDecimalNumber",
      [
        "NS.mantissa": .data(Data([0x2D, 0x01])), "NS.exponent": .integer(-2), "NS.negative": .boolean(true),
        "NS.mantissa.bo": .integer(1),
      ])
    let date = archive.add("NSDate", ["NS.time": .real(60)])
    let parentProperties = archive.add(entries: [
      ("title", attribute("title", title)),
      ("price", attribute("price", ["NSAttributeType": .integer(400), "NSDefaultValue": price])),
      ("made", attribute("made", ["NSAttributeType": .integer(900), "NSDefaultValue": date])),
      ("image", attribute("image", ["NSAttributeType": .integer(1000), "NSFlagsKey": .integer(20)])),
    ])
    let operand = archive.add(
      "NSConstantValueExpression",
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": archive.add(text: "_NSPredicateUtilities")])
    let keyPath = archive.add(
      "NSKeyPathSpecifierExpression", ["NSExpressionType": .integer(10), "NSKeyPath": archive.add(text: "pages")])
    let oneSelf = archive.add("NSSelfExpression", ["NSExpressionType": .integer(1)])
    let pages = archive.add(
      "NSKeyPathExpression",
      ["NSExpressionType": .integer(3), "NSOperand": oneSelf, "NSArguments": archive.add(array: [keyPath])])
    let count = archive.add(
      "NSFunctionExpression",
      [
        "NSExpressionType": .integer(4), "NSOperand": operand, "NSSelectorName": archive.add(text: "count:"),
        "NSArguments": archive.add(array: [pages]),
      ])
    let derivedName = archive.add(text: "pageCount")
    let derivedClass = archive.add(
      .dictionary([
        "$classname": .string("NSDerivedAttributeDescription"),
        "$classes": .array([.string("NSDerivedAttributeDescription"), .string("NSAttributeDescription")]),
      ]))
    let derived = archive.add(
      .dictionary([
        "$class": derivedClass, "NSPropertyName": derivedName, "NSAttributeType": .integer(300),
        "NSDerivationExpression": count, "NSFilteringPredicate": null, "NSIsReadOnly": .boolean(true),
      ]))
    let relationship = archive.add(
      "NSRelationshipDescription",
      [
        "NSPropertyName": archive.add(text: "pages"), "_NSDestinationEntityName": archive.add(text: "Book"),
        "_NSInverseRelationshipName": archive.add(text: "pages"), "NSMaxCount": .integer(-1),
        "NSMinCount": .integer(0), "NSDeleteRule": .integer(2), "NSIsOrdered": .boolean(true),
      ])
    let childProperties = archive.add(entries: [
      ("title", attribute("title", title)), ("price", archive.add("_NSPropertyDescriptionProxy", [:])),
      ("pageCount", derived), ("pages", relationship),
    ])
    let tuple = archive.add(array: [archive.add(text: "title")])
    let parent = archive.add(
      "NSEntityDescription",
      [
        "NSEntityName": archive.add(text: "Item"), "NSProperties": parentProperties, "NSIsAbstract": .boolean(true),
        "NSUniqueTuples": archive.add(array: [tuple]), "NSClassNameForEntity": archive.add(text: "NSManagedObject"),
      ])
    let child = archive.add(
      "NSEntityDescription",
      [
        "NSEntityName": archive.add(text: "Book"), "NSProperties": childProperties, "NSSuperentity": parent,
        "NSClassNameForEntity": archive.add(text: "App.Book"), "NSRenamingIdentifier": archive.add(text: "Tome"),
      ])
    let keys = archive.add(array: [archive.add(text: "Item"), archive.add(text: "Book")])
    let mapping = archive.add("NSKnownKeysMappingStrategy1", ["keys": keys, "length": .integer(2)])
    let entities = archive.add(
      "NSKnownKeysDictionary1", ["searchMapping": mapping, "values": archive.add(array: [parent, child])])
    let members = archive.add("NSSet", ["NS.objects": .array([child])])
    let root = archive.add(
      "NSManagedObjectModel",
      [
        "NSEntities": entities, "NSConfigurations": archive.add(entries: [("Cloud", members)]),
        "NSVersionIdentifiers": archive.add("NSSet", ["NS.objects": .array([archive.add(text: "v1")])]),
      ])
    return archive.data(root: root)
  }

  private let expected = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Book", className: "App.Book", superentityName: "Item",
        attributes: [
          AttributeDescription(
            name: "pageCount", type: .integer64, derivation: Derivation(expression: "count:(pages)"))
        ],
        relationships: [
          RelationshipDescription(
            name: "pages", destinationEntityName: "Book", inverseName: "pages", inverseEntityName: "Book",
            maxCount: .max, isOrdered: true, deleteRule: .cascade)
        ],
        renamingIdentifier: "Tome"),
      EntityDescription(
        name: "Item", isAbstract: true,
        attributes: [
          AttributeDescription(
            name: "image", type: .binary, allowsExternalBinaryDataStorage: true,
            preservesValueInHistoryOnDeletion: true),
          AttributeDescription(name: "made", type: .date, defaultValue: .date(60)),
          AttributeDescription(name: "price", type: .decimal, defaultValue: .decimal(Decimal(-301) / 100)),
          AttributeDescription(
            name: "title", type: .string, isOptional: true, defaultValue: .string("untitled")),
        ],
        uniquenessConstraints: [["title"]]),
    ],
    configurations: [ModelConfiguration(name: "Cloud", entityNames: ["Book"])],
    versionIdentifiers: ["v1"])

  @Test("A compiled model is exported as a version with the same hashes")
  func exported() throws {
    let folder = try TemporaryFolder()
    try archive().write(to: URL(fileURLWithPath: folder.path("Books.mom")))
    let source = try ModelSource.resolve(folder.path("Books.mom"))
    try ModelExport(source.document().document, to: folder.path("Books.xcdatamodeld")).write()
    let version = try ModelBundle(at: folder.path("Books.xcdatamodeld")).currentVersion()
    #expect(try VersionHashes(of: version.load().model) == VersionHashes(of: source.load().model))
    #expect(try version.load().model == source.load().model.editable())
  }

  @Test func everyFieldIsReadAndInheritedCopiesAreDropped() throws {
    #expect(try CompiledModelReader.read(archive(), path: "m.mom").model == expected)
  }

  @Test func aStoresCachedModelIsTheSameInDEFLATE() throws {
    #expect(try ModelCache.decode(ArchiveFixture.deflated(archive())) == expected)
  }

  @Test func whatIsNoDEFLATEIsRefused() {
    for bytes in [Data(), Data([0xFF]), ArchiveFixture.deflated(archive()).dropLast(20)] {
      #expect(throws: ModelFileError.self) { try ModelCache.decode(Data(bytes)) }
    }
  }

  @Test func anArchiveOfSomethingElseIsRefused() {
    var fixture = ArchiveFixture()
    let root = fixture.add("NSArray", ["NS.objects": .array([])])
    let error = ModelFileError.brokenArchive(path: "m.mom", reason: "it contains no NSManagedObjectModel")
    let data = fixture.data(root: root)
    #expect(throws: error) { try CompiledModelReader.read(data, path: "m.mom") }
    #expect(throws: ModelFileError.self) { try CompiledModelReader.read(Data("bplist00".utf8), path: "m.mom") }
  }

  @Test func anArchiveThatRunsInCirclesIsAnswered() throws {
    var fixture = ArchiveFixture()
    let entity = fixture.add("NSEntityDescription", ["NSEntityName": fixture.add(text: "Loop")])
    fixture.set(entity, "NSSuperentity", to: entity)
    let root = fixture.add("NSManagedObjectModel", ["NSEntities": fixture.add(entries: [("Loop", entity)])])
    fixture.set(entity, "NSProperties", to: root)
    fixture.set(root, "NSConfigurations", to: root)
    let model = try CompiledModelReader.read(fixture.data(root: root), path: "m.mom").model
    #expect(model.entities.map(\.superentityName) == ["Loop"])
  }

  @Test func everyChangedByteIsAnswered() throws {
    let bytes = [UInt8](archive())
    var answered = 0
    for position in bytes.indices {
      var changed = bytes
      changed[position] ^= 0x41
      _ = try? CompiledModelReader.read(Data(changed), path: "m.mom")
      answered += 1
    }
    #expect(answered == bytes.count)
  }
}
