import Foundation
import GRDB
import TestSupport
import Testing

/// Stores that contain their models, in a folder without a bundle.
@Suite("A new store contains the model of the store that it is made from")
struct OwnModelTests {
  private func stores() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.shell("rm -r Models Migrations")
    try ForeignStoreTests.makeStore("old.sqlite", attributeType: 100, rows: 2, in: workspace)
    try ForeignStoreTests.makeStore("new.sqlite", attributeType: 300, rows: 2, in: workspace)
    return workspace
  }

  private func expectSameModel(_ store: String, as other: String, in workspace: SampleFolder) throws {
    let models = try [store, other].map { name in
      let queue = try DatabaseQueue(path: workspace.folder.path(name))
      defer { try? queue.close() }
      return try queue.read { try Data.fetchAll($0, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE") }
    }
    #expect(models[0].count == 1 && models[0] == models[1], "\(store)")
    let shown = try workspace.modelctl("show", store)
    #expect(shown.status == 0, "\(shown)")
  }

  @Test(
    "SQLite copies",
    arguments: [
      "anonymize old.sqlite --output copy.sqlite", "extract old.sqlite --entity A --output copy.sqlite",
      "convert old.sqlite copy.sqlite", "create copy.sqlite --version old.sqlite",
      "rescue old.sqlite --output copy.sqlite",
    ])
  func copies(_ line: String) throws {
    let workspace = try stores()
    let result = try Modelctl.run(line.split(separator: " ").map(String.init), in: workspace)
    #expect(result.status == 0 && !result.standardOutput.contains("contains no model"), "\(result)")
    try expectSameModel("copy.sqlite", as: "old.sqlite", in: workspace)
  }

  @Test("A store of loaded rows")
  func loaded() throws {
    let workspace = try stores()
    try workspace.shell("modelctl dump old.sqlite --output rows.jsonl")
    let result = try workspace.modelctl("load", "rows.jsonl", "--output", "copy.sqlite", "--version", "old.sqlite")
    #expect(result.status == 0, "\(result)")
    try expectSameModel("copy.sqlite", as: "old.sqlite", in: workspace)
  }

  @Test(
    "Copies of other types name the command that keeps the model",
    arguments: [
      "anonymize old.sqlite --output copy.json", "extract old.sqlite --entity A --output copy.xml",
      "convert old.sqlite copy.binary", "create copy.json --version old.sqlite",
    ])
  func otherTypes(_ line: String) throws {
    let workspace = try stores()
    let result = try Modelctl.run(line.split(separator: " ").map(String.init), in: workspace)
    let words = "modelctl export old.sqlite --output NAME.xcdatamodeld\n"
    #expect(result.status == 0 && result.standardOutput.hasSuffix(words), "\(result)")
  }

  @Test("A migration to the version of a store, and its plan")
  func migration() throws {
    let workspace = try stores()
    let plan = try workspace.modelctl("plan", "old.sqlite", "--to", "new.sqlite")
    #expect(plan.standardOutput.contains("INSERT INTO \"Z_MODELCACHE\""), "\(plan)")
    let result = try workspace.modelctl("migrate", "old.sqlite", "--to", "new.sqlite")
    #expect(result.status == 0, "\(result)")
    try expectSameModel("old.sqlite", as: "new.sqlite", in: workspace)
  }

  @Test("A model of a different version is not copied")
  func stale() throws {
    let workspace = try stores()
    try Damage.execute(
      "ATTACH '\(workspace.folder.path("new.sqlite"))' AS new; DELETE FROM main.Z_MODELCACHE; "
        + "INSERT INTO main.Z_MODELCACHE SELECT * FROM new.Z_MODELCACHE", workspace.folder.path("old.sqlite"))
    let result = try workspace.modelctl("anonymize", "old.sqlite", "--output", "copy.sqlite")
    #expect(result.status == 2 && result.standardError.contains("it does not contain a model"), "\(result)")
  }

  @Test(
    "--model takes a store that contains its model",
    arguments: ["verify", "status", "dump", "query A", "rescue --dry-run"])
  func modelOption(_ command: String) throws {
    let workspace = try stores()
    try workspace.shell("cp old.sqlite bare.sqlite")
    try Damage.execute("DELETE FROM Z_MODELCACHE", workspace.folder.path("bare.sqlite"))
    var words = command.split(separator: " ").map(String.init)
    words.insert("bare.sqlite", at: 1)
    #expect(try Modelctl.run(words, in: workspace).status != 0 || command.hasPrefix("verify"), "\(command)")
    let result = try Modelctl.run(words + ["--model", "old.sqlite"], in: workspace)
    #expect(result.status == 0, "\(result)")
  }

  @Test("A missing store as the destination names the nearest file", arguments: ["plan", "migrate"])
  func missingDestination(_ command: String) throws {
    let workspace = try stores()
    let result = try workspace.modelctl(command, "old.sqlite", "--to", "news.sqlite")
    let words = "news.sqlite: there is no such file; nearest: new.sqlite"
    #expect(result.status == 2 && result.standardError.contains(words), "\(result)")
  }

  @Test("The rescue of a sound store needs no bundle, and an unknown version names none of another command")
  func rescue() throws {
    let workspace = try stores()
    let sound = try workspace.modelctl("rescue", "old.sqlite", "--output", "copy.sqlite")
    #expect(sound.status == 0 && !sound.standardOutput.contains("not migrated"), "\(sound)")
    let unknown = try workspace.modelctl("rescue", "old.sqlite", "--version", "v9", "--output", "v9.sqlite")
    #expect(unknown.status == 2 && !unknown.standardError.contains("--to"), "\(unknown)")
  }
}

/// Swift source code in place of a model or a store.
@Suite("modelctl does not read @Model classes, and says so")
struct SwiftSourceTests {
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.shell("rm -r Models Migrations")
    try workspace.write(
      "import SwiftData\n@Model final class Note { var tags: Array<String> = [] }\n", to: "Note.swift")
    return workspace
  }

  @Test(
    "A Swift file",
    arguments: ["show", "status", "verify", "check", "lock", "rescue", "diff Note.swift", "log --model"])
  func file(_ command: String) throws {
    let workspace = try workspace()
    let words = command.split(separator: " ").map(String.init) + ["Note.swift"]
    let result = try Modelctl.run(words, in: workspace)
    let error = result.standardError
    #expect(result.status == 2 && error.contains("modelctl does not read @Model classes"), "\(result)")
    #expect(error.contains("docs/start/swiftdata.md") && !error.contains("modelctl show"), "\(result)")
  }

  @Test("A pipe and a large file with the name of a Swift file are not read")
  func pipe() throws {
    let workspace = try workspace()
    try workspace.shell(
      "rm Note.swift && mkfifo Pipe.swift && { echo @Model; head -c 300000 /dev/zero; } > Large.swift")
    let result = try workspace.modelctl("check")
    #expect(result.status == 2 && !result.standardError.contains("@Model"), "\(result)")
  }

  @Test("A folder", arguments: ["check", "lock", "init"])
  func folder(_ command: String) throws {
    let result = try Modelctl.run([command], in: try workspace())
    #expect(result.status == 2 && result.standardError.contains("docs/start/swiftdata.md"), "\(result)")
  }
}
