import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("A model is exported as a version that Xcode opens")
struct ModelExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Order", className: "Order",
        attributes: [AttributeDescription(name: "number", type: .integer64, defaultValue: .integer(0))],
        relationships: [
          RelationshipDescription(
            name: "parent", destinationEntityName: "Order", inverseName: "children", inverseEntityName: "Order",
            isOptional: true, maxCount: 1),
          RelationshipDescription(
            name: "children", destinationEntityName: "Order", inverseName: "parent", inverseEntityName: "Order",
            isOptional: true),
        ])
    ])

  private func files(_ path: String = "") -> [String] {
    (FileManager.default.enumerator(atPath: folder.path(path))?.compactMap { $0 as? String } ?? []).sorted()
  }

  @Test("As a new bundle with its current version")
  func newBundle() throws {
    let export = try ModelExport(Self.model, to: folder.path("Shop.xcdatamodeld"))
    #expect(files() == [], "nothing is written yet")
    try export.write()
    #expect(
      files() == [
        "Shop.xcdatamodeld", "Shop.xcdatamodeld/.xccurrentversion", "Shop.xcdatamodeld/Shop.xcdatamodel",
        "Shop.xcdatamodeld/Shop.xcdatamodel/contents",
      ])
    let version = try ModelBundle(at: folder.path("Shop.xcdatamodeld")).currentVersion()
    let model = try version.load().model
    #expect(model == Self.model)
    #expect(try VersionHashes(of: model) == export.hashes && export.hashes == VersionHashes(of: Self.model))
    #expect(
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: version.filePath)), as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" systemVersion="11A491" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Order" representedClassName="Order">
                <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Order" inverseName="children" inverseEntity="Order"/>
                <relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Order" inverseName="parent" inverseEntity="Order"/>
            </entity>
        </model>
        """)
  }

  @Test("As a further version, which becomes current only on request")
  func furtherVersion() throws {
    let path = folder.path("Shop.xcdatamodeld")
    try ModelExport(Self.model, to: path, version: "v1").write()
    try ModelExport(Self.model, to: path, version: "v2").write()
    #expect(try ModelBundle(at: path).currentVersion().name == "v1")
    try ModelExport(Self.model, to: path + "/v3.xcdatamodel", makesCurrent: true).write()
    #expect(try ModelBundle(at: path).versions.map(\.name) == ["v1", "v2", "v3"])
    #expect(try ModelBundle(at: path).currentVersion().name == "v3")
    try FileManager.default.removeItem(atPath: path + "/.xccurrentversion")
    for name in ["v2", "v3"] { try FileManager.default.removeItem(atPath: path + "/\(name).xcdatamodel") }
    try ModelExport(Self.model, to: path, version: "v9").write()
    #expect(try ModelBundle(at: path).currentVersion().name == "v1", "the only one was current, and stays so")
  }

  @Test("As a single model and as a file")
  func single() throws {
    try ModelExport(Self.model, to: folder.path("Shop.xcdatamodel")).write()
    try ModelExport(Self.model, to: folder.path("Other.xcdatamodel/contents")).write()
    try ModelExport(Self.model, to: folder.path("shop.xml")).write()
    #expect(
      files() == [
        "Other.xcdatamodel", "Other.xcdatamodel/contents", "Shop.xcdatamodel", "Shop.xcdatamodel/contents", "shop.xml",
      ])
    #expect(try ContentsReader.read(fileAt: folder.path("shop.xml")).model == Self.model)
  }

  @Test("Existing files are never overwritten, and invalid paths are refused")
  func refused() throws {
    let path = folder.path("Shop.xcdatamodeld")
    try ModelExport(Self.model, to: path, version: "v1").write()
    try ModelExport(Self.model, to: folder.path("A.xcdatamodel")).write()
    try ModelExport(Self.model, to: folder.path("a.xml")).write()
    let cases: [(String, String?, ModelExportError)] = [
      (path, nil, .unnamed(bundle: path)),
      (path, "V1", .versionExists(name: "v1", bundle: path)),
      (path, "../v2", .badName("../v2", reason: "it begins with a full stop")),
      (path + "/v2.xcdatamodel", "v3", .twoNames(path: path + "/v2.xcdatamodel")),
      (folder.path("A.xcdatamodel"), nil, .exists(path: folder.path("A.xcdatamodel"))),
      (folder.path("B.xcdatamodel"), "v1", .noBundle(path: folder.path("B.xcdatamodel"))),
      (folder.path("a.xml"), nil, .exists(path: folder.path("a.xml"))),
      (folder.path("b.mom"), nil, .compiled(path: folder.path("b.mom"))),
      (folder.url.path, nil, .folder(path: folder.url.path)),
      (
        path + "/sub/v7.xcdatamodel", nil,
        .insideBundle(path: path + "/sub/v7.xcdatamodel", bundle: "Shop.xcdatamodeld")
      ),
      (
        path + "/v1.xcdatamodel/v7.xcdatamodel", nil,
        .insideBundle(path: path + "/v1.xcdatamodel/v7.xcdatamodel", bundle: "v1.xcdatamodel")
      ),
      (
        path + "/v1.xcdatamodel/B.xcdatamodeld", "v1",
        .insideBundle(path: path + "/v1.xcdatamodel/B.xcdatamodeld", bundle: "v1.xcdatamodel")
      ),
      (path + "/b.xml", nil, .insideBundle(path: path + "/b.xml", bundle: "Shop.xcdatamodeld")),
      (folder.path("gone.xcdatamodel"), nil, .exists(path: folder.path("gone.xcdatamodel"))),
      (folder.path("gone.xcdatamodeld"), nil, .exists(path: folder.path("gone.xcdatamodeld"))),
      (folder.path("gone.xml"), nil, .exists(path: folder.path("gone.xml"))),
    ]
    for name in ["gone.xcdatamodel", "gone.xcdatamodeld", "gone.xml"] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: "nowhere")
    }
    let before = files()
    for (path, version, expected) in cases {
      #expect(throws: expected) { try ModelExport(Self.model, to: path, version: version) }
    }
    #expect(files() == before)
  }

  @Test(
    "A missing folder is never created",
    arguments: [
      "a/b/Shop.xcdatamodeld", "a/Shop.xcdatamodel", "a/Shop.xcdatamodel/contents", "a/shop.xml", "a/../shop.xml",
    ])
  func missingFolder(_ name: String) throws {
    let error = #expect(throws: ModelExportError.self) { try ModelExport(Self.model, to: folder.path(name)) }
    guard case .noFolder? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(error.map { "\($0)" } ?? "")".hasSuffix("” does not exist; create it first"))
    #expect(files() == [])
  }

  @Test("A file is exported with its own bytes and comments; a file that is written again lists its losses")
  func comments() throws {
    let text = "<?xml version='1.0'?>\n<!-- a -->\n<model>\n  <!-- b -->\n  <entity name='A'/> <!-- c -->\n</model>\n"
    var document = try ContentsDocument(Data(text.utf8), path: "contents")
    let export = try ModelExport(document, to: folder.path("a.xml"))
    #expect(export.contents == Data(text.utf8) && export.losses == [])
    let wide = try #require(text.data(using: .utf16))
    let narrowed = try ModelExport(ContentsDocument(wide, path: "contents"), to: folder.path("a.xml"))
    #expect(narrowed.losses.map { "\($0)" } == ["model: the comments of its file (2)"])
    document.model.entities[0].name = "B"
    let changed = try ModelExport(document, to: folder.path("a.xml"))
    #expect(changed.losses.map { "\($0)" } == ["model: the comments of its file (2)"])
    #expect(String(decoding: changed.contents, as: UTF8.self).contains("<!-- a -->"))
  }

  @Test("All or nothing: a folder that may not be written to", .enabled(if: ProtectedFolder.isPossible))
  func protected() throws {
    let path = folder.path("Shop.xcdatamodeld")
    try ModelExport(Self.model, to: path, version: "v1").write()
    let export = try ModelExport(Self.model, to: path, version: "v2", makesCurrent: true)
    let protection = ProtectedFolder(URL(fileURLWithPath: path))
    #expect(throws: ModelExportError.self) { try export.write() }
    protection.lift()
    #expect(files("Shop.xcdatamodeld") == [".xccurrentversion", "v1.xcdatamodel", "v1.xcdatamodel/contents"])
  }

  @Test("Settings that a contents file cannot express are listed, and refused if a hash depends on them")
  func losses() throws {
    var model = Self.model
    model.entities[0].attributes[0] = AttributeDescription(
      name: "number", type: .binary, defaultValue: .binary(Data([1])))
    model.versionIdentifiers = ["1", "2"]
    let export = try ModelExport(model, to: folder.path("a.xml"))
    #expect(
      export.losses.map { "\($0)" } == [
        "model: every version identifier but the first", "Order.number: the default value",
      ])
    model.entities[0].name = "a\u{1}b"
    #expect(throws: ModelExportError.self) { try ModelExport(model, to: folder.path("a.xml")) }
    model.entities[0].name = "Order"
    model.entities[0].superentityName = "Nobody"
    #expect(throws: ModelExportError.structure(.unknownSuperentity(entity: "Order", superentity: "Nobody"))) {
      try ModelExport(model, to: folder.path("a.xml"))
    }
    model.entities[0].superentityName = nil
    model.entities[0].attributes[0] = AttributeDescription(
      name: "place", type: .composite, elements: [AttributeDescription(name: "x", type: .double)])
    let error = #expect(throws: ModelExportError.self) { try ModelExport(model, to: folder.path("a.xml")) }
    guard case .otherHashes(entities: ["Order"], let losses)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(losses.contains { "\($0)" == "Order.place: its elements" })
  }

  @Test("Content beyond the model is exported too, such as the sync settings")
  func documents() throws {
    let text = ContentsDocumentTests.complete
    try FileManager.default.createDirectory(atPath: folder.path("A.xcdatamodel"), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("A.xcdatamodel/contents")))
    let source = try ModelSource.resolve(folder.path("A.xcdatamodel"))
    try ModelExport(source.document().document, to: folder.path("B.xcdatamodel")).write()
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("B.xcdatamodel/contents"))) == Data(text.utf8))
    #expect(Self.model.editable().entities.map(\.isSyncable) == [true])
    #expect(try VersionHashes(of: Self.model.editable()) == VersionHashes(of: Self.model))
  }

  @Test("An index that a compiled model has under one name twice and in older forms is written once")
  func repeatedIndexes() throws {
    func index(_ names: String...) -> FetchIndexDescription {
      FetchIndexDescription(name: names.joined(separator: "_"), elements: names.map { .init(subject: .property($0)) })
    }
    let attributes = ["a", "b", "c"].map { AttributeDescription(name: $0, type: .string, isIndexed: $0 != "b") }
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Order", attributes: attributes, fetchIndexes: [index("a"), index("a"), index("a", "b")],
        compoundIndexes: [["a", "b"], ["b", "c"]])
    ])
    try ModelExport(model.editable(), to: folder.path("once.xml")).write()
    let written = try ContentsReader.read(fileAt: folder.path("once.xml"))
    #expect(written.redeclarations.isEmpty)
    let order = try #require(written.model.entities.first)
    #expect(order.fetchIndexes == [index("a"), index("a", "b")] && order.compoundIndexes == [["b", "c"]])
    #expect(order.attributes.map(\.isIndexed) == [false, false, true])
    #expect(order.allFetchIndexes == model.entities[0].allFetchIndexes)
  }
}
