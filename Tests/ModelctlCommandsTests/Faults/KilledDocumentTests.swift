import Foundation
import TestSupport
import Testing

/// `MODELCTL_TORTURE=1` kills more often; `MODELCTL_KILL_LIBRARY` names what `scripts/torture` builds, with which the program is
/// killed at each of its operations on files.
@Suite("A migration of a store of another kind that is killed leaves the old file or the new one", .serialized)
struct KilledDocumentTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isFull = environment["MODELCTL_TORTURE"] != nil

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
    func check(at moment: String, _ environment: [String: String] = [:], _ kill: (Process) -> Void) throws -> Bool {
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
    let subject = try Subject(kind, rows: Self.isFull ? 4_000 : 400)
    var generator = SeededGenerator(seed: 3)
    var replaced = 0
    for _ in 0..<(Self.isFull ? 100 : 2) {
      let share = Double.random(in: 0.2...1.05, using: &generator)
      let isNew = try subject.check(at: "\(share) of \(subject.duration) s") { process in
        usleep(UInt32(subject.duration * share * 1e6))
        kill(process.processIdentifier, SIGKILL)
      }
      replaced += isNew ? 1 : 0
    }
    print("kill -9, \(kind), random: replaced \(replaced)")
  }

  @Test(
    "kill -9 at each operation on a file",
    .enabled(if: environment["MODELCTL_KILL_LIBRARY"] != nil, "scripts/torture builds the library that does it"),
    arguments: OtherKindTests.kinds)
  func everyOperation(_ kind: String) throws {
    let library = try #require(Self.environment["MODELCTL_KILL_LIBRARY"])
    let subject = try Subject(kind, rows: 5)
    let counter = subject.template.folder.path("count")
    _ = try subject.check(at: "no moment", ["LD_PRELOAD": library, "MODELCTL_KILL_COUNT": counter]) { _ in }
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: counter)), as: UTF8.self)
    let operations = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(operations > 20)
    var replaced = 0
    for operation in 1...operations {
      let environment = ["LD_PRELOAD": library, "MODELCTL_KILL_AT": "\(operation)"]
      let isNew = try subject.check(at: "operation \(operation) of \(operations)", environment) { _ in }
      replaced += isNew ? 1 : 0
    }
    print("kill -9, \(kind), every operation: \(operations), replaced \(replaced)")
    #expect(replaced > 0 && replaced < operations)
  }
}
