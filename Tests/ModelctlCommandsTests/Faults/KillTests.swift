import Foundation
import TestSupport
import Testing

/// `MODELCTL_TORTURE=1` kills a thousand times; `MODELCTL_KILL_LIBRARY` names what `scripts/torture` builds, with which
/// the program is killed at each of its operations on files.
@Suite("A killed command leaves the old store or the new store, complete", .serialized)
struct KillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isFull = environment["MODELCTL_TORTURE"] != nil

  @Test("kill -9 at a random moment", arguments: ["--copy", "--in-place"])
  func randomMoments(_ strategy: String) throws {
    let subject = try KillSubject(rows: Self.isFull ? 40_000 : 4_000, "migrate shop.sqlite \(strategy)")
    var generator = SeededGenerator(seed: 9)
    var tally = KillTally()
    for _ in 0..<(Self.isFull ? 300 : 4) {
      let share = Double.random(in: 0...1.05, using: &generator)
      let run = try subject.copy()
      let process = try run.start()
      usleep(UInt32(subject.duration * share * 1e6))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try tally.count(run, of: subject, at: "\(share) of \(subject.duration) s")
    }
    print("kill -9, \(strategy), random: \(tally)")
    #expect(tally.partStates == [])
  }

  @Test(
    "A save that is killed at a random moment is there or is not", .enabled(if: isFull, "scripts/torture runs it"),
    arguments: [
      "update shop.sqlite Order --all --set number=8", "delete shop.sqlite Order --all",
      "load changes.jsonl --output shop.sqlite --version Orders@v1 --upsert",
    ])
  func saves(_ command: String) throws {
    let subject = try KillSubject(rows: Self.isFull ? 10_000 : 1_000, command)
    var generator = SeededGenerator(seed: 4)
    var tally = KillTally()
    for _ in 0..<(Self.isFull ? 150 : 4) {
      let share = Double.random(in: 0.2...1.05, using: &generator)
      let run = try subject.copy()
      let process = try run.start()
      usleep(UInt32(subject.duration * share * 1e6))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try tally.count(run, of: subject, at: "\(share) of \(subject.duration) s")
    }
    print("kill -9, \(command), random: \(tally)")
    #expect(tally.partStates == [])
  }

  @Test("Ctrl-C at a random moment", arguments: ["--copy", "--in-place"])
  func interrupts(_ strategy: String) throws {
    let subject = try KillSubject(rows: Self.isFull ? 40_000 : 4_000, "migrate shop.sqlite \(strategy)")
    var generator = SeededGenerator(seed: 2)
    var tally = KillTally()
    for _ in 0..<(Self.isFull ? 100 : 2) {
      let share = Double.random(in: 0.05...0.95, using: &generator)
      let run = try subject.copy()
      let before = try run.workspace.contents()
      let process = try run.start()
      usleep(UInt32(subject.duration * share * 1e6))
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      if process.terminationReason == .exit {
        // The swap is finished once it has begun.
        #expect([0, 130].contains(process.terminationStatus))
        if process.terminationStatus == 130 { #expect(try run.workspace.contents() == before) }
      } else {
        // The program had not come so far as to listen.
        #expect(try run.workspace.contents() == before)
      }
      try tally.count(run, of: subject, at: "\(share) of \(subject.duration) s")
    }
    print("Ctrl-C, \(strategy), random: \(tally)")
    #expect(tally.partStates == [])
  }

  @Test(
    "kill -9 at each operation on a file",
    .enabled(if: environment["MODELCTL_KILL_LIBRARY"] != nil, "scripts/torture builds the library that does it"),
    arguments: [
      "migrate shop.sqlite --copy", "migrate shop.sqlite --in-place", "migrate shop.sqlite --copy --no-backup",
      "migrate shop.sqlite --in-place --backup", "update shop.sqlite Order --all --set number=8",
      "delete shop.sqlite Order --all", "load changes.jsonl --output shop.sqlite --version Orders@v1 --upsert",
    ])
  func everyOperation(_ command: String) throws {
    let library = try #require(Self.environment["MODELCTL_KILL_LIBRARY"])
    let subject = try KillSubject(rows: 50, command)
    let clean = try subject.copy()
    let counter = clean.workspace.folder.path("count")
    try clean.start(["LD_PRELOAD": library, "MODELCTL_KILL_COUNT": counter]).waitUntilExit()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: counter)), as: UTF8.self)
    let operations = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(operations > 20)
    var tally = KillTally()
    for operation in 1...operations {
      let run = try subject.copy()
      let process = try run.start(["LD_PRELOAD": library, "MODELCTL_KILL_AT": "\(operation)"])
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal, "operation \(operation) of \(operations)")
      try tally.count(run, of: subject, at: "operation \(operation) of \(operations)")
    }
    print("kill -9, \(command), every operation: \(tally)")
    #expect(tally.partStates == [])
  }
}
