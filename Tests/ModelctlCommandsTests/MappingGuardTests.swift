import Foundation
import TestSupport
import Testing

@Suite("A mapping model that users need is guarded, and so is every step on the path of a released version")
struct MappingGuardTests {
  @Test("So many entity mappings for one entity that their links cannot be planned are an error")
  func manyMappings() throws {
    let workspace = try SampleFolder()
    let mappings = ["Order", "Customer"].flatMap { entity in
      (0..<200).map { "<entityMapping name=\"\(entity)\($0)\" source=\"\(entity)\" destination=\"\(entity)\"/>" }
    }
    try workspace.write(
      "<mappingModel source=\"v4\" destination=\"v5\">\(mappings.joined())</mappingModel>",
      to: "Migrations/Orders/v4-v5.xml")
    let result = try Modelctl.shell("ulimit -t 20; modelctl mapping check Migrations/Orders/v4-v5.xml", in: workspace)
    let text = result.standardOutput + result.standardError
    #expect(result.status == 1 && text.contains("more than 20000 pairs of entity mappings"), "\(result)")
  }

  private static let mapping = "Migrations/Shop/v1-v2.xml"
  private static let number = #"<attribute name="number" attributeType="Integer 32" defaultValueString="0"/>"#
  private static let total = #"<attribute name="total" attributeType="String"/>"#
  private static let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
  private static let text = #"<attribute name="text" optional="YES" attributeType="String" elementID="note"/>"#

  private func version(_ name: String, _ attributes: String, in workspace: SampleFolder) throws {
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Order">
          \(attributes)
        </entity>
      </model>
      """, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  /// A repository whose branch main has three versions and a mapping file to the second, which adds a required attribute.
  private func repository(isLocked: Bool = true) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    try workspace.migrateByModelctl()
    try version("v1", Self.number, in: workspace)
    try version("v2", Self.number + Self.total, in: workspace)
    try version("v3", Self.number + Self.total + Self.note, in: workspace)
    try workspace.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <mappingModel source="v1" destination="v2">
        <entityMapping source="Order" destination="Order">
          <attribute name="total" value='"none"'/>
        </entityMapping>
      </mappingModel>

      """, to: Self.mapping)
    try workspace.shell("git init --quiet --initial-branch=main")
    if isLocked { try workspace.shell("modelctl lock --all") }
    try workspace.commit("one")
    return workspace
  }

  /// The findings with their severities, such as `error data-loss`, sorted.
  private func findings(_ workspace: SampleFolder, _ arguments: String...) throws -> [String] {
    let result = try Modelctl.run(["check"] + arguments, in: workspace)
    #expect(result.status < 2, "\(result)")
    return result.standardOutput.split(separator: "\n").filter { $0.hasSuffix("]") && !$0.hasPrefix(" ") }
      .map { line in
        let severity = ["error", "warning", "note"].first { line.contains(": \($0): ") } ?? ""
        return "\(severity) \(line.split(separator: "[").last.map { String($0.dropLast()) } ?? "")"
      }.sorted()
  }

  private func output(_ workspace: SampleFolder, _ arguments: String...) throws -> String {
    try Modelctl.run(["check"] + arguments, in: workspace).standardOutput
  }

  @Test("One that is deleted is an error, from the lock file and from the base, and the command brings it back")
  func deleted() throws {
    for isLocked in [true, false] {
      let workspace = try repository(isLocked: isLocked)
      #expect(try findings(workspace, "--base", "main") == [])
      try workspace.shell("rm \(Self.mapping)")
      let expected = ["error released-mapping-deleted", "error required-without-default"]
      #expect(try findings(workspace, "--base", "main") == expected)
      if isLocked { #expect(try findings(workspace) == expected) }
      let text = try output(workspace, "--base", "main")
      #expect(text.contains("\(Self.mapping) is deleted, although stores of v1 are migrated to v2 with it"))
      #expect(text.contains("v1 → v2, on the path of released versions: Order.total is required"))
      let command = "git checkout \(isLocked ? "HEAD" : "main") -- \(Self.mapping)"
      #expect(text.contains("restore it: \(command)\n"))
      try workspace.shell(command)
      #expect(try findings(workspace, "--base", "main") == [])
    }
  }

  @Test("A named bundle in any folder is compared with the mapping models of the base")
  func namedBundle() throws {
    let workspace = try repository(isLocked: false)
    try workspace.shell("rm \(Self.mapping)")
    #expect(
      try findings(workspace, "Shop.xcdatamodeld", "--base", "main")
        == ["error released-mapping-deleted", "error required-without-default"])
    try workspace.shell("mkdir App && git mv Shop.xcdatamodeld App && git checkout --quiet HEAD -- \(Self.mapping)")
    #expect(try findings(workspace, "--base", "main").filter { $0.hasPrefix("error") } == [])
    try workspace.shell("rm \(Self.mapping)")
    #expect(try findings(workspace, "--base", "main").contains("error released-mapping-deleted"))
  }

  @Test("Outside of a repository no command of git is advised for one that is deleted")
  func outside() throws {
    let workspace = try repository()
    try workspace.shell("rm -rf .git \(Self.mapping)")
    let found = try Modelctl.run(["check"], in: workspace)
    #expect(found.status == 1 && found.standardOutput.contains("[released-mapping-deleted]"), "\(found)")
    #expect(found.standardOutput.contains("because its folder is not in a git repository\n"), "\(found)")
    #expect(!found.standardOutput.contains("git log"), "\(found)")
  }

  @Test("A mapping model that was recorded as deleted, restored and deleted again is an error")
  func usedAgain() throws {
    let workspace = try repository()
    try workspace.shell("rm \(Self.mapping) && modelctl lock --relock Shop.xcdatamodeld/v2.xcdatamodel")
    try workspace.shell("git add -A && git commit -qm gone && git checkout --quiet HEAD~1 -- \(Self.mapping)")
    try workspace.shell("modelctl lock --all && git add -A && git commit -qm back && rm \(Self.mapping)")
    for arguments in [[], ["--base", "HEAD"]] {
      let found = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(found.status == 1 && found.standardOutput.contains(" error: "), "\(found)")
      #expect(found.standardOutput.contains("[released-mapping-deleted]"))
    }
  }

  @Test("A draft between released versions accepts no loss by itself")
  func draftBetween() throws {
    let workspace = try repository()
    try workspace.shell("cp -R Shop.xcdatamodeld/v2.xcdatamodel Shop.xcdatamodeld/v2.5.xcdatamodel")
    try workspace.edit("Shop.xcdatamodeld/v2.5.xcdatamodel/contents", Self.number, "")
    let recorded = try workspace.shell("modelctl lock --draft Shop.xcdatamodeld/v2.5.xcdatamodel")
    #expect(!recorded.contains("may lose"), "\(recorded)")
  }

  @Test("An edited mapping model is an error until it is restored or recorded again, and a note informs reviewers")
  func edited() throws {
    let workspace = try repository()
    try workspace.edit(Self.mapping, "none", "nothing")
    for arguments in [[], ["--base", "main"]] {
      let result = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(result.status == 1)
      #expect(result.standardOutput.contains("\(Self.mapping):2:1: error: the mapping model was changed"))
      #expect(result.standardOutput.contains("git checkout HEAD -- \(Self.mapping)"))
      #expect(result.standardOutput.contains("modelctl lock --relock Shop.xcdatamodeld/v2.xcdatamodel\n"))
    }
    // Recording the version again is not consent.
    try workspace.shell("modelctl lock Shop.xcdatamodeld/v2.xcdatamodel && modelctl lock --all")
    #expect(try findings(workspace) == ["error released-mapping-changed"])
    try workspace.shell("modelctl lock --relock Shop.xcdatamodeld/v2.xcdatamodel")
    #expect(try findings(workspace) == [])
    #expect(try findings(workspace, "--base", "main") == ["note released-mapping-changed"])
    try workspace.commit("relocked")
    #expect(try findings(workspace, "--base", "main") == [])
    // Whoever takes the digest out of the lock file by hand is found by the base.
    try workspace.edit(Self.mapping, "nothing", "something")
    let lock = workspace.url.appendingPathComponent("Shop.lock.json")
    let text = String(decoding: try Data(contentsOf: lock), as: UTF8.self)
    let lines = text.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.contains("\"mappings\"") })
    let end = try #require(lines.firstIndex { $0.contains("\"entities\"") && lines.firstIndex(of: $0) ?? 0 < start })
    #expect(end < start)
    try workspace.write(
      (lines[..<start] + lines[(start + 8)...]).joined(separator: "\n"), to: "Shop.lock.json")
    #expect(
      try findings(workspace, "--base", "main") == ["error released-mapping-changed", "note lock-missing-version"])
  }

  @Test("One that moved is the same one")
  func moved() throws {
    let workspace = try repository()
    try workspace.shell("git mv \(Self.mapping) Migrations/Shop/first.xml")
    #expect(try findings(workspace) == [])
    #expect(try findings(workspace, "--base", "main") == [])
  }

  @Test("One that leads to a version that can still change is a note")
  func unreleased() throws {
    let workspace = try repository()
    try version("v4", Self.number + Self.total + Self.note + Self.text, in: workspace)
    try workspace.shell("modelctl mapping new v3 v4 > Migrations/Shop/v3-v4.xml")
    try workspace.commit("four")
    try workspace.shell("echo '<!-- later -->' >> Migrations/Shop/v3-v4.xml")
    #expect(
      try findings(workspace, "--base", "main").filter { $0.contains("released-mapping") } == [
        "note released-mapping-changed"
      ])
    try workspace.shell("rm Migrations/Shop/v3-v4.xml")
    #expect(
      try findings(workspace, "--base", "main").filter { $0.contains("released-mapping") } == [
        "note released-mapping-deleted"
      ])
  }

  @Test("A loss accepted at a release stays accepted; a new loss on a step between released versions is an error")
  func losses() throws {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    try version("v1", Self.number + Self.note, in: workspace)
    try version("v2", Self.number + Self.text, in: workspace)
    try version("v3", Self.number + Self.text + Self.total, in: workspace)
    try version("v4", Self.text, in: workspace)
    try workspace.shell("git init --quiet --initial-branch=main && modelctl lock --all")
    #expect(try workspace.shell("cat Shop.lock.json").contains("\"mayBlock\": [\n        \"Order.total\"\n      ]"))
    try workspace.commit("one")
    #expect(try findings(workspace) == [])
    #expect(try findings(workspace, "--base", "main") == [])
    // The released v2 forgets by what name v1 knew its text, which no hash says.
    try workspace.edit("Shop.xcdatamodeld/v2.xcdatamodel/contents", #" elementID="note""#, "")
    let found = try findings(workspace, "--base", "main")
    #expect(found.contains("error data-loss"), "\(found)")
    let text = try output(workspace, "--base", "main")
    #expect(text.contains("v1 → v2, on the path of released versions: "))
    #expect(text.contains("modelctl lock Shop.xcdatamodeld/v2.xcdatamodel --allow-data-loss Order.note\n"))
    try workspace.shell("modelctl lock Shop.xcdatamodeld/v2.xcdatamodel --allow-data-loss Order.note")
    #expect(try !findings(workspace, "--base", "main").contains("error data-loss"))
  }

  @Test("A path that skips versions is checked for losses and blockers")
  func straight() throws {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    try version("v1", Self.number + Self.note, in: workspace)
    let whole = #"<attribute name="note" optional="YES" attributeType="Integer 64"/>"#
    try version("v2", Self.number + Self.total + whole, in: workspace)
    try workspace.shell("git init --quiet --initial-branch=main && modelctl lock --all")
    try workspace.commit("one")
    try version("v3", Self.number + Self.total, in: workspace)
    try workspace.shell("modelctl lock --draft Shop.xcdatamodeld/v3.xcdatamodel --allow-data-loss Order.note")
    let text = try output(workspace, "--base", "main")
    #expect(text.contains("v1 → v3, on the path of released versions: Order.total is required"), "\(text)")
    #expect(try findings(workspace, "--base", "main").contains("error required-without-default"))
  }

  @Test("A lock file of the first form is read, and completed when something is recorded")
  func firstForm() throws {
    let workspace = try repository()
    let lock = workspace.url.appendingPathComponent("Shop.lock.json")
    try Self.write(inFirstForm: lock)
    let first = try Data(contentsOf: lock)
    try workspace.commit("the first form")
    #expect(try findings(workspace) == ["note lock-missing-version"])
    #expect(try findings(workspace, "--base", "main") == ["note lock-missing-version"])
    #expect(try Data(contentsOf: lock) == first)
    try workspace.shell("rm \(Self.mapping)")
    #expect(
      try findings(workspace, "--base", "main") == ["error released-mapping-deleted", "error required-without-default"])
    try workspace.shell("git checkout --quiet . && modelctl lock Shop.xcdatamodeld/v3.xcdatamodel")
    #expect(try Data(contentsOf: lock) == first)
    try workspace.shell("modelctl lock --all")
    #expect(try findings(workspace) == [])
    let text = try workspace.shell("cat Shop.lock.json")
    #expect(text.contains("\"version\": 3,"))
    #expect(text.contains("\"\(Self.mapping)\": "))
    try workspace.commit("the second form")
    #expect(try workspace.modelctl("lock", "--all").standardOutput == "")
    try workspace.shell("rm \(Self.mapping)")
    #expect(try findings(workspace).first == "error released-mapping-deleted")
  }

  /// Writes a lock file as it was written first: every entity of every version, and nothing of mapping models.
  static func write(inFirstForm lock: URL) throws {
    let root = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: lock)) as? [String: Any])
    let written = try #require(root["versions"] as? [String: [String: Any]])
    var versions = written
    func entities(_ name: String) -> [String: Any] {
      var found = (written[name]?["sameAs"] as? String).map(entities) ?? [:]
      found.merge(written[name]?["entities"] as? [String: Any] ?? [:]) { $1 }
      return found.filter { !($0.value is NSNull) }
    }
    for name in versions.keys {
      versions[name]?["entities"] = entities(name)
      for key in ["sameAs", "mappings", "mayBlock", "replacesMappings"] { versions[name]?[key] = nil }
    }
    try JSONSerialization.data(
      withJSONObject: ["version": 1, "versions": versions], options: [.prettyPrinted, .sortedKeys]
    ).write(to: lock)
  }
}
