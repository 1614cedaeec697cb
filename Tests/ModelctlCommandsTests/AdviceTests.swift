import Foundation
import TestSupport
import Testing

/// The commands that the guard suggests run unchanged, and the check passes.
@Suite("The check's advice, run literally in a scratch repository")
struct AdviceTests {
  private static let bundle = SampleFolder.bundle
  private static let old = "\(bundle)/v1.xcdatamodel"

  private func editedOld() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.edit("\(Self.old)/contents", "attributeType=\"Boolean\"", "attributeType=\"String\"")
    return workspace
  }

  /// The command behind a text in the first fix that has it.
  private func command(_ text: String, after lead: String) throws -> String {
    let fixes = text.split(separator: "\n").filter { $0.hasPrefix("  fix: ") }
    let fix = try #require(fixes.first { $0.contains(lead) }, "\(text)")
    let start = try #require(fix.range(of: lead)?.upperBound)
    return fix[start...].components(separatedBy: "; ")[0]
  }

  @Test(
    "A part of a bundle, and a version, mean the bundle with its lock and its history",
    arguments: CorpusSample.of(
      [
        "modelctl check \(old)/contents", "modelctl check \(old)", "modelctl check \(old)/", "modelctl check Todo@v1",
        "modelctl check v1", "modelctl check v2", "modelctl check --model \(bundle)/v2.xcdatamodel",
        "cd \(bundle) && modelctl check", "cd \(bundle) && modelctl check v1.xcdatamodel",
        "cd \(bundle) && modelctl check ..", "cd \(old) && modelctl check", "cd \(old) && modelctl check contents",
        "modelctl check \"$PWD/\(old)/contents\"",
      ], atMost: 4))
  func partOfBundle(_ line: String) throws {
    let workspace = try editedOld()
    for base in ["", " --base main"] {
      let result = try Modelctl.shell(line + base, in: workspace)
      #expect(result.status == 1, "\(line)\(base): \(result)")
      #expect(
        result.standardOutput.contains("v1 is released (recorded in Todo.lock.json\(base.isEmpty ? ")" : ", in main)")")
      )
      #expect(result.standardError.contains("2 versions checked"))
    }
  }

  @Test("A bundle is refused as a compiled model for comparison, and the message names valid files")
  func againstBundle() throws {
    let workspace = try SampleFolder.repository()
    let result = try workspace.modelctl("check", "--against", Self.bundle)
    #expect(result.status == 2)
    #expect(
      result.standardError.contains(
        """
        error: \(Self.bundle): this is not a compiled model
          Name a .momd or a .mom of your shipped app; or, for an earlier state in git, run:
            modelctl check --base REVISION
        """), "\(result.standardError)")
  }

  @Test("A file of a revision means only itself")
  func fileOfRevision() throws {
    let result = try editedOld().modelctl("check", "HEAD:\(Self.old)/contents")
    #expect(
      result.standardError == "1 version checked against all rules: no findings; passed\n")
  }

  @Test(
    "An edit of the current version moves to a new one",
    arguments: [("modelctl check", "HEAD"), ("modelctl check --base main", "main")])
  func editOfCurrent(_ check: String, _ revision: String) throws {
    let workspace = try SampleFolder.repository()
    try workspace.edit(SampleFolder.contents, "name=\"title\"", "name=\"title\" optional=\"YES\"")
    let found = try Modelctl.shell(check, in: workspace)
    let command = try command(found.standardOutput, after: "to a new version: ")
    #expect(command == "modelctl new-version --restore \(revision) --model \(Self.bundle)")
    try workspace.shell(command)
    #expect(try workspace.shell("git diff --name-only") == "\(Self.bundle)/.xccurrentversion")
    #expect(try Modelctl.shell(check, in: workspace).status == 0)
  }

  @Test("An edit that was committed is put back from the base, or looked for")
  func committedEdit() throws {
    let workspace = try SampleFolder.repository()
    try workspace.editShippedVersion()
    try workspace.shell("git switch -q main && git commit -q --allow-empty -m more && git switch -q edit")
    let base = try workspace.shell("git rev-parse HEAD~").prefix(10)
    let found = try Modelctl.shell("modelctl check --base main", in: workspace).standardOutput
    let restoring = try command(found, after: "to a new version: ")
    #expect(restoring == "modelctl new-version --restore \(base) --model \(Self.bundle)")
    let byLock = try command(workspace.modelctl("check").standardOutput, after: "to a new version: ")
    #expect(byLock.hasPrefix("modelctl new-version --restore "))
    #expect(!byLock.contains("--restore HEAD"))
    try workspace.shell(byLock)
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("Without git, the released version must be restored first")
  func withoutRevision() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("rm -rf .git")
    try workspace.edit(SampleFolder.contents, "name=\"title\"", "name=\"title\" optional=\"YES\"")
    let found = try workspace.modelctl("check").standardOutput
    #expect(found.contains("first restore v2 as it was released; then make the change in a new version: "))
  }

  @Test("A copy of an edited release says so, and the command in the warning restores the release")
  func copyOfEdited() throws {
    let workspace = try SampleFolder.repository()
    try workspace.edit(SampleFolder.contents, "name=\"title\"", "name=\"title\" optional=\"YES\"")
    let warning = try workspace.modelctl("new-version").standardError
    #expect(warning.contains("v2 is released and was edited, so v3 is a copy of the edited version; restore v2: git "))
    let restoring = try #require(warning.split(separator: "\n").first?.components(separatedBy: "restore v2: ").last)
    try workspace.shell(restoring)
    #expect(try workspace.modelctl("check").status == 0)
    #expect(try workspace.modelctl("new-version").standardError == "")
  }

  @Test("An edit of an older version is put back", arguments: ["modelctl check", "modelctl check --base main"])
  func editOfOld(_ check: String) throws {
    let workspace = try editedOld()
    try workspace.shell(try command(Modelctl.shell(check, in: workspace).standardOutput, after: "restore it: "))
    #expect(try workspace.shell("git status --short") == "")
  }

  @Test(
    "A deleted version is restored, for any commit that deleted it",
    arguments: ["rm -r \(old)", "git rm -rq \(old)", "git switch -qc gone && git rm -rq \(old) && git commit -qm gone"])
  func deleted(_ deletion: String) throws {
    for check in ["modelctl check --base main", "modelctl check"] {
      let workspace = try SampleFolder.repository()
      try workspace.shell(deletion)
      let found = try Modelctl.shell(check, in: workspace).standardOutput
      let fix = try command(found, after: "restore it: ")
      if deletion.contains("commit"), check == "modelctl check" {
        #expect(try workspace.shell(fix).hasSuffix(" gone"))
        let commit = try workspace.shell("git rev-parse --short HEAD")
        try workspace.shell(
          command(found, after: "from before that commit: ").replacingOccurrences(of: "COMMIT", with: commit))
      } else {
        try workspace.shell(fix)
      }
      #expect(try Modelctl.shell(check, in: workspace).status == 0, "\(deletion), \(check)")
    }
  }

  @Test("A path that looks like an option is none")
  func dash() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("git mv -- App -app && git commit -qam moved")
    try workspace.edit("-app/Todo.xcdatamodeld/v1.xcdatamodel/contents", "\"Boolean\"", "\"String\"")
    let found = try workspace.modelctl("check").standardOutput
    #expect(found.contains("git checkout HEAD -- ./-app/Todo.xcdatamodeld/v1.xcdatamodel/contents; and"))
    #expect(found.contains("modelctl new-version --model ./-app/Todo.xcdatamodeld\n"))
  }

  @Test("Lint of a released version is a note about the next version; a broken version is still an error")
  func releasedLint() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    let relationship = "<relationship name=\"kind\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"Todo\"/>"
    for version in ["v1", "v2"] {
      try workspace.edit(
        "\(Self.bundle)/\(version).xcdatamodel/contents", "<attribute name=\"title\"",
        "\(relationship)\n        <attribute name=\"title\"")
    }
    let before = try workspace.modelctl("check")
    #expect(before.standardOutput.contains("note: ") && before.standardOutput.contains("[missing-inverse]"))
    #expect(before.status == 0 && !before.standardOutput.contains("in the next version"), "\(before)")
    try workspace.shell("modelctl lock --all")
    let after = try workspace.modelctl("check")
    #expect(after.status == 0, "\(after)")
    let lines = after.standardOutput.split(separator: "\n")
    #expect(lines.filter { $0.hasSuffix("[missing-inverse]") }.count == 1)
    #expect(lines.contains { $0.contains("v2.xcdatamodel/contents:8:9: note: ") && $0.hasSuffix("[missing-inverse]") })
    #expect(lines.contains { $0.hasPrefix("  fix: in the next version: ") })
    for (level, status) in [("warning", 0), ("error", 1)] as [(String, Int32)] {
      try workspace.write("{\"rules\": {\"missing-inverse\": \"\(level)\"}}", to: ".modelctl.json")
      #expect(try workspace.modelctl("check").status == status, "\(level)")
    }
  }

  @Test("A clone without the history up to the merge base is reported")
  func missingMergeBase() throws {
    let origin = try SampleFolder.repository(isLocked: false)
    try origin.addVersion()
    try origin.shell("git switch -q main && git commit -q --allow-empty -m more && git switch -q add")
    let clone = try origin.shallowClone()
    try clone.shell("git fetch -q --depth 1 origin +refs/heads/main:refs/remotes/origin/main")
    let note =
      "note: this clone does not have a common commit of origin/main and HEAD, so they are compared directly, and a "
      + "version that was added there later looks deleted here; fetch the history: git fetch --unshallow\n"
    #expect(try clone.modelctl("check", "--base", "origin/main").standardError.hasPrefix(note))
    try clone.shell("git fetch -q --unshallow")
    #expect(try !clone.modelctl("check", "--base", "origin/main").standardError.contains("note: "))
  }

  @Test(
    "A base that is meant as a folder and is not there", arguments: ["/no/such/place", "./gone", "../gone", "gone/"])
  func missingFolder(_ base: String) throws {
    try Refusal.expect(
      ["check", "--base", base],
      says: ["\(base): neither a folder nor a git revision", "Name a folder"],
      in: SampleFolder.repository())
  }

  @Test("A version that takes the one before it back is the older one again")
  func revert() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("cp -R \(Self.old) \(Self.bundle)/v3.xcdatamodel")
    try workspace.edit("\(Self.bundle)/.xccurrentversion", "v2.xcdatamodel", "v3.xcdatamodel")
    let found = try workspace.modelctl("check").standardOutput
    #expect(
      found.contains(
        "v3 has the hashes of v1, so Core Data treats them as the same version: it migrates stores of v2 to v3, but not "
          + "stores of v1 [equal-hashes]"), "\(found)")
    #expect(found.contains("  fix: set the version hash modifier of Todo: "))
  }

  @Test("One command allows all losses of a step, and does not hide likely renames")
  func severalLosses() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl new-version")
    let new = "\(Self.bundle)/v3.xcdatamodel/contents"
    try workspace.edit(new, "name=\"title\"", "name=\"caption\" defaultValueString=\"\"")
    try workspace.edit(new, "name=\"isDone\"", "name=\"isOver\"")
    let found = try workspace.modelctl("check").standardOutput
    #expect(found.contains("[likely-rename]") && found.contains("[data-loss]"), "\(found)")
    let lead = "  fix: first decide the likely renames; then, if you intend this, record the loss: "
    let line = try #require(found.split(separator: "\n").first { $0.hasPrefix(lead) })
    #expect(line.hasSuffix(" --allow-data-loss Todo.title"))
    try workspace.shell(String(line.dropFirst(lead.count)))
    let after = try workspace.modelctl("check")
    #expect(after.status == 1 && after.standardOutput.contains("[likely-rename]"))
    #expect(!after.standardOutput.contains("[data-loss]"))
  }

  @Test("A rename by hand is one finding: the rename first, consent last")
  func renameByHand() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl new-version")
    let new = "\(Self.bundle)/v3.xcdatamodel/contents"
    try workspace.edit(new, "name=\"title\"", "name=\"caption\"")
    let found = try workspace.modelctl("check").standardOutput
    #expect(found.components(separatedBy: "Todo.title").count - 1 > 0)
    #expect(found.components(separatedBy: ": error: ").count == 2, "\(found)")
    let fix = try #require(found.split(separator: "\n").first { $0.hasPrefix("  fix: if you renamed it, ") })
    let consent = try #require(fix.range(of: "--allow-data-loss"))
    let identifier = try #require(fix.range(of: "modelctl edit set "))
    #expect(identifier.lowerBound < consent.lowerBound)
    try workspace.edit(new, "name=\"caption\"", "name=\"caption\" elementID=\"title\"")
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("An entry that a check with a base still needs is not unused after the release")
  func entryOfRelease() throws {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl new-version")
    let new = "\(Self.bundle)/v3.xcdatamodel/contents"
    let settings = #"optional="YES" attributeType="Date" usesScalarValueType="NO""#
    let ignoring = #"<userInfo><entry key="modelctl.ignore" value="likely-rename"/></userInfo>"#
    try workspace.edit(new, "property=\"dueDate\"", "property=\"deadline\"")
    try workspace.edit(
      new, "<attribute name=\"dueDate\" \(settings)/>",
      "<attribute name=\"deadline\" \(settings)>\(ignoring)</attribute>")
    try workspace.shell("modelctl lock --allow-data-loss Todo.dueDate")
    for check in [["check"], ["check", "--base", "main"]] {
      let found = try Modelctl.run(check, in: workspace)
      #expect(!found.standardOutput.contains("unused-suppression"), "\(found)")
      #expect(!found.standardOutput.contains("likely-rename"), "\(found)")
    }
  }

  @Test("A misspelt revision gets the nearest branch, and a complete hash is shown with 12 digits")
  func revisions() throws {
    let workspace = try SampleFolder.repository()
    let misspelt = try workspace.modelctl("check", "--base", "mian")
    #expect(misspelt.standardError.contains("mian: this repository does not have this revision; nearest: main"))
    let hash = try workspace.shell("git rev-parse HEAD")
    try workspace.edit(SampleFolder.contents, "name=\"title\"", "name=\"title\" optional=\"YES\"")
    let found = try workspace.modelctl("check", "--base", hash).standardOutput
    #expect(found.contains("--restore \(hash.prefix(12)) "), "\(found)")
    #expect(!found.contains(hash))
  }

  @Test("Consent to an entity that another bundle has is not advised")
  func movedEntity() throws {
    let workspace = try SampleFolder.repository()
    let extra = #"<entity name="Extra"><attribute name="a" optional="YES" attributeType="String"/></entity>"#
    try workspace.shell("modelctl new-version")
    try workspace.edit("\(Self.bundle)/v3.xcdatamodel/contents", "</entity>", "</entity>\(extra)")
    try workspace.shell("modelctl lock && modelctl new-version")
    try workspace.edit("\(Self.bundle)/v4.xcdatamodel/contents", extra, "")
    try workspace.write("<model>\(extra)</model>", to: "App/Extra.xcdatamodeld/v1.xcdatamodel/contents")
    let found = try workspace.modelctl("check", "--format", "json").standardOutput
    let loss = try #require(
      found.components(separatedBy: "\"column\"").first { $0.contains("\"data-loss\"") }, "\(found)")
    #expect(loss.contains("if you moved Extra to Extra, name both bundles in “unions”"), "\(loss)")
    #expect(!loss.contains("--allow-data-loss"))
    let refused = try workspace.modelctl("lock")
    #expect(refused.status == 2 && refused.standardError.contains("name both bundles in “unions”"), "\(refused)")
    #expect(!refused.standardError.contains("--allow-data-loss"))
  }

  @Test("A store of a version after the current one is not sent back without a word")
  func wayBack() throws {
    let workspace = try SampleFolder.repository()
    try workspace.makeStore("todo.sqlite", version: "Todo@v2")
    let status = ["status", "todo.sqlite"]
    #expect(try !Modelctl.run(status, in: workspace).standardOutput.contains("downgrade"))
    try workspace.edit("\(Self.bundle)/.xccurrentversion", "v2.xcdatamodel", "v1.xcdatamodel")
    #expect(
      try Modelctl.run(status, in: workspace).standardOutput == """
        todo.sqlite
          written by version v2 of \(Self.bundle)
          needs migration to v1: modelctl migrate todo.sqlite
            rows are not checked; to try the migration on a copy, add --dry-run
          note: v2 is newer than the current version v1, so this is a downgrade; to make
            v2 current, name it in the bundle's .xccurrentversion, or migrate with --to

        """)
  }
}
