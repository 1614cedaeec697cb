import Foundation
import TestSupport
import Testing

@Suite("A change of a store of another kind that is killed leaves the old file or the new one", .serialized)
struct KilledDocumentTests {
  /// A kind, and a command that changes a store of it.
  struct Change: CustomTestStringConvertible, Sendable {
    let kind: String
    let command: String
    var testDescription: String { "\(kind): \(command)" }

    /// Those that keep the old file under another name.
    var isMigration: Bool { command.hasPrefix("migrate") }
    /// Git's driver, which writes git's own file.
    var isMerge: Bool { command.hasPrefix("merge") }
  }

  private static let migrations: [Change] = OtherKindTests.kinds.map { Change(kind: $0, command: "migrate FILE") }
  private static let saves: [Change] =
    OtherKindTests.kinds.flatMap { kind in
      [
        "update FILE Order --all --set number=8", "delete FILE RowOfOrder --all",
        "load changes.jsonl --output FILE --version Orders@v4 --upsert",
      ].map { Change(kind: kind, command: $0) }
    } + [Change(kind: "json", command: "merge base.json FILE theirs.json")]

  /// A store, and what becomes of it.
  private struct Subject {
    let template: SampleFolder
    let change: Change
    let name: String
    let arguments: [String]
    let old: Data
    let new: Data
    let duration: Double

    init(_ change: Change, rows: Int) throws {
      (template, self.change, name) = (try SampleFolder(), change, "shop.\(change.kind)")
      arguments = change.command.replacing("FILE", with: name).split(separator: " ").map(String.init)
      try template.makeStore(name, version: "Orders@v4", rows: rows)
      if change.isMerge { try Self.edit(name, in: template) }
      let lines = (1...rows).map { "{\"entity\": \"Order\", \"id\": \($0), \"number\": 8}\n" }
      try template.write(lines.joined(), to: "changes.jsonl")
      old = try Data(contentsOf: template.url.appendingPathComponent(name))
      let clean = try SampleFolder(copying: template)
      let start = Date()
      let result = try Modelctl.run(arguments, in: clean)
      duration = Date().timeIntervalSince(start)
      #expect(result.status == 0, "\(result.standardError)")
      new = try Data(contentsOf: clean.url.appendingPathComponent(name))
      #expect(new != old)
    }

    /// Makes the two sides of a merge.
    private static func edit(_ name: String, in workspace: SampleFolder) throws {
      for copy in ["base.json", "theirs.json"] {
        try FileManager.default.copyItem(
          at: workspace.url.appendingPathComponent(name), to: workspace.url.appendingPathComponent(copy))
      }
      let edits = [("theirs.json", "Order", "number=8"), (name, "Customer", "fullName=Anna")]
      for (store, entity, value) in edits {
        let result = try workspace.modelctl("update", store, entity, "--all", "--set", value)
        #expect(result.status == 0, "\(result.standardError)")
      }
    }

    /// Kills a run, looks at what is left, and lets another one finish; true when the first had replaced the file.
    func check(_ moment: String, _ environment: [String: String], _ kill: (Process) -> Void) throws -> Bool {
      let workspace = try SampleFolder(copying: template)
      let before = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path))
      try FileManager.default.createDirectory(
        at: workspace.url.appendingPathComponent("tmp"), withIntermediateDirectories: true)
      let process = try Modelctl.start(arguments, environment: environment, in: workspace, temporaryFolder: "tmp")
      kill(process)
      process.waitUntilExit()
      let file = workspace.url.appendingPathComponent(name)
      let backup = workspace.url.appendingPathComponent("\(name).v4.backup")
      let found = try Data(contentsOf: file)
      let isNew = found == new
      #expect(isNew || found == old, "\(moment): neither the old file nor the new one")
      let kept = try? Data(contentsOf: backup)
      let isKept = change.isMigration ? kept == old || kept == nil && !isNew : kept == nil
      #expect(isKept, "\(moment): the old file is not kept")
      let again = try Modelctl.run(arguments, in: workspace)
      #expect(again.status == 0, "\(moment): \(again.standardError)")
      #expect(try Data(contentsOf: file) == new, "\(moment)")
      let left = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path)).subtracting(before)
      #expect(
        left.allSatisfy { $0 == "tmp" || $0.hasPrefix("\(name).v4.backup") } || isNew || change.isMerge,
        "\(moment): \(left)")
      return isNew
    }
  }

  @Test(
    "kill -9 at a random moment",
    arguments: KillMoments.isFull
      ? migrations + saves : CorpusSample.of(migrations, atMost: 1) + CorpusSample.of(saves, atMost: 1))
  func randomMoments(_ change: Change) throws {
    let rows = change.isMigration ? 400 : 100
    let subject = try Subject(change, rows: KillMoments.isFull ? 400 : rows)
    try KillMoments.random(change.testDescription, duration: subject.duration, seed: 3, subject.check)
  }

  @Test(
    "kill -9 at each operation on a file",
    .enabled(if: KillMoments.library != nil, "scripts/torture builds the library that does it"),
    arguments: migrations + saves)
  func everyOperation(_ change: Change) throws {
    let subject = try Subject(change, rows: 5)
    let counter = subject.template.folder.path("count")
    let found = try KillMoments.everyOperation(change.testDescription, counter: counter, subject.check)
    #expect(found.operations > 20 && found.done < found.operations)
    // The renaming is the last operation of git's driver.
    #expect(found.done > 0 || change.isMerge)
  }
}
