import Foundation
import TestSupport
import Testing

@Suite("The guard on paths that are easily overlooked")
struct GuardGapTests {
  private static let number = #"<attribute name="number" attributeType="Integer 32" defaultValueString="0"/>"#
  private static let text = #"<attribute name="x" optional="YES" attributeType="String"/>"#
  private static let total = #"<attribute name="total" attributeType="String"/>"#

  private func order(_ attributes: String...) -> String { "<entity name=\"Order\">\(attributes.joined())</entity>" }

  private func integer(_ bits: Int) -> String {
    "<attribute name=\"n\" optional=\"YES\" attributeType=\"Integer \(bits)\"/>"
  }

  /// Writes a version, which becomes the current one unless another is named.
  private func write(
    _ name: String, _ entities: String, of bundle: String = "Shop", current: String? = nil, in workspace: SampleFolder
  ) throws {
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        \(entities)
      </model>
      """, to: "\(bundle).xcdatamodeld/\(name).xcdatamodel/contents")
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(current ?? name).xcdatamodel</string></dict></plist>
      """, to: "\(bundle).xcdatamodeld/.xccurrentversion")
  }

  private func repository() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    try workspace.shell("git init --quiet --initial-branch=main")
    return workspace
  }

  private func mapping(_ attributes: String, drop: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <mappingModel source="v1" destination="v2">
      \(drop)
      <entityMapping source="Order" destination="Order">
        \(attributes)
      </entityMapping>
    </mappingModel>

    """
  }

  private static let mappingPath = "Migrations/Shop/v1-v2.xml"
  private static let filled = #"<attribute name="total" value='"none"'/>"#

  private func check(_ workspace: SampleFolder, _ arguments: String...) throws -> Modelctl.Result {
    try Modelctl.run(["check"] + arguments, in: workspace)
  }

  @Test("A new version in front of a released one is held against that one, too")
  func inserted() throws {
    let workspace = try repository()
    try write("v1", order(integer(16)), in: workspace)
    try write("v2", order(integer(16), Self.number), in: workspace)
    try workspace.shell("modelctl lock --all")
    try workspace.commit("one")
    try write("v1.5", order(integer(64)), current: "v2", in: workspace)
    for arguments in [[], ["--base", "main"]] {
      let result = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(result.status == 1)
      #expect(
        result.standardOutput.contains(
          "error: v1.5 → v2, on the path of released versions: Order.n changes from Integer 64 to Integer 16"),
        "\(result)"
      )
    }
    // A version in the middle that changes nothing on the way is none of it.
    try write("v1.5", order(integer(16)), current: "v2", in: workspace)
    #expect(try !check(workspace, "--base", "main").standardOutput.contains("error: "))
  }

  @Test("Stages are advised only where Core Data can take them")
  func stages() throws {
    let integer = #"<attribute name="x" optional="YES" attributeType="Integer 64"/>"#
    let mapped = try repository()
    try write("v1", order(Self.text), in: mapped)
    try write("v2", order(Self.text, Self.number), in: mapped)
    try write("v3", order(integer, Self.number), in: mapped)
    let step = mapping(#"<attribute name="x" value="1"/>"#).replacing("v2", with: "v3").replacing("v1", with: "v2")
    try mapped.write(step, to: "Migrations/Shop/v2-v3.xml")
    let passing = try repository()
    try write("v1", order(Self.number, Self.text), in: passing)
    try write("v2", order(Self.number, integer), in: passing)
    try write("v3", order(Self.number), in: passing)
    try write("v4", order(Self.number, integer, self.integer(16)), in: passing)
    for workspace in [mapped, passing] {
      let found = try check(workspace).standardOutput
      #expect(found.contains("Core Data cannot migrate from v1 directly to v"), "\(found)")
      #expect(found.contains("migrate the stores with modelctl, which passes the versions between"), "\(found)")
      #expect(!found.contains("--emit staged"), "\(found)")
      #expect(try workspace.modelctl("plan", "--emit", "staged").status == 2)
    }
    let found = try check(mapped).standardOutput
    #expect(!found.contains("step by step"), "\(found)")
    let command = try #require(found.firstMatch(of: /directly to v[0-9]: (modelctl .+)/), "\(found)").output.1
    try mapped.shell(String(command))
  }

  @Test("An allowed loss does not allow the loss of a new element with the same name")
  func consentByName() throws {
    let workspace = try repository()
    try write("v1", order(Self.number, Self.text), in: workspace)
    try write("v2", order(Self.number), in: workspace)
    try workspace.shell("modelctl lock --all")
    #expect(try workspace.shell("cat Shop.lock.json").contains("\"Order.x\""))
    try write("v3", order(Self.number, Self.text), in: workspace)
    try workspace.shell("modelctl lock")
    try workspace.commit("one")
    try write("v4", order(Self.number), in: workspace)
    let found = try check(workspace, "--base", "main")
    #expect(found.standardOutput.contains("v3 → v4: the attribute Order.x and all its values are deleted [data-loss]"))
    // A mapping model past v4 starts where the attribute is the second one.
    try write("v4", order(Self.number, Self.text, Self.total), in: workspace)
    try workspace.write(
      mapping(Self.filled + #"<attribute name="x" value='"u"'/>"#).replacing("v1", with: "v3").replacing(
        "v2", with: "v4"),
      to: "Migrations/Shop/v3-v4.xml")
    #expect(
      try check(workspace).standardOutput.contains("v3 → v4: no expression reads the values of Order.x [data-loss]"))
  }

  @Test("A lock file that git merged without a conflict, and that is wrong, is refused with the way out")
  func merged() throws {
    let workspace = try repository()
    let entities = (1...4).map { "<entity name=\"E\($0)\">\(Self.number)</entity>" }.joined()
    try write("v1", entities, in: workspace)
    try write("v2", entities + "<entity name=\"F\"/>", in: workspace)
    try workspace.shell("modelctl lock --all")
    try workspace.commit("one")
    try workspace.shell("git checkout --quiet -b other")
    try write("v3", entities + "<entity name=\"F\"/><entity name=\"G\"/>", in: workspace)
    try workspace.shell("modelctl lock")
    try workspace.commit("three")
    try workspace.shell("git checkout --quiet main")
    try write("v2", entities + "<entity name=\"F\" versionHashModifier=\"2\"/>", in: workspace)
    try workspace.shell("modelctl lock --relock v2")
    try workspace.commit("relocked")
    try workspace.shell("git merge --quiet --no-edit other")
    let refused = try check(workspace)
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("the checksum does not match the entities of v3: the entry, or the entry "))
    #expect(
      refused.standardError.contains("    git checkout BRANCH -- Shop.lock.json\n  Record each version that is not"))
    try workspace.shell("git checkout --quiet HEAD^1 -- Shop.lock.json && modelctl lock --all --release")
    #expect(try check(workspace).status == 0)
  }

  @Test("Two branches that each lock a version of their own conflict, and the printed way out keeps a draft a draft")
  func conflict() throws {
    let workspace = try repository()
    try write("v1", order(Self.number), in: workspace)
    try workspace.shell("modelctl lock --all")
    try workspace.commit("one")
    for (branch, version) in [("left", "v2"), ("right", "v3")] {
      try workspace.shell("git checkout --quiet -b \(branch) main")
      try write(version, order(Self.number, Self.text, version == "v2" ? "" : integer(16)), in: workspace)
      try workspace.shell(version == "v3" ? "modelctl lock --draft" : "modelctl lock")
      try workspace.commit(branch)
    }
    try workspace.shell(
      "git merge --quiet --no-edit left >/dev/null 2>&1 || git checkout --quiet --ours Shop.xcdatamodeld")
    let refused = try check(workspace)
    #expect(refused.status == 2 && refused.standardError.contains("merge conflict markers"), "\(refused)")
    let advice = [
      "git show :1:./Shop.lock.json > Shop.lock.json", "\n  Record each version that is not released yet:\n    ",
      "modelctl lock --draft VERSION", "\n  Then the rest, as released:\n    ", "modelctl lock --all",
      "\n  And the current version, if it is released:\n    modelctl lock\n",
    ]
    #expect(refused.standardError.contains(advice.joined()), "\(refused.standardError)")
    for command in [advice[0], advice[2], advice[4]] {
      try workspace.shell(command.replacingOccurrences(of: "VERSION", with: "v3"))
    }
    let states = try workspace.shell("sed -n 's/.*\"state\": \"\\([a-z]*\\)\".*/\\1/p' Shop.lock.json | xargs")
    #expect(states.trimmingCharacters(in: .newlines) == "released released draft")
    #expect(try check(workspace).status == 0)
  }

  @Test("A mapping model in a repository inside the project is for the bundles there")
  func submodule() throws {
    let workspace = try repository()
    try workspace.migrateByModelctl()
    try write("v1", order(Self.number), in: workspace)
    try workspace.shell("modelctl lock")
    try write("v2", order(Self.number, Self.total), in: workspace)
    try workspace.write(mapping(Self.filled), to: "sub/\(Self.mappingPath)")
    #expect(try check(workspace).status == 0)
    try workspace.shell("git init --quiet sub")
    #expect(try check(workspace).standardOutput.contains("[required-without-default]"))
  }

  @Test("From outside, the bundles of a repository inside the project have the mapping models there")
  func outerProject() throws {
    let workspace = try SampleFolder()
    try workspace.shell(
      "git init --quiet . && mkdir sub && mv Models/Orders.xcdatamodeld Migrations sub && rm -r Models && git init --quiet sub"
    )
    try workspace.makeStore("shop.sqlite", version: "Orders@v4")
    let found = try workspace.modelctl("mapping", "check")
    #expect(found.status == 0 && found.standardError.contains("2 mapping models checked"), "\(found)")
    // Inference alone would lose two attributes.
    let migrated = try workspace.modelctl("migrate", "shop.sqlite")
    #expect(migrated.status == 0, "\(migrated)")
  }

  @Test("A path selects one of two bundles with the same name")
  func samePath() throws {
    let workspace = try SampleFolder()
    try workspace.shell(
      "mkdir -p apps/one apps/two && cp -R Models/Todo.xcdatamodeld apps/one && mv Models/Todo.xcdatamodeld apps/two")
    for name in ["apps/two/Todo.xcdatamodeld@v1", "./apps/one/Todo@v1"] {
      let made = try workspace.modelctl("create", "\(name.count).sqlite", "--version", name)
      #expect(made.status == 0, "\(name): \(made)")
    }
    #expect(try workspace.modelctl("create", "b.sqlite", "--version", "Todo@v1").status == 2)
  }

  @Test("A loss in a mapping file is reported at its line, with advice about that file")
  func mappedLoss() throws {
    let workspace = try repository()
    try workspace.migrateByModelctl()
    try write("v1", order(Self.number, Self.text), in: workspace)
    try workspace.shell("modelctl lock")
    try write("v2", order(Self.number, Self.text, Self.total), in: workspace)
    let lossy = Self.filled + #"<attribute name="x" value='"u"'/>"#
    try workspace.write(mapping(lossy), to: Self.mappingPath)
    let found = try check(workspace).standardOutput
    #expect(
      found.contains("\(Self.mappingPath):4:3: error: v1 → v2: no expression reads the values of Order.x [data-loss]"))
    #expect(found.contains("fix: keep the data in \(Self.mappingPath); or, if you intend this, record the loss: "))
    let refused = try workspace.modelctl("lock")
    #expect(refused.status == 2 && refused.standardError.contains("Keep the data in \(Self.mappingPath); or, "))
    // What the file drops by name is lost, so that consent to it is not taken out of the lock file.
    try workspace.write(mapping(lossy, drop: #"<drop name="Order.x"/>"#), to: Self.mappingPath)
    #expect(try check(workspace).status == 0)
    let locked = try workspace.shell("modelctl lock --draft --allow-data-loss Order.x")
    #expect(locked.contains("may lose Order.x") && !locked.contains("is not lost"), "\(locked)")
    #expect(try check(workspace).status == 0)
  }

  @Test("init lists the losses that it accepts")
  func initLosses() throws {
    let workspace = try repository()
    try write("v1", order(Self.number, Self.text), in: workspace)
    try write("v2", order(Self.number), in: workspace)
    let shown = try workspace.modelctl("init", "--dry-run")
    #expect(
      shown.standardOutput.contains("Shop.lock.json: v2 is released; a migration to it may lose Order.x\n"), "\(shown)")
  }

  @Test("A note about the released version is a note about its copy, and a new finding is a warning")
  func copied() throws {
    let workspace = try repository()
    let link = #"<relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Order"/>"#
    try write("v1", order(Self.number, link), in: workspace)
    try workspace.shell("modelctl lock")
    try write("v2", order(Self.number, Self.text, link), in: workspace)
    let copy = try check(workspace)
    #expect(
      copy.status == 0 && copy.standardOutput.contains("note: relationship Order.a does not have an inverse"), "\(copy)"
    )
    try write("v2", order(Self.number, Self.text, link, link.replacing("\"a\"", with: "\"b\"")), in: workspace)
    let more = try check(workspace)
    #expect(
      more.status == 1 && more.standardOutput.contains("warning: relationship Order.b does not have an inverse"),
      "\(more)")
    #expect(more.standardOutput.contains("note: relationship Order.a does not have an inverse"))
  }

  @Test("lock --draft of several bundles passes over those whose current version is released")
  func drafts() throws {
    let workspace = try repository()
    for bundle in ["Shop", "Stock"] { try write("v1", order(Self.number), of: bundle, in: workspace) }
    try workspace.shell("modelctl lock --all")
    try write("v2", order(Self.number, Self.text), of: "Stock", in: workspace)
    let locked = try workspace.modelctl("lock", "--draft")
    #expect(locked.status == 0 && locked.standardOutput == "Stock.lock.json: v2 recorded as a draft\n", "\(locked)")
    #expect(locked.standardError.contains("Shop.lock.json: v1 is already recorded as released"))
    try workspace.shell("modelctl lock")
    let refused = try workspace.modelctl("lock", "--draft")
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("v1 is released\n  If users do not have stores of it"))
  }

  @Test("A checkout with other line ends is not an edit of a mapping model")
  func lineEnds() throws {
    let workspace = try repository()
    try workspace.migrateByModelctl()
    try write("v1", order(Self.number), in: workspace)
    try write("v2", order(Self.number, Self.total), in: workspace)
    try workspace.write(mapping(Self.filled), to: Self.mappingPath)
    try workspace.shell("modelctl lock --all")
    try workspace.commit("one")
    let lock = try workspace.shell("cat Shop.lock.json")
    try workspace.edit(Self.mappingPath, "\n", "\r\n")
    for arguments in [[], ["--base", "main"]] {
      let result = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(result.status == 0 && !result.standardOutput.contains("released-mapping"), "\(result)")
    }
    try workspace.shell("rm Shop.lock.json && modelctl lock --all")
    #expect(try workspace.shell("cat Shop.lock.json") == lock)
    try workspace.edit(Self.mappingPath, "none", "nothing")
    #expect(try check(workspace).standardOutput.contains("[released-mapping-changed]"))
  }

  @Test("The only bundle of a place is reported as deleted, wherever the check runs", arguments: [false, true])
  func deletedBundle(withItsFolder: Bool) throws {
    let workspace = try SampleFolder(emptyNamed: "repo")
    try workspace.write(
      "<model>\(order(Self.number))</model>", to: "repo/app/Shop.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write(#"{ "exclude": ["Pods/**"] }"#, to: "repo/.modelctl.json")
    try workspace.shell("cd repo && git init --quiet --initial-branch=main && git add --all")
    try workspace.shell("cd repo && git commit --quiet --message one")
    try workspace.shell("rm -r repo/app\(withItsFolder ? "" : "/Shop.xcdatamodeld")")
    var runs = [
      ("repo", ""), ("repo", "app"), ("repo", "app/Shop.xcdatamodeld"), (".", "repo"), (".", "repo/app"),
      (".", "repo/app/Shop.xcdatamodeld"), (".", "--model repo/app/Shop.xcdatamodeld"),
    ]
    if !withItsFolder { runs += [("repo/app", "."), ("repo/app", ""), (".", "--model repo/app")] }
    for (folder, place) in runs {
      let line = "cd \(folder) && modelctl check \(place) --base HEAD"
      let result = try Modelctl.shell(line, in: workspace)
      #expect(result.status == 1 && !result.standardError.contains("error: "), "\(line): \(result)")
      #expect(result.standardOutput.contains("[released-bundle-deleted]"), "\(line): \(result)")
    }
    for (place, words) in [
      ("nope", "this folder has no model version “nope”"), ("repo/app/No.xcdatamodeld", "no such file or folder"),
    ] {
      let line = "modelctl check repo \(place) --base HEAD"
      let result = try Modelctl.shell(line, in: workspace)
      #expect(result.status == 2 && result.standardError.contains(words), "\(line): \(result)")
    }
  }
}
