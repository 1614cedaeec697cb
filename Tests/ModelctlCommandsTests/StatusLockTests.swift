import Foundation
import Testing

@Suite("A store of a released version that was edited is known by the lock file")
struct StatusLockTests {
  /// A repository and a store of the current version, in whose metadata no model is kept.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl create todo.sqlite --version Todo@v2 --rows 2 --seed 1")
    return workspace
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
          cannot be migrated as it is; \(revision) has v2 as it was: modelctl new-version --restore \(revision) --model App/Todo.xcdatamodeld
          then: modelctl migrate todo.sqlite

        """, "\(result)")
    try workspace.shell("modelctl new-version --restore \(revision) --model App/Todo.xcdatamodeld")
    try workspace.shell("modelctl migrate todo.sqlite")
    #expect(try workspace.modelctl("status", "todo.sqlite").status == 0)
  }

  @Test("A version that is gone is brought back")
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

  @Test("Without git the edits are named, which can be taken back by hand")
  func withoutGit() throws {
    let workspace = try workspace()
    try workspace.editShippedVersion()
    try workspace.shell("rm -rf .git")
    let result = try workspace.modelctl("status", "todo.sqlite")
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("no revision of git has v2 as it was"), "\(result)")
    try workspace.edit(SampleFolder.contents, #"name="title" optional="YES""#, #"name="title""#)
    #expect(try workspace.modelctl("status", "todo.sqlite").status == 0)
  }

  @Test("A store that cannot be migrated is told by the exit code, beside others that can")
  func exitCode() throws {
    let workspace = try workspace()
    try workspace.shell("cp todo.sqlite other.sqlite && rm App/Todo.lock.json")
    try workspace.editShippedVersion()
    let result = try workspace.modelctl("status", "todo.sqlite", "other.sqlite")
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("its version must be found first"))
  }
}
