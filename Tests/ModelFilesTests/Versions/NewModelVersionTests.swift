import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("A new version of a model")
struct NewModelVersionTests {
  private let folder: TemporaryFolder
  private var bundle: String { folder.path("Shop.xcdatamodeld") }
  private static let text =
    "<model><entity name=\"Order\" syncable=\"YES\"><attribute name=\"total\" attributeType=\"String\"/></entity></model>"

  init() throws {
    folder = try TemporaryFolder()
    try write(Self.text, to: "Shop.xcdatamodeld/v1.xcdatamodel/contents")
    try write(Self.text, to: "Shop.xcdatamodeld/v2.xcdatamodel/contents")
    try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>",
      to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  private func write(_ text: String, to path: String) throws {
    let url = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(path)), as: UTF8.self)
  }

  /// Every file below the folder with its text.
  private func everything() throws -> [String: String] {
    let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, ScratchFile.isFolder(folder.path($0)) ? "" : try text($0)) })
  }

  @Test(
    "The next name in the bundle's pattern",
    arguments: [
      ("v6", ["v5", "v6"], "v7"), ("v6", ["v6", "v7", "v9"], "v10"), ("Model 2", ["Model", "Model 2"], "Model 3"),
      ("Shop", ["Shop"], "Shop 2"), ("Shop", ["Shop", "Shop 2"], "Shop 3"), ("v09", ["v09"], "v10"),
      ("v001", ["v001"], "v002"), ("2.4", ["2.3", "2.4"], "2.5"), ("1", ["1"], "2"), ("v1", ["v1", "V2"], "v3"),
      ("v99999999999999999999", ["v99999999999999999999"], "v99999999999999999999 2"), ("v9", ["v9", "v9b"], "v10"),
    ])
  func nextName(_ name: String, _ names: [String], _ expected: String) {
    #expect(VersionName.next(after: name, among: names) == expected)
  }

  @Test("A copy with the requested identifiers, current as Xcode writes it; the old version is kept")
  func copy() throws {
    let version = try NewModelVersion.plan(of: ModelBundle(at: bundle), addsIdentifiers: true)
    #expect(version.name == "v3")
    #expect(try everything().count == 6, "nothing is written yet")
    try version.write()
    #expect(
      try text("Shop.xcdatamodeld/v3.xcdatamodel/contents")
        == "<model><entity name=\"Order\" elementID=\"Order\" syncable=\"YES\">"
        + "<attribute name=\"total\" attributeType=\"String\" elementID=\"total\"/></entity></model>")
    #expect(try text("Shop.xcdatamodeld/v2.xcdatamodel/contents") == Self.text)
    #expect(
      try text("Shop.xcdatamodeld/.xccurrentversion") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>_XCCurrentVersionName</key>
        \t<string>v3.xcdatamodel</string>
        </dict>
        </plist>

        """)
    #expect(try ModelBundle(at: bundle).currentVersion().name == "v3")
    #expect(try FileManager.default.contentsOfDirectory(atPath: bundle).count == 4)
  }

  @Test("The copy is equal byte for byte, with any files in the version's folder")
  func plainCopy() throws {
    try write("not looked at", to: "Shop.xcdatamodeld/v2.xcdatamodel/layout")
    try NewModelVersion.plan(of: ModelBundle(at: bundle), named: "Tom & Jerry").write()
    #expect(try text("Shop.xcdatamodeld/Tom & Jerry.xcdatamodel/contents") == Self.text)
    #expect(try text("Shop.xcdatamodeld/Tom & Jerry.xcdatamodel/layout") == "not looked at")
    #expect(try ModelBundle(at: bundle).currentVersion().name == "Tom & Jerry")
  }

  @Test("A single model becomes a bundle of two versions")
  func conversion() throws {
    try write(Self.text, to: "Blog.xcdatamodel/contents")
    let version = try NewModelVersion.plan(of: ModelBundle(at: folder.path("Blog.xcdatamodel")))
    try version.write()
    #expect(version.path == folder.path("Blog.xcdatamodeld/Blog 2.xcdatamodel"))
    let bundle = try ModelBundle(at: folder.path("Blog.xcdatamodeld"))
    #expect(bundle.versions.map(\.name) == ["Blog", "Blog 2"])
    #expect(bundle.currentVersionName == "Blog 2")
    #expect(try text("Blog.xcdatamodeld/Blog.xcdatamodel/contents") == Self.text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "Blog.xcdatamodeld", "Shop.xcdatamodeld",
      ])
  }

  @Test("The edits of a shipped version become the new one, the shipped one gets its bytes back")
  func restoration() throws {
    let edited = Self.text.replacingOccurrences(of: "\"total\"", with: "\"sum\"")
    try write(edited, to: "Shop.xcdatamodeld/v2.xcdatamodel/contents")
    let restoration = NewModelVersion.Restoration(
      revision: "1.0", contents: Data(Self.text.utf8), renames: [.property(entity: "Order", name: "sum"): "total"])
    try NewModelVersion.plan(of: ModelBundle(at: bundle), restoration: restoration).write()
    #expect(try text("Shop.xcdatamodeld/v2.xcdatamodel/contents") == Self.text)
    let made = try ModelBundle(at: bundle).currentVersion().load().model
    #expect(made.entities[0].attributes.map { "\($0.name)=\($0.canonicalName)" } == ["sum=total"])
    #expect(made.entities[0].renamingIdentifier == nil, "nothing but what was renamed gets one")
    let path = bundle + "/v3.xcdatamodel/contents"
    let now = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: NewVersionError.notEdited(path: path, revision: "1.0")) {
      try NewModelVersion.plan(of: ModelBundle(at: bundle), restoration: .init(revision: "1.0", contents: now))
    }
  }

  @Test(
    "A name that can be none",
    arguments: [
      "", ".", "..", ".hidden", "a/b", "../v9", "a\nb", " v3", "v3 ", "a/\u{301}b", ".\u{301}a", " \u{301}a",
      "a:\u{301}b",
      "a\r\nb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{202E}b", "a\u{2066}b", "a\u{200F}b", "a\u{FEFF}b",
      "a\u{FFFE}b", "a\u{FFFD}b",
    ])
  func badName(_ name: String) throws {
    #expect(throws: NewVersionError.self) { try NewModelVersion.plan(of: ModelBundle(at: bundle), named: name) }
  }

  @Test(
    "A name with an accent on a character that XML must escape", arguments: ["a&\u{301}b", "a<\u{301}b", "é \u{1F600}"])
  func escapedName(_ name: String) throws {
    try NewModelVersion.plan(of: ModelBundle(at: bundle), named: name).write()
    #expect(try Array(ModelBundle(at: bundle).currentVersion().name.utf8) == Array(name.utf8))
  }

  @Test(
    "A name that is taken, in any case of its letters, with or without the extension",
    arguments: [
      "v1", "V2", "v2.xcdatamodel",
    ])
  func takenName(_ name: String) throws {
    let taken = name.lowercased().prefix(2)
    #expect(throws: NewVersionError.exists(name: String(taken), bundle: bundle)) {
      try NewModelVersion.plan(of: ModelBundle(at: bundle), named: name)
    }
  }

  @Test("A concurrent change stops it, and leaves no partial file")
  func takenMeanwhile() throws {
    let version = try NewModelVersion.plan(of: ModelBundle(at: bundle))
    try write("somebody else's", to: "Shop.xcdatamodeld/v3.xcdatamodel/contents")
    let before = try everything()
    #expect(throws: NewVersionError.exists(name: "v3", bundle: bundle)) { try version.write() }
    #expect(try everything() == before)
    try write(Self.text, to: "Blog.xcdatamodel/contents")
    try write("", to: "Blog.xcdatamodeld/.keep")
    let converted = try NewModelVersion.plan(of: ModelBundle(at: folder.path("Blog.xcdatamodel")))
    let both = try everything()
    #expect(throws: NewVersionError.inTheWay(path: folder.path("Blog.xcdatamodeld"))) { try converted.write() }
    #expect(try everything() == both)
  }

  @Test("A later step that fails takes the earlier ones back")
  func rollback() throws {
    // A folder stands where the file that names the current version is written.
    let current = bundle + "/.xccurrentversion"
    let restoration = NewModelVersion.Restoration(revision: "1.0", contents: Data("<model/>".utf8))
    let version = try NewModelVersion.plan(of: ModelBundle(at: bundle), restoration: restoration)
    try FileManager.default.removeItem(atPath: current)
    try write("x", to: "Shop.xcdatamodeld/.xccurrentversion/x")
    let before = try everything()
    #expect(throws: NewVersionError.self) { try version.write() }
    #expect(try everything() == before)
  }

  @Test("A bundle that may not be written", .enabled(if: ProtectedFolder.isPossible))
  func protectedBundle() throws {
    let version = try NewModelVersion.plan(of: ModelBundle(at: bundle))
    let before = try everything()
    let protection = ProtectedFolder(URL(fileURLWithPath: bundle))
    defer { protection.lift() }
    #expect(throws: NewVersionError.self) { try version.write() }
    #expect(try everything() == before)
  }

  @Test("Compiled bundles and the editor's old archives")
  func otherForms() throws {
    try write("bplist00", to: "Old.xcdatamodeld/Old.xcdatamodel/elements")
    let old = try ModelBundle(at: folder.path("Old.xcdatamodeld"))
    #expect(throws: NewVersionError.archive(path: folder.path("Old.xcdatamodeld/Old.xcdatamodel/elements"))) {
      try NewModelVersion.plan(of: old, addsIdentifiers: true)
    }
    try NewModelVersion.plan(of: old).write()
    #expect(try text("Old.xcdatamodeld/Old 2.xcdatamodel/elements") == "bplist00")
    try write("bplist00", to: "App.momd/v1.mom")
    #expect(throws: NewVersionError.compiled(bundle: folder.path("App.momd"))) {
      try NewModelVersion.plan(of: ModelBundle(at: folder.path("App.momd")))
    }
  }
}
