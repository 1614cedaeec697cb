import Foundation
import TestSupport
import Testing

@Suite("Recording versions, and checking against the recorded versions")
struct LockTests {
  private static let contents = "Shop.xcdatamodeld/v1.xcdatamodel/contents"

  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    let total = "<attribute name=\"total\" optional=\"YES\" attributeType=\"Decimal\"/>"
    for (version, more) in [("v1", ""), ("v2", total)] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order">
            <attribute name="number" attributeType="Integer 32" defaultValueString="0"/>
            \(more)
          </entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
    return workspace
  }

  private func lock(_ workspace: SampleFolder) throws -> String {
    String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("Shop.lock.json")), as: UTF8.self)
  }

  @Test("Many versions with the same result share one line, and a version with more details has its own line")
  func manyAtOnce() throws {
    let workspace = try SampleFolder(emptyNamed: "Many")
    for version in 1...8 {
      let more = version < 8 ? #"<attribute name="note" optional="YES" attributeType="String"/>"# : ""
      try workspace.write(
        """
        <model><entity name="Order" versionHashModifier="\(version)">\(more)</entity></model>
        """, to: "Shop.xcdatamodeld/v\(version).xcdatamodel/contents")
    }
    let result = try workspace.modelctl("lock", "--all")
    #expect(
      result.standardOutput == """
        Shop.lock.json: 7 versions, v1 to v7, recorded as released
        Shop.lock.json: v8 recorded as released; a migration to it may lose Order.note

        """, "\(result)")
    try workspace.shell("rm -r Shop.lock.json Shop.xcdatamodeld/v8.xcdatamodel")
    let shown = try workspace.modelctl("init", "--dry-run").standardOutput
    #expect(shown.contains("Shop.lock.json: 7 versions, v1 to v7, are released\n"), "\(shown)")
  }

  @Test("Eight concurrent runs: the records of each are kept")
  func atOnce() throws {
    let workspace = try workspace()
    let contents = workspace.url.appendingPathComponent(Self.contents)
    let text = String(decoding: try Data(contentsOf: contents), as: UTF8.self)
    let names = (3...10).map { "v\($0)" }
    for name in names { try workspace.write(text, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents") }
    for _ in 0..<3 {
      let runs = try names.map { try Modelctl.start(["lock", "--draft", "Shop@\($0)"], in: workspace) }
      for run in runs {
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
      }
      let lock = try lock(workspace)
      for name in names { #expect(lock.contains("\"\(name)\": {"), "\(name)") }
      try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Shop.lock.json"))
    }
    #expect(
      try workspace.contents().keys.filter { !$0.contains("/") }.sorted() == [
        "Migrations", "Models", "Shop.xcdatamodeld",
      ])
  }

  @Test(
    "If one of several lock files cannot be written, none is written", .enabled(if: ProtectedFolder.isPossible))
  func oneUnwritable() throws {
    let workspace = try workspace()
    let folder = workspace.url.appendingPathComponent("Z")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: workspace.url.appendingPathComponent("Shop.xcdatamodeld"),
      to: folder.appendingPathComponent("Shop.xcdatamodeld"))
    let protection = ProtectedFolder(folder)
    defer { protection.lift() }
    try Refusal.expect(
      ["lock", "--all", "Shop.xcdatamodeld", "Z/Shop.xcdatamodeld"], says: ["Z/Shop.lock.json: cannot be written"],
      in: workspace)
  }

  @Test("Recording again changes no byte")
  func idempotent() throws {
    let workspace = try workspace()
    #expect(
      try workspace.modelctl("lock", "Shop.xcdatamodeld", "--all").standardOutput == """
        Shop.lock.json: v1 recorded as released
        Shop.lock.json: v2 recorded as released

        """)
    let before = try workspace.contents()
    #expect(
      try workspace.modelctl("lock", "Shop.xcdatamodeld").standardOutput
        == "Shop.lock.json: v2 is already released\n")
    #expect(try workspace.modelctl("lock", "Shop.xcdatamodeld", "--all").standardOutput == "")
    #expect(try workspace.contents() == before)
  }

  @Test("A draft may change and lose data, and becomes released")
  func draft() throws {
    let workspace = try workspace()
    let number = "<attribute name=\"number\" attributeType=\"Integer 32\" defaultValueString=\"0\"/>"
    try workspace.edit("Shop.xcdatamodeld/v2.xcdatamodel/contents", number, "")
    try Refusal.expect(
      ["lock", "--draft", "Shop@v2", "--allow-data-loss", "Order.numbr"],
      says: ["error: v2 and the version before it do not have “Order.numbr”; nearest: Order.number"],
      in: workspace)
    #expect(
      try workspace.modelctl("lock", "--draft", "Shop@v2", "--allow-data-loss", "Order.number").standardOutput
        == "Shop.lock.json: v2 recorded as a draft; a migration to it may lose Order.number\n")
    try workspace.edit("Shop.xcdatamodeld/v2.xcdatamodel/contents", "Decimal", "Double")
    #expect(
      try workspace.modelctl("check", "Shop.xcdatamodeld").standardOutput.contains(
        "Shop.lock.json:5:5: warning: the draft v2 has changed since it was recorded: Order [lock-stale]"))
    #expect(
      try workspace.modelctl("lock", "--draft", "Shop.xcdatamodeld").standardOutput
        == "Shop.lock.json: v2 recorded again as a draft; a migration to it may lose Order.number\n")
    #expect(
      try workspace.modelctl("lock", "Shop.xcdatamodeld").standardOutput
        == "Shop.lock.json: v2 was a draft and is now released; a migration to it may lose Order.number\n")
    try Refusal.expect(
      ["lock", "--draft", "Shop.xcdatamodeld"],
      says: [
        "Shop.lock.json:5:5: v2 is released\n  If users do not have stores of it",
        "modelctl lock --draft --relock Shop.xcdatamodeld/v2.xcdatamodel",
      ],
      in: workspace)
  }

  @Test("An edited released version is recorded only on request, with a list of the stores that break")
  func relock() throws {
    let workspace = try workspace()
    _ = try workspace.modelctl("lock", "Shop.xcdatamodeld", "--all")
    let former = try lock(workspace)
    try workspace.edit(Self.contents, "<attribute name=\"number\"", "<attribute name=\"number\" optional=\"YES\"")
    try Refusal.expect(
      ["lock", "Shop@v1"],
      says: [
        "error: Shop.lock.json:5:5: v1 is released and was edited: Order.number is optional now\n",
        "modelctl lock --relock Shop.xcdatamodeld/v1.xcdatamodel",
      ], in: workspace)
    #expect(
      try workspace.modelctl("lock", "--relock", "Shop@v1").standardOutput == """
        Shop.lock.json: v1 was released and is recorded again as released
          stores of the released v1 no longer open:
            Order.number is optional now

        """)
    #expect(try workspace.modelctl("check", "Shop.xcdatamodeld").status == 0)
    try workspace.edit(Self.contents, " optional=\"YES\"", "")
    #expect(try workspace.modelctl("lock", "--relock", "Shop@v1").status == 0)
    #expect(
      try lock(workspace).replacingOccurrences(of: " +\"replaces\": .*\n", with: "", options: .regularExpression)
        == former)
  }

  @Test("An invalid record is refused")
  func refusals() throws {
    let workspace = try workspace()
    try Refusal.expect(
      ["lock", "Shop@v9"], says: ["Shop.xcdatamodeld has no version “v9”; nearest: v2"], in: workspace)
    try Refusal.expect(["lock", "nothing"], says: ["no model version “nothing”"], in: workspace)
    try Refusal.expect(["lock", "v1"], says: ["“v1” could be “Company@v1”"], in: workspace)
    try workspace.write("{\"version\": 1, \"versions\": {}, \"drafts\": {}}", to: "Shop.lock.json")
    for arguments in [["lock", "Shop.xcdatamodeld"], ["check", "Shop.xcdatamodeld"]] {
      try Refusal.expect(
        arguments, says: ["Shop.lock.json:1:32: the key “drafts” is unknown"], in: workspace)
    }
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Shop.lock.json"))
    try workspace.edit(Self.contents, "<entity name=\"Order\"", "<entity name=\"Order\" parentEntity=\"Base\"")
    try Refusal.expect(
      ["lock", "--all", "Shop.xcdatamodeld"],
      says: [
        "\(Self.contents):2:3: the parent Base of entity Order is not in the model\n  Correct the model before you record it"
      ],
      in: workspace)
  }

  @Test("The hashes that the compiler wrote into the app's model are held against the bundle")
  func compiled() throws {
    let workspace = try workspace()
    let json = try workspace.modelctl("hash", "Shop@v1", "--format", "json").standardOutput
    let entities = try #require(
      (JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["entities"] as? [String: String])
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>NSManagedObjectModel_CurrentVersionName</key><string>v1</string>
      <key>NSManagedObjectModel_VersionHashes</key><dict><key>v1</key><dict>
      <key>Order</key><data>\(try #require(entities["Order"]))</data></dict></dict>
      </dict></plist>
      """, to: "Old.app/Shop.momd/VersionInfo.plist")
    try workspace.write("compiled", to: "Old.app/Shop.momd/v1.mom")
    let arguments = ["check", "Shop.xcdatamodeld", "--against", "Old.app/Shop.momd"]
    #expect(try Modelctl.run(arguments, in: workspace).standardOutput == "")
    try workspace.edit(Self.contents, "Integer 32", "Integer 64")
    let result = try Modelctl.run(arguments, in: workspace)
    #expect(result.status == 1)
    #expect(
      result.standardOutput.hasPrefix(
        """
        \(Self.contents):3:5: error: Order.number has type Integer 64 instead of Integer 32, although v1 is released \
        (in Old.app/Shop.momd), so stores of v1 no longer open [unversioned-change]
        """))
    try workspace.edit(Self.contents, "Integer 64", "Integer 32")
    try Refusal.expect(
      ["check", "Models/Todo.xcdatamodeld", "--against", "Old.app/Shop.momd"],
      says: ["Old.app/Shop.momd: no bundle here has its name or one of its versions"], in: workspace)
    try Refusal.expect(
      ["check", "Shop.xcdatamodeld", "--against", "gone.momd"], says: ["gone.momd: there is no such file or folder"],
      in: workspace)
  }

  @Test("A base that is not a folder and not a revision")
  func missingBase() throws {
    let workspace = try workspace()
    _ = try Modelctl.shell("git init -q . && git add -A && git commit -qm one", in: workspace)
    try Refusal.expect(["check", "Shop.xcdatamodeld", "--base", "nowhere"], says: ["nowhere"], in: workspace)
  }

  @Test("A folder is a base by the paths in it, a bundle for the bundle of its name")
  func folder() throws {
    let workspace = try workspace()
    _ = try Modelctl.shell("mkdir old none && cp -R Shop.xcdatamodeld old", in: workspace)
    try workspace.edit(Self.contents, "Integer 32", "Integer 64")
    for command in [
      "check Shop.xcdatamodeld --base old", "check --base old", "check --base old/Shop.xcdatamodeld",
      "check ./Shop.xcdatamodeld/ --base ./old/Shop.xcdatamodeld/",
    ] {
      let result = try Modelctl.run(command.split(separator: " ").map(String.init), in: workspace)
      #expect(result.status == 1)
      #expect(
        result.standardOutput.contains("contents:3:5: error: Order.number has type Integer 64"), "\(command): \(result)"
      )
    }
    try Refusal.expect(
      ["check", "Shop.xcdatamodeld", "--base", "none"],
      says: [
        "error: none: this folder and its subfolders contain no model bundle\n  Name a folder or a git revision"
      ], in: workspace)
  }

  @Test("A revision of git is a base")
  func revision() throws {
    let workspace = try workspace()
    _ = try Modelctl.shell("git init -q -b main . && git add -A && git commit -qm one", in: workspace)
    try workspace.edit(Self.contents, "Integer 32", "Integer 64")
    let result = try workspace.modelctl("check", "Shop.xcdatamodeld", "--base", "main")
    #expect(result.status == 1)
    #expect(
      result.standardOutput.hasPrefix(
        """
        \(Self.contents):3:5: error: Order.number has type Integer 64 instead of Integer 32, although v1 is released \
        (in main), so stores of v1 no longer open [unversioned-change]
        """))
    let move = "git checkout -q . && mkdir App && git mv Shop.xcdatamodeld App/Store.xcdatamodeld"
    _ = try Modelctl.shell(move, in: workspace)
    try workspace.edit("App/Store.xcdatamodeld/v1.xcdatamodel/contents", "Integer 32", "Integer 64")
    let moved = try Modelctl.shell("cd App && modelctl check --base main ..", in: workspace)
    #expect(
      moved.standardOutput.contains(
        "Store.xcdatamodeld:1:1: note: the bundle was at ../Shop.xcdatamodeld before (main)"))
    #expect(moved.standardOutput.contains("contents:3:5: error: Order.number has type Integer 64"))
  }
}
