import Foundation
import TestSupport
import Testing

@Suite("Recording a release lists the accepted losses, and drops no record silently")
struct ReleaseRecordTests {
  private static let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
  private static let bundle = "Shop.xcdatamodeld"

  private func version(_ name: String, _ attributes: String, in workspace: SampleFolder) throws {
    try workspace.write(
      "<model><entity name=\"Order\">\(attributes)</entity></model>",
      to: "\(Self.bundle)/\(name).xcdatamodel/contents")
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
      """, to: "\(Self.bundle)/.xccurrentversion")
  }

  private func mapping(_ body: String, named name: String = "a", in workspace: SampleFolder) throws {
    try workspace.write(
      "<mappingModel source=\"v1\" destination=\"v2\">\(body)</mappingModel>\n", to: "Migrations/Shop/\(name).xml")
  }

  private static func order(_ attribute: String) -> String {
    "<entityMapping source=\"Order\" destination=\"Order\">\(attribute)</entityMapping>"
  }

  /// A repository whose branch main has two released versions of equal attributes.
  private func repository() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Releases")
    try workspace.migrateByModelctl()
    let second = #"<attribute name="number" optional="YES" attributeType="Integer 32"/>"#
    try version("v1", Self.note, in: workspace)
    try version("v2", Self.note + second, in: workspace)
    try workspace.shell("git init --quiet --initial-branch=main && modelctl lock --all")
    try workspace.commit("one")
    return workspace
  }

  @Test("lock names the properties whose rows may block")
  func blockers() throws {
    let workspace = try repository()
    try version("v3", #"<attribute name="note" attributeType="String"/>"#, in: workspace)
    let recorded = try workspace.modelctl("lock", "--allow-data-loss", "Order.number")
    #expect(
      recorded.standardOutput
        == "Shop.lock.json: v3 recorded as released; a migration to it may lose Order.number; rows may block a migration to it: Order.note\n"
    )
    // What was accepted stays visible in every check.
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 0)
    #expect(
      checked.standardError.hasPrefix(
        "1 released version may refuse stores because of accepted blockers: v3 of Shop (Order.note); to test this: "
          + "modelctl rehearse\n"), "\(checked)")
    let again = try workspace.modelctl("lock", "--format", "json").standardOutput
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(again.utf8))
    #expect(document["records"]?.elements.first?["mayBlock"]?.elements.isEmpty == true, "\(again)")
  }

  @Test("All missing versions are recorded except the current version, which needs its name or --release")
  func currentVersion() throws {
    let workspace = try repository()
    let number = #"<attribute name="number" optional="YES" attributeType="Integer 32"/>"#
    for (name, more) in [("v3", "a"), ("v4", "b")] {
      let attribute = "<attribute name=\"\(more)\" optional=\"YES\" attributeType=\"String\"/>"
      try version(name, Self.note + number + attribute, in: workspace)
    }
    let all = try workspace.modelctl("lock", "--all")
    #expect(all.status == 0, "\(all)")
    #expect(all.standardOutput == "Shop.lock.json: v3 recorded as released\n", "\(all)")
    let path = "\(Self.bundle)/v4.xcdatamodel"
    #expect(
      all.standardError.contains(
        "Shop.lock.json: the current version v4 is not recorded; after you release it, run: modelctl lock \(path)\n"),
      "\(all)")
    for arguments in [["--all", "--release"], ["--all", path]] {
      let refused = try Modelctl.run(["lock"] + arguments, in: workspace)
      #expect(refused.status == 2 && refused.standardError.contains("--allow-data-loss Order.a"), "\(refused)")
    }
    // A draft stays one, until it is released.
    try workspace.shell("modelctl lock --draft --allow-data-loss Order.a && modelctl lock --all")
    let draft = try String(contentsOf: workspace.url.appendingPathComponent("Shop.lock.json"), encoding: .utf8)
    #expect(draft.contains(#""state": "draft""#))
    let released = try workspace.modelctl("lock", "--all", "--release")
    #expect(released.standardOutput.hasPrefix("Shop.lock.json: v4 was a draft and is now released"), "\(released)")
  }

  @Test("A new mapping model is recorded by itself, and the command of the finding does so")
  func newMapping() throws {
    let workspace = try repository()
    try version("v3", Self.note, in: workspace)
    try mapping("", in: workspace)
    let checked = try workspace.modelctl("check").standardOutput
    let command = "modelctl lock Shop.xcdatamodeld --mapping Migrations/Shop/a.xml"
    #expect(checked.contains("the lock file does not list Migrations/Shop/a.xml"), "\(checked)")
    #expect(checked.contains("fix: record it: \(command)\n"), "\(checked)")
    #expect(try workspace.shell(command) == "Shop.lock.json: v2 recorded again")
    #expect(try workspace.shell("git diff --stat").contains("Shop.lock.json"))
    let lock = try String(contentsOf: workspace.url.appendingPathComponent("Shop.lock.json"), encoding: .utf8)
    #expect(lock.contains("Migrations/Shop/a.xml") && !lock.contains("\"v3\""), "\(lock)")
    #expect(try !workspace.modelctl("check").standardOutput.contains("a.xml"))
    #expect(
      try workspace.shell("modelctl lock --mapping Migrations/Shop/a.xml") == "Shop.lock.json: v2 is already released")
    try mapping(Self.order(#"<attribute name="note" default="yes"/>"#), in: workspace)
    try Refusal.expect(
      ["lock", "--mapping", "Migrations/Shop/a.xml"],
      says: [
        "Migrations/Shop/a.xml: the mapping model is recorded with different bytes\n",
        "lock --relock \(Self.bundle)/v2.xcdatamodel",
      ],
      in: workspace)
    try Refusal.expect(
      ["lock", "--mapping", "Migrations/Shop/b.xml"], says: ["Migrations/Shop/b.xml: ", "there is no such file"],
      in: workspace)
    try workspace.write("<mappingModel source=\"v2\" destination=\"v3\"/>\n", to: "Migrations/Shop/b.xml")
    try Refusal.expect(
      ["lock", "--mapping", "Migrations/Shop/b.xml"],
      says: ["Migrations/Shop/b.xml: this is not a mapping model to a released version of a bundle here"],
      in: workspace)
  }

  @Test("A release names the drafts that it leaves behind it")
  func olderDrafts() throws {
    let workspace = try repository()
    try version("v3", Self.note, in: workspace)
    try workspace.shell("modelctl lock --draft --allow-data-loss Order.number")
    let other = #"<attribute name="other" optional="YES" attributeType="String"/>"#
    try version("v4", Self.note + other, in: workspace)
    let recorded = try workspace.modelctl("lock")
    #expect(recorded.status == 0)
    let command = "modelctl lock \(Self.bundle)/v3.xcdatamodel"
    #expect(
      recorded.standardError.contains(
        "v3 is a draft older than v4; if users have stores of this version: \(command)\n"), "\(recorded)")
    try workspace.shell(command)
    #expect(try workspace.modelctl("lock").standardError == "")
  }

  @Test("A released version that becomes a draft is a note for the reviewer")
  func takenBack() throws {
    let workspace = try repository()
    try workspace.shell("modelctl lock --draft --relock \(Self.bundle)/v2.xcdatamodel")
    let checked = try workspace.modelctl("check", "--base", "main").standardOutput
    #expect(checked.contains("note: v2 was released (in main) but is a draft now"), "\(checked)")
    #expect(checked.contains("[version-relocked]"))
  }

  @Test("A second mapping model for a released step is an error, where nothing has recorded it")
  func secondMapping() throws {
    let workspace = try repository()
    try mapping("", in: workspace)
    try workspace.shell("modelctl lock --all && git add -A && git commit -qm mapping")
    #expect(try workspace.modelctl("check", "--base", "main").status == 0)
    let body = Self.order(#"<attribute name="note" value='"x"'/>"#)
    try mapping(body, named: "b", in: workspace)
    for arguments in [[], ["--base", "main"]] {
      let checked = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(checked.status == 1)
      #expect(checked.standardOutput.contains("error: 2 mapping models from v1 to v2 differ"), "\(checked)")
    }
  }

  @Test("A new loss of a mapping model on a released step needs consent by name")
  func losingMapping() throws {
    let workspace = try repository()
    try mapping(Self.order(#"<attribute name="note" default="yes"/>"#), in: workspace)
    let before = try workspace.contents()
    for command in [["lock", "--all"], ["lock", "--relock", "\(Self.bundle)/v2.xcdatamodel"]] {
      let refused = try Modelctl.run(command, in: workspace)
      #expect(refused.status == 2 && refused.standardError.contains("--allow-data-loss Order.note"), "\(refused)")
      #expect(try workspace.contents() == before)
    }
    try workspace.shell("modelctl lock --relock \(Self.bundle)/v2.xcdatamodel --allow-data-loss Order.note")
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("A mapping model that was deleted together with the lock file is named by its path in the project")
  func withoutLock() throws {
    let workspace = try repository()
    try mapping("", in: workspace)
    try workspace.shell("modelctl lock --all && git add -A && git commit -qm mapping")
    try workspace.shell("rm Shop.lock.json Migrations/Shop/a.xml")
    let checked = try workspace.modelctl("check", "--base", "main").standardOutput
    #expect(checked.contains("the mapping model Migrations/Shop/a.xml is deleted"), "\(checked)")
    #expect(checked.components(separatedBy: "[released-mapping-deleted]").count == 2, "\(checked)")
    #expect(!checked.contains("modelctl-"))
  }

  @Test("A mapping file in a folder of no bundle's name is named, with the nearest")
  func mistypedFolder() throws {
    let workspace = try repository()
    try workspace.write("<mappingModel source=\"v1\" destination=\"v2\"/>\n", to: "Migrations/Shopp/a.xml")
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 0)
    #expect(
      checked.standardError.contains(
        "Migrations/Shopp/a.xml is for the bundle “Shopp”, which is not in this project; nearest: Shop"), "\(checked)")
  }

  @Test("A bundle that is named alone has no word on the mapping models of its neighbours")
  func neighbours() throws {
    let workspace = try SampleFolder(emptyNamed: "Neighbours")
    try workspace.write("<model><entity name=\"Memo\"/></model>", to: "Memos.xcdatamodeld/v1.xcdatamodel/contents")
    let mapping = Transcript.firstChecks.appendingPathComponent("policy-class/v1-v2.xcmappingmodel")
    try FileManager.default.copyItem(at: mapping, to: workspace.url.appendingPathComponent("far.xcmappingmodel"))
    try workspace.write("<model><entity name=\"Tag\"/></model>", to: "Tags.xcdatamodeld/v1.xcdatamodel/contents")
    let whole = try workspace.modelctl("check").standardOutput
    #expect(whole.contains("far.xcmappingmodel"), "\(whole)")
    let part = try workspace.modelctl("check", "Tags.xcdatamodeld").standardOutput
    #expect(!part.contains("far.xcmappingmodel"), "\(part)")
  }
}
