import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// Bundles, their versions and which of them is current.
struct BundleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ path: String, _ text: String = "<model><entity name=\"E\"/></model>") throws {
    let url = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func current(_ name: String) -> String {
    "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>"
  }

  @Test func versionsStandInNaturalOrder() throws {
    for name in ["Model 10", "Model", "2.21.1", "Model 2", "2.3"] {
      try write("A.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try write("A.xcdatamodeld/.xccurrentversion", current("Model 10.xcdatamodel"))
    let bundle = try ModelBundle(at: folder.path("A.xcdatamodeld/"))
    #expect(bundle.name == "A")
    #expect(bundle.versions.map(\.name) == ["2.3", "2.21.1", "Model", "Model 2", "Model 10"])
    #expect(try bundle.currentVersion().qualifiedName == "A@Model 10")
    #expect(try bundle.currentVersion().load().model.entities.map(\.name) == ["E"])
  }

  @Test(arguments: [
    ("Model", "Model 2"), ("Model 2", "Model 10"), ("2.3", "2.21.1"), ("v9", "V10"), ("a1b2", "a1b10"), ("1", "a"),
    ("01", "2"),
  ])
  func natural(_ first: String, _ second: String) {
    #expect(VersionOrder.isOrdered(first, before: second))
    #expect(!VersionOrder.isOrdered(second, before: first))
    #expect(!VersionOrder.isOrdered(first, before: first))
  }

  @Test func theOnlyVersionIsCurrent() throws {
    try write("A.xcdatamodeld/Only.xcdatamodel/contents")
    #expect(try ModelBundle(at: folder.path("A.xcdatamodeld")).currentVersionName == "Only")
  }

  @Test func severalVersionsWithoutACurrentOneMustBeNamed() throws {
    try write("A.xcdatamodeld/1.xcdatamodel/contents")
    try write("A.xcdatamodeld/2.xcdatamodel/contents")
    let bundle = try ModelBundle(at: folder.path("A.xcdatamodeld"))
    #expect(bundle.currentVersionName == nil)
    #expect(throws: ModelFileError.noCurrentVersion(bundle: bundle.path, versions: ["1", "2"])) {
      try bundle.currentVersion()
    }
  }

  @Test func aCurrentVersionThatIsNotThereIsAnError() throws {
    try write("A.xcdatamodeld/1.xcdatamodel/contents")
    try write("A.xcdatamodeld/.xccurrentversion", current("2.xcdatamodel"))
    let bundle = try ModelBundle(at: folder.path("A.xcdatamodeld"))
    #expect(bundle.versions.map(\.name) == ["1"])
    #expect(throws: ModelFileError.currentVersionMissing(bundle: bundle.path, name: "2", versions: ["1"])) {
      try bundle.currentVersion()
    }
  }

  @Test func aCurrentVersionInTheFormOfOpenStepIsRead() throws {
    for name in ["1", "2"] { try write("A.xcdatamodeld/\(name).xcdatamodel/contents") }
    try write("A.xcdatamodeld/.xccurrentversion", "{ \"_XCCurrentVersionName\" = \"2.xcdatamodel\"; }\n")
    #expect(try ModelBundle(at: folder.path("A.xcdatamodeld")).currentVersion().name == "2")
    try write(
      "A.xcdatamodeld/.xccurrentversion",
      #"""
      { /* a */ other = (1, {}, <0f 1E>, ); // b
      "_XCCurrent\126ersionName" = '\U0032.xcdatamodel'; alone; }
      """#)
    #expect(try ModelBundle(at: folder.path("A.xcdatamodeld")).currentVersion().name == "2")
    // A small u is no escape.
    try write("A.xcdatamodeld/u3.xcdatamodel/contents")
    try write("A.xcdatamodeld/.xccurrentversion", #"{ "_XCCurrentVersionName" = "\u3.xcdatamodel"; }"#)
    #expect(try ModelBundle(at: folder.path("A.xcdatamodeld")).currentVersion().name == "u3")
    let deep = String(repeating: "{ a = ", count: 100_000)
    for text in [
      "{ \"_XCCurrentVersionName\" = (1, 2); }", "{ torn", "{", "{ a = 1 }", "{ a = 1; } b", "{ a = \"1; }",
      "{ a = <0>; }", "{ a = 1; /*", deep,
    ] {
      try write("A.xcdatamodeld/.xccurrentversion", text)
      #expect(throws: ModelFileError.self, "\(text.prefix(40))") { try ModelBundle(at: folder.path("A.xcdatamodeld")) }
    }
  }

  @Test func aBundleWithoutVersionsIsAnError() throws {
    try write("A.xcdatamodeld/README")
    let path = folder.path("A.xcdatamodeld")
    #expect(throws: ModelFileError.noVersions(bundle: path)) { try ModelBundle(at: path) }
    #expect(throws: ModelFileError.notAModel(path: "x.txt")) { try ModelBundle(at: "x.txt") }
  }

  @Test func aSingleModelIsABundleOfOneVersion() throws {
    try write("Single.xcdatamodel/contents")
    let bundle = try ModelBundle(at: folder.path("Single.xcdatamodel"))
    #expect(bundle.versions.map(\.name) == ["Single"])
    #expect(bundle.currentVersionName == "Single")
  }

  @Test func discoveryIsSortedAndSkipsWhatIsHiddenOrLinked() throws {
    try write("b/B.xcdatamodeld/1.xcdatamodel/contents")
    try write("a/A.xcdatamodeld/1.xcdatamodel/contents")
    try write("a/S.xcdatamodel/contents")
    try write(".build/C.xcdatamodeld/1.xcdatamodel/contents")
    try write("a/Broken.xcdatamodeld/README")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("a/loop"), withDestinationURL: folder.url)
    #expect(ModelBundle.discover(under: folder.url.path).map(\.name) == ["A", "S", "B"])
    #expect(ModelBundle.bundlePaths(under: folder.url.path).count == 4)
  }

  @Test func aCompiledBundleTellsItsHashesAndItsCurrentVersion() throws {
    let hash = Data(repeating: 7, count: 32)
    let info = PropertyList.dictionary([
      "NSManagedObjectModel_CurrentVersionName": .string("Two"),
      "NSManagedObjectModel_VersionHashes": .dictionary(["Two": .dictionary(["E": .data(hash)])]),
      "NSManagedObjectModel_VersionChecksums": .dictionary(["Two": .string("abc=")]),
    ])
    for name in ["One.mom", "Two.mom", "Two.omo"] { try write("A.momd/\(name)", "?") }
    try info.binary.write(to: folder.url.appendingPathComponent("A.momd/VersionInfo.plist"))
    let bundle = try ModelBundle(at: folder.path("A.momd"))
    #expect(bundle.versions.map(\.name) == ["One", "Two"])
    #expect(bundle.currentVersionName == "Two")
    #expect(bundle.versionInfo?.hashes == ["Two": ["E": hash]])
    #expect(bundle.versionInfo?.checksums == ["Two": "abc="])
  }
}
