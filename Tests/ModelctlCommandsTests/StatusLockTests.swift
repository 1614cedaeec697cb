import Foundation
import TestSupport
import Testing

@Suite("A store of a released version that was edited is known by the lock file")
struct StatusLockTests {
  /// A repository and a store of the current version, in whose metadata no model is kept.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl create todo.sqlite --version Todo@v2 --rows 2 --seed 1")
    return workspace
  }

  @Test("The version identifier in a store is shown if no bundle has its version, and is always in JSON")
  func identifier() throws {
    let workspace = try SampleFolder(emptyNamed: "Notes.xcdatamodeld")
    func model(_ attribute: String) -> String {
      "<model userDefinedModelVersionIdentifier=\"1.2.0\"><entity name=\"Note\"><attribute name=\"\(attribute)\" "
        + "optional=\"YES\" attributeType=\"String\"/></entity></model>"
    }
    try workspace.write(model("title"), to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    try workspace.shell("modelctl create a.sqlite")
    let known = try workspace.modelctl("status", "a.sqlite").standardOutput
    #expect(!known.contains("1.2.0"), "\(known)")
    try workspace.write(model("name"), to: "Notes.xcdatamodeld/Notes.xcdatamodel/contents")
    let unknown = try workspace.modelctl("status", "a.sqlite").standardOutput
    #expect(unknown.contains("\n  version identifier 1.2.0\n"), "\(unknown)")
    let document = try workspace.modelctl("status", "a.sqlite", "--format", "json").standardOutput
    #expect(document.contains("\"versionIdentifiers\" : [\n        \"1.2.0\"\n      ]"), "\(document)")
  }

  @Test("The version, the edit and the revision are named, and the commands lead to a store that migrates")
  func edited() throws {
    let workspace = try workspace()
    #expect(try workspace.modelctl("status", "todo.sqlite").status == 0)
    try workspace.editShippedVersion()
    let result = try workspace.modelctl("status", "todo.sqlite")
    #expect(result.status == 1)
    let revision = try workspace.shell("git rev-parse --short=10 main")
    #expect(
      result.standardOutput == """
        todo.sqlite
          written by v2 of App/Todo.xcdatamodeld as released; the file was edited since:
            Todo.title is optional now
          cannot be migrated as it is; \(revision) has the original v2: modelctl new-version --restore \(revision) --model App/Todo.xcdatamodeld
          then: modelctl migrate todo.sqlite

        """, "\(result)")
    try workspace.shell("modelctl new-version --restore \(revision) --model App/Todo.xcdatamodeld")
    try workspace.shell("modelctl migrate todo.sqlite")
    #expect(try workspace.modelctl("status", "todo.sqlite").status == 0)
  }

  @Test("An attribute that was added in place is found by its column, and the rescued version passes a pull request")
  func addedInPlace() throws {
    let workspace = try SampleFolder.repository()
    let due = #"<attribute name="dueDate" optional="YES""#
    try workspace.edit(
      SampleFolder.contents, due,
      #"<attribute name="betaChannel" attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES"/>\#n        "#
        + due)
    try workspace.shell("modelctl create beta.sqlite --version Todo@v2 --rows 2 --seed 1")
    try workspace.shell("git checkout --quiet -- App && git switch -qc rescue")
    let found = try workspace.modelctl("status", "beta.sqlite")
    #expect(found.status == 1)
    #expect(found.standardOutput.contains("betaChannel"), "\(found)")
    let rescue = try #require(found.standardOutput.firstMatch(of: /edits above: (modelctl .*)/)?.1)
    try workspace.shell(String(rescue))
    let recorded = try workspace.modelctl("lock", "App/Todo.xcdatamodeld/v1.1.xcdatamodel")
    #expect(recorded.status == 0, "\(recorded)")
    try workspace.commit("rescued")
    #expect(try workspace.modelctl("check").status == 0)
    // The values are lost on the way to the version that stays as it was shipped, and only that is asked for.
    let checked = try workspace.modelctl("check", "--base", "main").standardOutput
    #expect(checked.components(separatedBy: ": error: ").count == 2 && checked.contains("[data-loss]"), "\(checked)")
    let consent = try #require(checked.firstMatch(of: /record the loss: (modelctl .*)/)?.1)
    try workspace.shell(String(consent))
    #expect(try workspace.modelctl("check", "--base", "main").status == 0)
    #expect(try workspace.modelctl("migrate", "beta.sqlite", "--allow-data-loss", "Todo.betaChannel").status == 0)
  }

  @Test("A version with stricter edits that was restored does not require values that it no longer has")
  func requiredInPlace() throws {
    let workspace = try SampleFolder.repository()
    try workspace.edit(
      SampleFolder.contents, #"<attribute name="dueDate" optional="YES""#, #"<attribute name="dueDate""#)
    try workspace.shell("modelctl create old.sqlite --version Todo@v2 --rows 2 --seed 1")
    try workspace.shell("git checkout --quiet -- App && git switch -qc rescue")
    try workspace.shell("modelctl new-version --as-store old.sqlite --model App/Todo.xcdatamodeld")
    let made = try workspace.shell("git status --short --untracked-files=all")
    #expect(made.contains("v1.1.xcdatamodel/contents"), "\(made)")
    try workspace.shell("modelctl lock App/Todo.xcdatamodeld/v1.1.xcdatamodel")
    try workspace.commit("rescued")
    let checked = try workspace.modelctl("check", "--base", "main")
    #expect(checked.status == 0, "\(checked)")
    #expect(try workspace.modelctl("migrate", "old.sqlite").status == 0)
  }

  @Test("An attribute that cannot be guessed is named by its column")
  func unknownColumn() throws {
    let workspace = try SampleFolder.repository()
    try workspace.edit(
      SampleFolder.contents, #"<attribute name="dueDate""#,
      #"<attribute name="aBcDeFgHiJ" attributeType="String" versionHashModifier="q"/>\#n        <attribute name="dueDate""#
    )
    try workspace.shell("modelctl create beta.sqlite --version Todo@v2 --rows 1 && git checkout --quiet -- App")
    let words = "an attribute that no version here has (column ZABCDEFGHIJ of Todo)"
    let found = try workspace.modelctl("status", "beta.sqlite").standardOutput
    #expect(found.replacing(/\n +/, with: " ").contains("Todo had \(words)"), "\(found)")
    try Refusal.expect(
      ["new-version", "--as-store", "beta.sqlite", "--model", SampleFolder.bundle], says: [words], in: workspace)
  }

  @Test("A deleted version is restored")
  func gone() throws {
    let workspace = try workspace()
    try workspace.addVersion()
    try workspace.shell("modelctl lock && git rm -rq App/Todo.xcdatamodeld/v2.xcdatamodel")
    try workspace.commit("without v2")
    let result = try workspace.modelctl("status", "todo.sqlite", "--format", "json")
    #expect(result.status == 1)
    let revision = try workspace.shell("git rev-parse --short=10 main")
    let command = "git checkout \(revision) -- App/Todo.xcdatamodeld/v2.xcdatamodel"
    #expect(result.standardOutput.contains(#""restore" : "\#(command)""#), "\(result)")
    #expect(result.standardOutput.contains(#""lockFile" : "App/Todo.lock.json""#))
    try workspace.shell(command)
    #expect(try workspace.modelctl("status", "todo.sqlite").standardOutput.contains("needs migration to v3"))
  }

  @Test("Without git the edits are listed, so that you can undo them by hand")
  func withoutGit() throws {
    let workspace = try workspace()
    try workspace.editShippedVersion()
    try workspace.shell("rm -rf .git")
    let result = try workspace.modelctl("status", "todo.sqlite")
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("no git revision has the original v2"), "\(result)")
    try workspace.edit(SampleFolder.contents, #"name="title" optional="YES""#, #"name="title""#)
    #expect(try workspace.modelctl("status", "todo.sqlite").status == 0)
  }

  @Test("A store that cannot be migrated changes the exit code, next to stores that can")
  func exitCode() throws {
    let workspace = try workspace()
    try workspace.shell("cp todo.sqlite other.sqlite && rm App/Todo.lock.json")
    try workspace.editShippedVersion()
    let result = try workspace.modelctl("status", "todo.sqlite", "other.sqlite")
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("its version must be found first"))
  }
}
