import Foundation
import TestSupport
import Testing

@Suite("A migration of a store of another kind that is killed leaves the old file or the new one", .serialized)
struct KilledDocumentTests {
  /// A store, and what becomes of it.
  private struct Subject {
    let template: SampleFolder
    let name: String
    let old: Data
    let new: Data
    let duration: Double

    init(_ kind: String, rows: Int) throws {
      (template, name) = (try SampleFolder(), "shop.\(kind)")
      try template.makeStore(name, version: "Orders@v4", rows: rows)
      old = try Data(contentsOf: template.url.appendingPathComponent(name))
      let clean = try SampleFolder(copying: template)
      let start = Date()
      let result = try clean.modelctl("migrate", name)
      duration = Date().timeIntervalSince(start)
      #expect(result.status == 0, "\(result.standardError)")
      new = try Data(contentsOf: clean.url.appendingPathComponent(name))
      #expect(new != old)
    }

    /// Kills a run, looks at what is left, and lets another one finish; true when the first had replaced the file.
    func check(_ moment: String, _ environment: [String: String], _ kill: (Process) -> Void) throws -> Bool {
      let workspace = try SampleFolder(copying: template)
      let before = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path))
      try FileManager.default.createDirectory(
        at: workspace.url.appendingPathComponent("tmp"), withIntermediateDirectories: true)
      let process = try Modelctl.start(
        ["migrate", name], environment: environment, in: workspace, temporaryFolder: "tmp")
      kill(process)
      process.waitUntilExit()
      let file = workspace.url.appendingPathComponent(name)
      let backup = workspace.url.appendingPathComponent("\(name).v4.backup")
      let found = try Data(contentsOf: file)
      let isNew = found == new
      #expect(isNew || found == old, "\(moment): neither the old file nor the new one")
      let kept = try? Data(contentsOf: backup)
      #expect(kept == old || kept == nil && !isNew, "\(moment): the old file is not kept")
      let again = try workspace.modelctl("migrate", name)
      #expect(again.status == 0, "\(moment): \(again.standardError)")
      #expect(try Data(contentsOf: file) == new, "\(moment)")
      let left = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path)).subtracting(before)
      #expect(left.allSatisfy { $0 == "tmp" || $0.hasPrefix("\(name).v4.backup") } || isNew, "\(moment): \(left)")
      return isNew
    }
  }

  @Test("kill -9 at a random moment", arguments: OtherKindTests.kinds)
  func randomMoments(_ kind: String) throws {
    let subject = try Subject(kind, rows: KillMoments.isFull ? 4_000 : 400)
    try KillMoments.random(kind, duration: subject.duration, seed: 3, subject.check)
  }

  @Test(
    "kill -9 at each operation on a file",
    .enabled(if: KillMoments.library != nil, "scripts/torture builds the library that does it"),
    arguments: OtherKindTests.kinds)
  func everyOperation(_ kind: String) throws {
    let subject = try Subject(kind, rows: 5)
    let counter = subject.template.folder.path("count")
    let found = try KillMoments.everyOperation(kind, counter: counter, subject.check)
    #expect(found.operations > 20 && found.done > 0 && found.done < found.operations)
  }
}
