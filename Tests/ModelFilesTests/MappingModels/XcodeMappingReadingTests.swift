import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

/// Reading `xcmapping.xml`: its content, and all kinds of damage.
struct XcodeMappingReadingTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Item", attributes: [AttributeDescription(name: "title", type: .string)])
  ])
  static let fixture = XcodeMappingFixture(
    source: model, destination: model,
    mappings: [
      .init("Item", "Item", number: 2, attributes: [.init("title")]),
      .init(nil, "Item", number: 1, ["name": .text("Seeds")]),
    ])

  @Test func theModelsItCarriesAndTheOrderOfMappings() throws {
    let file = try Self.fixture.read()
    #expect(file.source.versionPath == "Shop.xcdatamodeld/Shop.xcdatamodel")
    #expect(file.destination.versionName == "Shop 2")
    #expect(file.source.model == Self.model)
    #expect(file.source.hashes == (try VersionHashes(of: Self.model)))
    #expect(file.entityMappings.map(\.name) == ["Seeds", nil])
    #expect(file.entityMappings.map(\.location.line) == [6, 5])
    #expect(file.notes.isEmpty)
  }

  @Test func theBundleAndTheFileInItAreBothAccepted() throws {
    let folder = try TemporaryFolder()
    let bundle = folder.path("Map.xcmappingmodel")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try Data(Self.fixture.text.utf8).write(to: URL(fileURLWithPath: bundle + "/xcmapping.xml"))
    let file = try XcodeMappingModel(contentsOf: bundle + "/xcmapping.xml")
    #expect(try XcodeMappingModel(contentsOf: bundle) == file)
    #expect(try XcodeMappingModel(contentsOf: bundle + "/") == file)
    #expect(file.path == bundle + "/xcmapping.xml")
  }

  /// `<` and `é` as Core Data's XML store writes them; a backslash before anything else is itself.
  @Test func escapesWithSwappedBytesAreDecoded() throws {
    let mapping = XcodeMappingFixture.Mapping(
      "Item", "Item", ["sourcefilterpredicatestring": .text(#"title \u3c00 'caf\ue900' \d \u12"#)])
    var fixture = Self.fixture
    fixture.mappings = [mapping]
    #expect(try fixture.read().entityMappings[0].filter == #"title < 'café' \d \u12"#)
  }

  @Test func whatTheMappingModelNoLongerRefersToIsLeftOut() throws {
    let file = try Self.fixture.read {
      $0.replacingOccurrences(of: #"idrefs="z0 z1""#, with: #"idrefs="z1""#)
    }
    #expect(file.entityMappings.map(\.name) == ["Seeds"])
    #expect(file.notes.map(\.sentence) == ["2 deleted mappings that the file still contains are ignored"])
    #expect(file.notes.map(\.location.line) == [4])
  }

  @Test func base64MayBeBrokenIntoLines() throws {
    let file = try Self.fixture.read { $0.replacingOccurrences(of: "\t", with: "\r\n  ") }
    #expect(file.source.model == Self.model)
  }

  @Test func emptyTextsCountAsNone() throws {
    var fixture = Self.fixture
    fixture.mappings = [
      .init(
        "Item", "Item", ["migrationpolicyclassname": .text(""), "name": .text("")],
        relationships: [.init("r", ["sourcekeypath": .text(""), "valueexpressiondata": .bytes(Data())])])
    ]
    let mapping = try fixture.read().entityMappings[0]
    #expect(mapping.policyClassName == nil)
    #expect(mapping.name == nil)
    #expect(mapping.relationshipMappings[0].sourceKeyPath == nil)
    #expect(mapping.relationshipMappings[0].expression == nil)
  }

  @Test func userInfoIsRead() throws {
    var archive = ArchiveFixture()
    let entries = archive.add(entries: [("modelVersion", archive.add(text: "3"))])
    var fixture = Self.fixture
    fixture.mappings = [.init("Item", "Item", ["userinfodata": .bytes(archive.data(root: entries))])]
    #expect(try fixture.read().entityMappings[0].userInfo == ["modelVersion": "3"])
  }

  @Test func oddThingsAreNoted() throws {
    var fixture = Self.fixture
    fixture.mappings = [
      .init(
        "Item", "Item", number: nil,
        ["colour": .text("red"), "sourceexpressiondata": .bytes(ArchiveFixture.expression { $0.variable("Item") })],
        attributes: [.init(nil)])
    ]
    let file = try fixture.read()
    #expect(
      file.notes.map(\.sentence) == [
        "unknown value colour of a XDDEVENTITYMAPPING",
        "an entity mapping has no number and follows the other entity mappings",
        "a source expression next to a generated source expression has no effect",
        "a property mapping names no property and is ignored",
      ])
    #expect(file.entityMappings[0].sourceExpression == nil)
    #expect(file.entityMappings[0].attributeMappings.isEmpty)
  }

  struct Break: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (String) -> String
    var line: Int
    var finding: MappingFileFinding

    static func replacing(_ text: String, with other: String, line: Int, _ finding: MappingFileFinding) -> Break {
      Break(
        testDescription: "\(text) → \(other)", change: { $0.replacingOccurrences(of: text, with: other) }, line: line,
        finding: finding)
    }
  }

  static let breaks: [Break] = [
    Break(
      testDescription: "a model's root", change: { _ in "<model/>" }, line: 1, finding: .unexpectedRoot("model")),
    .replacing("XDDEVMAPPINGMODEL", with: "XDDEVOTHER", line: 3, .noMappingModel),
    .replacing(
      "</database>", with: #"<object type="XDDEVMAPPINGMODEL" id="y"></object></database>"#, line: 8,
      .secondMappingModel(first: SourceLocation(file: "xcmapping.xml", line: 7, column: 1))),
    .replacing(#" id="z1""#, with: "", line: 6, .missingMarkup("id")),
    .replacing(#" type="XDDEVENTITYMAPPING" id="z1""#, with: #" id="z1""#, line: 6, .missingMarkup("type")),
    .replacing(
      #" name="name" type="string">Seeds"#, with: " type=\"string\">Seeds", line: 6,
      .missingMarkup("name of an attribute")),
    .replacing(
      #"id="z1""#, with: #"id="z0""#, line: 6,
      .duplicateID("z0", first: SourceLocation(file: "xcmapping.xml", line: 5, column: 1))),
    .replacing(
      #"<attribute name="name" type="string">Seeds"#,
      with: #"<attribute name="destinationname" type="string">Seeds"#, line: 6, .duplicateValue("destinationname")),
    .replacing(
      #"idrefs="z0 z1""#, with: #"idrefs="z0 z9""#, line: 7,
      .danglingReference(relationship: "entitymappings", id: "z9")),
    .replacing(
      #"idrefs="z0 z1""#, with: #"idrefs="z0 root""#, line: 7,
      .wrongDestination(
        relationship: "entitymappings", id: "root", found: "XDDEVMAPPINGMODEL", expected: "XDDEVENTITYMAPPING")),
    .replacing(
      #"idrefs="z0a0""#, with: #"idrefs="z0""#, line: 5,
      .wrongDestination(
        relationship: "attributemappings", id: "z0", found: "XDDEVENTITYMAPPING", expected: "XDDEVATTRIBUTEMAPPING")),
    .replacing(
      #"destination="XDDEVATTRIBUTEMAPPING" idrefs="z0a0""#, with: #"destination="XDDEVOTHER" idrefs="z0a0""#, line: 5,
      .wrongDestination(
        relationship: "attributemappings", id: "z0a0", found: "XDDEVOTHER", expected: "XDDEVATTRIBUTEMAPPING")),
    .replacing(
      #"idrefs="z0 z1""#, with: #"idrefs="z0 z0""#, line: 7, .sharedObject(relationship: "entitymappings", id: "z0")),
    .replacing(
      #"string">2</"#, with: #"string">99999</"#, line: 5, .badValue(attribute: "mappingnumber", text: "99999")),
    .replacing(
      #"name="sourcemodeldata""#, with: #"name="other""#, line: 7, .noSnapshot(.source)),
    .replacing("YnBsaXN0MD", with: "YnBsaXN0M", line: 7, .badBase64(attribute: "sourcemodeldata")),
    .replacing("YnBsaXN0MD", with: "YnBs!XN0MD", line: 7, .badBase64(attribute: "sourcemodeldata")),
  ]

  @Test(arguments: breaks) func aBrokenFileIsAMessageWithAPlace(damage: Break) throws {
    let error = #expect(throws: ModelFileError.self) { try Self.fixture.read(damage.change) }
    guard case .mapping(let location, let finding)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(finding == damage.finding)
    #expect(location.line == damage.line)
    #expect(error?.description.hasPrefix("xcmapping.xml:\(damage.line):") == true)
  }

  @Test func aModelCutOffInsideItsBytesIsAMessageWithAPlace() throws {
    let bytes = EditorModelFixture.data(Self.model)
    for length in stride(from: 1, to: bytes.count, by: 97) {
      let text = Self.fixture.text.replacingOccurrences(
        of: XcodeMappingFixture.base64(bytes),
        with: bytes.prefix(length).base64EncodedString())
      let error = #expect(throws: ModelFileError.self) {
        try XcodeMappingModel(Data(text.utf8), path: "xcmapping.xml")
      }
      #expect(error?.location?.line == 7, "\(length)")
    }
  }

  @Test(arguments: ["userinfodata", "valueexpressiondata"])
  func bytesThatAreNoArchiveAreAMessageWithAPlace(name: String) throws {
    var fixture = Self.fixture
    fixture.mappings = [.init("Item", "Item", attributes: [.init("title", [name: .bytes(Data([1, 2, 3]))])])]
    let error = #expect(throws: ModelFileError.self) { try fixture.read() }
    guard case .mapping(let location, let finding)? = error else { return }
    #expect(location.line == 4)
    #expect(
      finding
        == .badArchive(
          attribute: name, .unreadable(.brokenPropertyList(path: "xcmapping.xml", .notAPropertyList))))
  }

  @Test func aModelThatIsNoHierarchyIsAMessageWithAPlace() throws {
    var fixture = Self.fixture
    fixture.destination.entities += [
      EntityDescription(name: "A", superentityName: "B"), EntityDescription(name: "B", superentityName: "A"),
    ]
    let error = #expect(throws: ModelFileError.self) { try fixture.read() }
    guard case .mapping(_, .unsoundSnapshot(.destination, .inheritanceCycle))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func theCompiledFormIsCalledWhatItIs() {
    let start = SourceLocation(file: "Map.cdm", line: 1, column: 1)
    #expect(throws: ModelFileError.mapping(location: start, finding: .compiled)) {
      try XcodeMappingModel(ArchiveFixture.expression { $0.variable("source") }, path: "Map.cdm")
    }
  }

  @Test func aDeclaredEntityIsRefused() throws {
    let text = Self.fixture.text.replacingOccurrences(
      of: #"SYSTEM "file:///System/Library/DTDs/CoreData.dtd""#, with: #"[<!ENTITY a "b">]"#)
    let error = #expect(throws: ModelFileError.self) { try XcodeMappingModel(Data(text.utf8), path: "x") }
    #expect(error?.description.contains("entity declarations are not accepted") == true)
  }

  @Test func tenThousandNestedElementsAreRefused() {
    let text = String(repeating: "<a>", count: 10_000)
    #expect(throws: ModelFileError.tooLarge(path: "x", what: "the nesting of its elements", limit: 100)) {
      try XcodeMappingModel(Data(text.utf8), path: "x")
    }
  }

  /// Whatever happens to the bytes, reading and compiling end in a value or a message.
  @Test func everyPrefixAndEveryChangedByteIsAnswered() throws {
    let bytes = Data(Self.fixture.text.utf8)
    var (read, refused) = (0, 0)
    func answer(_ data: Data) {
      do {
        _ = try XcodeMappingModel(data, path: "x").compiled()
        read += 1
      } catch {
        refused += 1
      }
    }
    for length in stride(from: 0, to: bytes.count, by: 61) { answer(bytes.prefix(length)) }
    for position in stride(from: 0, to: bytes.count, by: 13) {
      for change: UInt8 in [0x01, 0x80] {
        var changed = bytes
        changed[position] ^= change
        answer(changed)
      }
    }
    print("changed mapping models: read \(read), refused \(refused)")
    #expect(read > 0)
    #expect(refused > 100)
  }
}
