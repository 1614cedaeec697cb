import Foundation
import TestSupport
import Testing

@Suite("The lock file in a pull request: the base decides")
struct PullRequestLockTests {
  private static let v1 = "Shop.xcdatamodeld/v1.xcdatamodel/contents"
  private static let v2 = "Shop.xcdatamodeld/v2.xcdatamodel/contents"
  private static let v3 = "Shop.xcdatamodeld/v3.xcdatamodel/contents"
  private static let total = #"<attribute name="total" optional="YES" attributeType="Decimal"/>"#

  /// A repository whose branch main has v1 and v2, both recorded; in v2 `sum` has the identifier `number`.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    let number = #"<attribute name="number" attributeType="Integer 32" defaultValueString="0"/>"#
    let sum = #"<attribute name="sum" attributeType="Integer 32" defaultValueString="0" elementID="number"/>"#
    for (version, attributes) in [("v1", number), ("v2", sum + Self.total)] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order">
            \(attributes)
          </entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try current("v2", in: workspace)
    try shell("rm -rf Models Migrations Stores; git init -q -b main .", in: workspace)
    #expect(try workspace.modelctl("lock", "--all").status == 0)
    try shell("git add -A && git commit -qm one", in: workspace)
    return workspace
  }

  private func current(_ version: String, in workspace: SampleFolder) throws {
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
  }

  @discardableResult
  private func shell(_ command: String, in workspace: SampleFolder) throws -> Modelctl.Result {
    let result = try Modelctl.shell(command, in: workspace)
    #expect(result.status == 0, "\(command): \(result)")
    return result
  }

  /// A version v3 that has no total any more.
  private func loseTotal(in workspace: SampleFolder) throws {
    try shell("cp -R Shop.xcdatamodeld/v2.xcdatamodel Shop.xcdatamodeld/v3.xcdatamodel", in: workspace)
    try workspace.edit(Self.v3, Self.total, "")
    try current("v3", in: workspace)
  }

  private func rules(_ workspace: SampleFolder, _ arguments: String...) throws -> [String] {
    let result = try Modelctl.run(["check"] + arguments, in: workspace)
    #expect(result.status < 2, "\(result)")
    return result.standardOutput.split(separator: "\n").filter { $0.hasSuffix("]") && !$0.hasPrefix(" ") }
      .compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } }
  }

  @Test("A release that loses data needs consent, and the message has the command that records it")
  func consent() throws {
    let workspace = try workspace()
    try loseTotal(in: workspace)
    try Refusal.expect(
      ["lock"],
      says: [
        "Shop.xcdatamodeld/v3.xcdatamodel: a migration to v3 loses data of users: ",
        "modelctl lock Shop.xcdatamodeld/v3.xcdatamodel --allow-data-loss Order.total",
      ], in: workspace)
    try Refusal.expect(["lock", "--all", "--release"], says: ["--allow-data-loss Order.total"], in: workspace)
    #expect(
      try shell(
        "modelctl lock Shop.xcdatamodeld/v3.xcdatamodel --allow-data-loss Order.total", in: workspace
      ).standardOutput == "Shop.lock.json: v3 recorded as released; a migration to it may lose Order.total\n")
    #expect(try rules(workspace, "--base", "main") == [])
    try workspace.edit("Shop.lock.json", "\"Order.total\"", "\"Order.sum\"")
    #expect(try rules(workspace) == [])
    #expect(try rules(workspace, "--base", "main").sorted() == ["data-loss", "lock-stale"])
  }

  @Test("Recording a version in the change that makes it does not keep the rules about changes from it")
  func newlyReleased() throws {
    let workspace = try workspace()
    try shell("cp -R Shop.xcdatamodeld/v2.xcdatamodel Shop.xcdatamodeld/v3.xcdatamodel", in: workspace)
    try workspace.edit(Self.v3, Self.total, Self.total + #"<attribute name="paid" attributeType="Boolean"/>"#)
    try current("v3", in: workspace)
    let before = try rules(workspace, "--base", "main")
    #expect(before.contains("required-without-default"))
    #expect(try workspace.modelctl("lock").status == 0)
    #expect(try rules(workspace, "--base", "main") == before)
    #expect(try rules(workspace) == before.filter { $0 == "unreachable-version" })
  }

  @Test("A renaming identifier of a released version is guarded, although it enters no hash")
  func renamingIdentifier() throws {
    let workspace = try workspace()
    try workspace.edit(Self.v2, #" elementID="number""#, "")
    let result = try workspace.modelctl("check", "--base", "main")
    #expect(result.status == 1)
    #expect(
      result.standardOutput.contains(
        """
        \(Self.v2):3:5: warning: Order.sum has the renaming identifier sum instead of number, although v2 is released \
        (in main); stores of older versions lose its data [silent-change]
        """))
    #expect(result.standardOutput.hasPrefix("\(Self.v2):2:3: error: v1 → v2, on the path of released versions: "))
    try workspace.edit(Self.v2, #"name="sum""#, #"name="sum" elementID="number""#)
    #expect(try rules(workspace, "--base", "main") == [])
  }

  @Test("A version that is recorded again names the replaced record, and passes if the base has exactly that record")
  func relocked() throws {
    let workspace = try workspace()
    try workspace.edit(Self.v2, #"attributeType="Decimal""#, #"attributeType="Double""#)
    #expect(try rules(workspace, "--base", "main") == ["unversioned-change"])
    #expect(try workspace.modelctl("lock", "--relock", "v2").status == 0)
    let lock = try shell("git diff -U0 Shop.lock.json", in: workspace).standardOutput
    let former = try #require(lock.split(separator: "\n").first { $0.hasPrefix("-      \"checksum\"") })
    #expect(lock.contains("+      \"replaces\":" + former.dropFirst("-      \"checksum\":".count)))
    let result = try workspace.modelctl("check", "--base", "main")
    #expect(result.status == 0)
    #expect(
      result.standardOutput.contains(
        "note: v2 was released (in main) and is recorded again, as released: Order.total has type Double instead of Decimal"
      ))
    let other = former.replacingOccurrences(of: "-      \"checksum\": \"", with: "").prefix(8)
    try workspace.edit("Shop.lock.json", "\"replaces\": \"\(other)", "\"replaces\": \"AAAA\(other.dropFirst(4))")
    #expect(try rules(workspace, "--base", "main").sorted() == ["lock-rewritten", "unversioned-change"])
  }

  @Test("A renamed version is reported once, and both suggested commands work")
  func renamed() throws {
    let workspace = try workspace()
    try shell("git mv Shop.xcdatamodeld/v1.xcdatamodel Shop.xcdatamodeld/v1.0.xcdatamodel", in: workspace)
    for arguments in [[], ["--base", "main"]] {
      let result = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(result.standardOutput.components(separatedBy: "warning: ").count == 2, "\(result)")
      #expect(
        result.standardOutput.contains(
          """
          fix: record the new name: modelctl lock Shop.xcdatamodeld/v1.0.xcdatamodel; or restore the old name: \
          mv Shop.xcdatamodeld/v1.0.xcdatamodel Shop.xcdatamodeld/v1.xcdatamodel
          """), "\(result)")
    }
    #expect(
      try shell("modelctl lock Shop.xcdatamodeld/v1.0.xcdatamodel", in: workspace).standardOutput
        == "Shop.lock.json: v1.0 is recorded under its new name\n")
    #expect(try rules(workspace) == [])
    #expect(try rules(workspace, "--base", "main") == [])
    try shell("git checkout -q Shop.lock.json", in: workspace)
    try workspace.edit("Shop.xcdatamodeld/v1.0.xcdatamodel/contents", "Integer 32", "Integer 64")
    let edited = try workspace.modelctl("check").standardOutput
    #expect(edited.contains("although it is released (recorded in Shop.lock.json); v1.0 looks like an edited v1"))
  }

  @Test("An unused consent is reported, and dropped when the draft is recorded again")
  func staleConsent() throws {
    let workspace = try workspace()
    try loseTotal(in: workspace)
    let consent = ["--allow-data-loss", "Order.total"]
    #expect(try Modelctl.run(["lock", "--draft"] + consent, in: workspace).status == 0)
    try workspace.edit(
      Self.v3, "</entity>", Self.total.replacingOccurrences(of: "\"YES\"", with: "\"NO\"") + "</entity>")
    #expect(try workspace.modelctl("check").standardOutput.contains("the lock file allows v3 to lose Order.total, but"))
    #expect(
      try shell("modelctl lock --draft", in: workspace).standardOutput
        == "Shop.lock.json: v3 recorded again as a draft, without Order.total, which no path to it loses\n")
    #expect(try !rules(workspace).contains("lock-stale"))
  }

  @Test("A lock file that stayed behind is heeded where the bundle is now")
  func leftBehind() throws {
    let workspace = try workspace()
    try shell("mkdir App && git mv Shop.xcdatamodeld App/", in: workspace)
    try workspace.edit("App/\(Self.v1)", "Integer 32", "Integer 64")
    let move = "git mv Shop.lock.json App/Shop.lock.json"
    for arguments in [[], ["--base", "main"]] {
      let result = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(result.status == 1)
      #expect(
        result.standardOutput.contains(
          """
          Shop.lock.json:4:3: warning: the bundle moved from Shop.xcdatamodeld to App/Shop.xcdatamodeld without \
          its lock file [bundle-moved]
          """), "\(result)")
      #expect(result.standardOutput.contains("fix: move the lock file: \(move)\n"), "\(result)")
      #expect(result.standardOutput.contains("[unversioned-change]"))
      #expect(!result.standardOutput.contains("[missing-lock]"))
    }
    try Refusal.expect(
      ["lock", "--all"], says: ["Shop.lock.json: the lock file belongs to App/Shop.xcdatamodeld", move], in: workspace)
    try shell(move, in: workspace)
    #expect(try rules(workspace) == ["unversioned-change"])
  }

  @Test("A deleted bundle is reported, with its lock file and without, also if it was the only bundle")
  func deleted() throws {
    let workspace = try workspace()
    try shell("git rm -rq Shop.xcdatamodeld", in: workspace)
    let without = try workspace.modelctl("check")
    #expect(without.status == 1)
    #expect(
      without.standardOutput.hasPrefix(
        "Shop.lock.json:4:3: error: the bundle is deleted, although v1, v2 are released (Shop.lock.json) "))
    #expect(try rules(workspace, "--base", "main") == ["released-bundle-deleted"])
    try shell("git rm -q Shop.lock.json", in: workspace)
    #expect(try rules(workspace, "--base", "main") == ["released-bundle-deleted"])
    #expect(try workspace.modelctl("check").status == 2)
  }

  @Test("A change that excludes a bundle which users have is an error until the base has it too")
  func newlyExcluded() throws {
    let workspace = try workspace()
    try shell("cp -R Shop.xcdatamodeld Other.xcdatamodeld && mkdir Part && cp -R Shop.xcdatamodeld Part", in: workspace)
    try shell("git add -A && git commit -qm two", in: workspace)
    try workspace.write(#"{ "exclude": ["Shop.xcdatamodeld"] }"#, to: ".modelctl.json")
    let result = try workspace.modelctl("check", "--base", "main")
    #expect(
      result.standardOutput.hasPrefix(
        ".modelctl.json:1:1: error: Shop.xcdatamodeld is excluded from the check now, although v1, v2 are released (main) "
      ),
      "\(result)")
    #expect(try workspace.modelctl("check", "Part", "--base", "main").standardOutput.contains("left out") == false)
    #expect(try workspace.modelctl("check").standardOutput.contains("left out") == false)
    try shell("git add -A && git commit -qm excluded", in: workspace)
    #expect(try workspace.modelctl("check", "--base", "HEAD").standardOutput.contains("left out") == false)
  }

  @Test("A bundle that no longer has a current version")
  func noCurrentVersion() throws {
    let workspace = try workspace()
    try shell("git rm -q Shop.xcdatamodeld/.xccurrentversion", in: workspace)
    let result = try workspace.modelctl("check")
    #expect(result.status == 1)
    #expect(
      result.standardOutput.contains("Shop has 2 versions but does not name its current version [no-current-version]"))
    try shell("git checkout HEAD -- Shop.xcdatamodeld/.xccurrentversion", in: workspace)
    #expect(try rules(workspace) == [])
  }

  @Test("The way out of a conflict in the lock file works as it is written")
  func conflict() throws {
    let workspace = try workspace()
    for branch in ["one", "two"] {
      try shell("git switch -qc \(branch) main", in: workspace)
      try shell("cp -R Shop.xcdatamodeld/v2.xcdatamodel Shop.xcdatamodeld/v3.xcdatamodel", in: workspace)
      let paid = "<attribute name=\"\(branch)\" optional=\"YES\" attributeType=\"Boolean\"/>"
      try workspace.edit(Self.v3, Self.total, Self.total + paid)
      try current("v3", in: workspace)
      try shell("modelctl lock && git add -A && git commit -qm \(branch)", in: workspace)
    }
    #expect(try Modelctl.shell("git merge one", in: workspace).status != 0)
    try shell("git checkout --ours Shop.xcdatamodeld", in: workspace)
    let restore = "git show :1:./Shop.lock.json > Shop.lock.json"
    try Refusal.expect(["check"], says: ["Shop.lock.json:", "merge conflict markers", restore], in: workspace)
    try shell("\(restore) && modelctl lock --all && modelctl lock", in: workspace)
    #expect(try rules(workspace) == [])
    #expect(try rules(workspace, "--base", "main") == [])
  }

  @Test(
    "A file at a bundle's old path does not hide that the bundle was moved and edited",
    arguments: ["touch Shop.xcdatamodeld", "ln -s real/Shop.xcdatamodeld Shop.xcdatamodeld"])
  func placeholder(_ command: String) throws {
    let workspace = try workspace()
    try shell("mkdir real && git mv Shop.xcdatamodeld real/ && git rm -q --cached Shop.lock.json", in: workspace)
    try shell("rm -f Shop.lock.json && \(command)", in: workspace)
    try shell(
      "sed -i.bak 's/Integer 32/Date/; s/String/Date/' real/Shop.xcdatamodeld/v1.xcdatamodel/contents", in: workspace)
    #expect(try rules(workspace, "--base", "main").contains("unversioned-change"))
  }

  @Test("A base with an unreadable version that no lock file records is refused")
  func unreadableBase() throws {
    let workspace = try workspace()
    try shell("git rm -q --cached Shop.lock.json && rm Shop.lock.json", in: workspace)
    try shell(
      "cp Shop.xcdatamodeld/v1.xcdatamodel/contents kept && echo '<model>' > Shop.xcdatamodeld/v1.xcdatamodel/contents",
      in: workspace)
    try shell("git add -A && git commit -qm broken && mv kept Shop.xcdatamodeld/v1.xcdatamodel/contents", in: workspace)
    try Refusal.expect(
      ["check", "--base", "HEAD"], says: ["Shop.xcdatamodeld: the version v1 cannot be read in HEAD"],
      in: workspace)
  }
}
