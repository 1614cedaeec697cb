import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("export gives a version with the hashes of its source")
struct ExportTests {
  private static func hashes(_ model: String, in workspace: SampleFolder) throws -> [String] {
    let result = try workspace.modelctl("hash", model)
    #expect(result.status == 0, "\(result.standardError)")
    return result.standardOutput.split(separator: "\n").dropFirst().map(String.init)
  }

  private static let sources = [
    "Orders@v1", "Models/Orders.xcdatamodeld", "Models/Orders.xcdatamodeld/v6.xcdatamodel/contents", "foreign.sqlite",
    "1.0:Models/Orders.xcdatamodeld/v2.xcdatamodel",
  ]
  private static let places = [
    "New.xcdatamodeld", "New.xcdatamodeld/other.xcdatamodel", "New.xcdatamodel", "New.xcdatamodel/contents", "new.xml",
  ]

  @Test(
    "From every kind of source to every kind of place",
    arguments: CorpusSample.of(sources.flatMap { source in places.map { (source, $0) } }, atMost: 6))
  func hashesAreKept(_ source: String, _ place: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("foreign.sqlite")
    let git = "git init -q && git add Models && git -c user.name=a -c user.email=a@b commit -qm 1.0 && git tag 1.0"
    #expect(try Modelctl.shell(git, in: workspace).status == 0)
    let result = try workspace.modelctl("export", source, "--output", place)
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try Self.hashes(place, in: workspace) == Self.hashes(source, in: workspace))
    let before = try workspace.contents()
    #expect(
      try workspace.modelctl("export", source, "--output", place, "--model", "Models/Orders.xcdatamodeld").status == 2)
    #expect(try workspace.contents() == before, "what is there is not overwritten")
  }

  @Test(
    "A refused export leaves no file",
    arguments: [
      (["export", "Orders@v9", "--output", "New.xcdatamodeld"], "no model version “Orders@v9”"),
      (["export", "Orders@v1", "--output", "New.momd"], "only Xcode compiles models"),
      (["export", "Orders@v1", "--output", "New.xcdatamodeld", "--name", "a/b"], "is not a valid version name"),
      (["export", "Orders@v1", "--output", "Models/Orders.xcdatamodeld"], "the version “v1” already exists"),
      (["export", "Orders@v1", "--output", "Models"], "is a folder\n  Name the bundle or file to make in it"),
      (["export", "Orders@v1", "--output", "gone/new.xml"], "the folder “gone” does not exist"),
      (["export", "Orders@v1", "--output", "gone/New.xcdatamodeld"], "the folder “gone” does not exist"),
      (
        ["export", "Orders@v1", "--output", "Models/Orders.xcdatamodeld/v1.xcdatamodel/v7.xcdatamodel"],
        "the path is inside v1.xcdatamodel, where a model is not found"
      ),
      (["export", "README.md", "--output", "new.xml"], "neither a model nor an SQLite store"),
    ])
  func refused(_ command: [String], _ words: String) throws {
    let workspace = try SampleFolder()
    try workspace.write("no model", to: "README.md")
    let before = try workspace.contents()
    let result = try Modelctl.run(command, in: workspace)
    #expect(result.status == 2)
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.contains(words), "\(result.standardError)")
    #expect(try workspace.contents() == before)
  }

  @Test("CloudKit's settings of a model are kept, and shown without an effect on hashes")
  func cloudKit() throws {
    let workspace = try SampleFolder()
    let attribute = #"<attribute name="a" attributeType="String"/>"#
    let encrypted = attribute.replacing("/>", with: #" allowsCloudEncryption="YES"/>"#)
    for (name, attribute) in [("plain", attribute), ("cloud", encrypted)] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A">\(attribute)</entity>
        <configuration name="C" usedWithCloudKit="YES"><memberEntity name="A"/></configuration></model>
        """, to: "\(name).xml")
    }
    let difference = try workspace.modelctl("diff", "plain.xml", "cloud.xml")
    #expect(difference.standardOutput.contains("cloudEncryption of A.a"), "\(difference)")
    #expect(difference.standardOutput.contains("without effect on hash and rows"), "\(difference)")
    #expect(difference.standardError.isEmpty, "\(difference)")
    #expect(try workspace.modelctl("show", "cloud.xml").standardOutput.contains("allows cloud encryption"))
    let code = try workspace.modelctl("generate", "swift", "cloud.xml")
    #expect(code.standardOutput.contains("Attribute(\"a\", .string).allowsCloudEncryption()"), "\(code)")
    let exported = try workspace.modelctl("export", "cloud.xml", "--output", "copy.xml")
    let contents = try workspace.contents()
    #expect(exported.status == 0 && contents["copy.xml"] == contents["cloud.xml"], "\(exported)")
  }

  @Test("A compiled model that cannot be read completely, or differs from the hashes in its bundle, is refused")
  func compiled() throws {
    let workspace = try SampleFolder()
    let folder = workspace.url.appendingPathComponent("App.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, type) in [("whole", 700), ("part", 2100)] {
      try Self.compiledModel(attributeType: type).write(to: workspace.url.appendingPathComponent("\(name).mom"))
      try Self.compiledModel(attributeType: type).write(to: folder.appendingPathComponent("\(name).mom"))
    }
    #expect(try workspace.modelctl("export", "whole.mom", "--output", "whole.xml").status == 0)
    #expect(try Self.hashes("whole.xml", in: workspace) == Self.hashes("whole.mom", in: workspace))
    let part = try workspace.modelctl("export", "part.mom", "--output", "part.xml")
    #expect(part.status == 2)
    #expect(
      part.standardError.contains("error: part.mom: the elements of A.a are not read from a compiled model, so that"))
    let code = try workspace.modelctl("generate", "swift", "part.mom")
    #expect(code.status == 2 && code.standardOutput.isEmpty)
    #expect(code.standardError.contains("so that its version hashes are not known; modelctl wrote nothing\n  Name"))
    #expect(try workspace.modelctl("generate", "swift", "whole.mom").status == 0)
    let types = try workspace.modelctl("generate", "types", "part.mom", "--output", "Types")
    #expect(types.status == 0)
    #expect(types.standardError.contains("warning: part.mom: the elements of A.a are not read"))
    let others = try workspace.modelctl("generate", "types", "Todo@v1", "--output", "Types")
    #expect(others.standardError.hasPrefix("note: Types contains files of an earlier model: A.swift\n"))
    let recorded = ["whole", "part"].map { name in
      (name, PropertyList.dictionary(["A": .data(Data(repeating: 7, count: 32))]))
    }
    try PropertyList.dictionary([
      "NSManagedObjectModel_CurrentVersionName": .string("whole"),
      "NSManagedObjectModel_VersionHashes": .dictionary(Dictionary(uniqueKeysWithValues: recorded)),
    ]).binary.write(to: folder.appendingPathComponent("VersionInfo.plist"))
    let other = try workspace.modelctl("export", "App.momd", "--output", "App.xcdatamodeld")
    #expect(other.status == 2)
    #expect(
      other.standardError.contains("A have other version hashes than its bundle records"), "\(other.standardError)")
    let generated = try workspace.modelctl("generate", "swift", "--model", "App.momd")
    #expect(generated.status == 2 && generated.standardError.contains("A have other version hashes"))
    #expect(!FileManager.default.fileExists(atPath: workspace.folder.path("App.xcdatamodeld")))
  }

  /// The archive of a model of one entity with one attribute.
  static func compiledModel(attributeType: Int) -> Data {
    func named(_ name: String) -> PropertyList {
      .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }
    func entry(_ name: UInt64, _ value: UInt64) -> PropertyList {
      .dictionary(["$class": .uid(8), "NS.keys": .array([.uid(name)]), "NS.objects": .array([.uid(value)])])
    }
    let objects: [PropertyList] = [
      .string("$null"),
      .dictionary(["$class": .uid(9), "NSEntities": .uid(2)]), entry(3, 4), .string("A"),
      .dictionary(["$class": .uid(10), "NSEntityName": .uid(3), "NSProperties": .uid(5)]), entry(6, 7), .string("a"),
      .dictionary([
        "$class": .uid(11), "NSPropertyName": .uid(6), "NSAttributeType": .integer(Int64(attributeType)),
        "NSIsOptional": .boolean(true),
      ]),
      named("NSDictionary"), named("NSManagedObjectModel"), named("NSEntityDescription"),
      named("NSAttributeDescription"),
    ]
    return PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
    ]).binary
  }
}
