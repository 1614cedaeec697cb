import Foundation
import TestSupport
import Testing

@Suite("new-version --as-store restores the version of a store, and its advice leads to a check without findings")
struct MissingVersionTests {
  private static let v1 = "App/Todo.xcdatamodeld/v1.xcdatamodel/contents"

  /// A repository with both versions of Todo recorded, and a store of the older one.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl create todo.sqlite --version Todo@v1 --rows 2 --seed 1")
    return workspace
  }

  private func edit(_ workspace: SampleFolder) throws {
    try workspace.edit(Self.v1, #"name="title""#, #"name="title" versionHashModifier="edited""#)
  }

  /// Makes the version, runs what is printed, and migrates the store.
  private func recover(_ workspace: SampleFolder) throws -> String {
    let made = try workspace.modelctl("new-version", "--as-store", "todo.sqlite")
    #expect(made.status == 0, "\(made)")
    let next = made.standardOutput.split(separator: "\n").drop { $0 != "next:" }.dropFirst()
    #expect(next.last == "  modelctl check App/Todo.xcdatamodeld", "\(made)")
    for line in next {
      let result = try Modelctl.shell(String(line), in: workspace)
      #expect(result.status == 0, "\(line): \(result)")
      #expect(!result.standardOutput.contains("error: ") && !result.standardOutput.contains("warning: "), "\(result)")
    }
    let migrated = try workspace.modelctl("migrate", "todo.sqlite")
    #expect(migrated.status == 0, "\(migrated)")
    return made.standardOutput
  }

  @Test("A recorded version whose file was edited is itself again, and the edits can be had back")
  func edited() throws {
    let workspace = try workspace()
    let before = try workspace.contents()[Self.v1]
    try edit(workspace)
    let edited = try workspace.contents()[Self.v1]
    let output = try recover(workspace)
    #expect(try workspace.contents()[Self.v1] == before)
    #expect(
      output.hasPrefix("App/Todo.xcdatamodeld/v1.xcdatamodel: restored to its state when todo.sqlite was written"),
      "\(output)")
    let undo = try #require(
      output.split(separator: "\n").first { $0.contains("edit undo") }?.split(separator: ": ").last)
    try workspace.shell(String(undo))
    #expect(try workspace.contents()[Self.v1] == edited)
  }

  @Test("A deleted recorded version gets its name again")
  func deleted() throws {
    let workspace = try workspace()
    try workspace.shell("rm -r App/Todo.xcdatamodeld/v1.xcdatamodel")
    #expect(try recover(workspace).hasPrefix("App/Todo.xcdatamodeld/v1.xcdatamodel: made from v2, "))
  }

  @Test(
    "An unrecorded version is inserted before the most similar version, with a lock file and without",
    arguments: [true, false])
  func unrecorded(_ isLocked: Bool) throws {
    let workspace = try workspace()
    try edit(workspace)
    try workspace.shell("rm App/Todo.lock.json" + (isLocked ? " && modelctl lock --all" : ""))
    let output = try recover(workspace)
    #expect(output.hasPrefix("App/Todo.xcdatamodeld/v0.xcdatamodel: made from v1, "), "\(output)")
    #expect(output.contains("modelctl lock ") == isLocked)
    let versions = try workspace.shell("modelctl log").split(separator: "\n").compactMap { line in
      ["v0", "v1", "v2"].first { line.hasPrefix("  \($0) ") || line.hasPrefix("  \($0),") }
    }
    #expect(versions == ["v2", "v1", "v0"], "\(versions)")
    #expect(
      try workspace.contents()["App/Todo.xcdatamodeld/.xccurrentversion"].map { String(decoding: $0, as: UTF8.self) }?
        .contains("v2.xcdatamodel") == true)
  }

  @Test(
    "The model's identifier in the store is its name, if it is free and sorts before the current version",
    arguments: [("v1.5", "v1.5"), ("v2", "v0"), ("v3", "v0"), ("a/b", "v0"), ("", "v0")])
  func identifier(_ identifier: String, _ name: String) throws {
    let workspace = try workspace()
    try workspace.shell("rm todo.sqlite App/Todo.lock.json")
    let text = String(decoding: try #require(workspace.contents()[Self.v1]), as: UTF8.self)
    try workspace.edit(Self.v1, #"VersionIdentifier="""#, "VersionIdentifier=\"\(identifier)\"")
    try workspace.shell("modelctl create todo.sqlite --version Todo@v1 --rows 2 --seed 1")
    try workspace.write(text, to: Self.v1)
    try edit(workspace)
    #expect(try recover(workspace).hasPrefix("App/Todo.xcdatamodeld/\(name).xcdatamodel: made from v1, "))
  }

  @Test("An index follows a later rename of its property, and no index names a missing property")
  func indexes() throws {
    let workspace = try workspace()
    // An index enters no hash; what is renamed has to be known to another version, by whose names edits are tried.
    try workspace.edit(SampleFolder.contents, "property=\"priority\"", "property=\"title\"")
    try workspace.shell("modelctl create new.sqlite --version Todo@v2 --rows 2 --seed 1 && rm App/Todo.lock.json")
    try workspace.edit(SampleFolder.contents, "=\"title\"", "=\"heading\"")
    let made = try workspace.shell("modelctl new-version --as-store new.sqlite")
    #expect(made.hasPrefix("App/Todo.xcdatamodeld/v1.1.xcdatamodel: made from v2, "), "\(made)")
    let text = String(
      decoding: try #require(workspace.contents()["App/Todo.xcdatamodeld/v1.1.xcdatamodel/contents"]), as: UTF8.self)
    #expect(text.contains(#"<fetchIndexElement property="title""#) && !text.contains("heading"), "\(text)")
  }

  @Test("Between two versions of a pattern it gets a name between theirs")
  func between() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("old.sqlite", version: "Orders@v3")
    try workspace.edit(
      "Models/Orders.xcdatamodeld/v3.xcdatamodel/contents", "name=\"minutes\"",
      "name=\"minutes\" versionHashModifier=\"e\"")
    try workspace.shell("rm Models/*.lock.json")
    let made = try workspace.modelctl(
      "new-version", "--as-store", "old.sqlite", "--model", "Models/Orders.xcdatamodeld")
    #expect(made.standardOutput.hasPrefix("Models/Orders.xcdatamodeld/v2.1.xcdatamodel: made from v3, "), "\(made)")
    #expect(try workspace.modelctl("status", "old.sqlite").standardOutput.contains("version v2.1 of"))
    #expect(try workspace.modelctl("migrate", "old.sqlite", "--dry-run").status != 2)
    let named = try workspace.modelctl(
      "new-version", "first", "--as-store", "old.sqlite", "--model", "Models/Orders.xcdatamodeld")
    #expect(
      named.status == 2
        && named.standardError.contains("old.sqlite: written by v2.1, which is here, so no version is missing"),
      "\(named)")
  }

  @Test("No store is current by a model that an earlier build left beside its versions")
  func staleFile() throws {
    let workspace = try SampleFolder(emptyNamed: "Stores")
    let app = Transcript.rules.appendingPathComponent("stale-model-file/current/Shop.app")
    try FileManager.default.copyItem(at: app, to: workspace.url.appendingPathComponent("Shop.app"))
    try workspace.shell("rm -r Shop.app/Resources && modelctl create old.sqlite --model Shop.app/Shop.mom --rows 2")
    let status = try workspace.modelctl("status", "old.sqlite").standardOutput
    #expect(status.contains("written by version Shop of Shop.app/Shop.momd"), "\(status)")
    #expect(status.contains("needs migration to Shop 2: modelctl migrate old.sqlite"), "\(status)")
    let named = try workspace.modelctl("status", "old.sqlite", "--model", "Shop.app/Shop.mom").standardOutput
    #expect(named.contains("current: nothing to do"), "\(named)")
    try workspace.shell("modelctl migrate old.sqlite --allow-data-loss Order.note")
  }
}
