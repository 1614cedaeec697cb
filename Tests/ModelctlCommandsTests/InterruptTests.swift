import Foundation
import TestSupport
import Testing

@Suite("Ctrl-C leaves everything as it was", .serialized)
struct InterruptTests {
  @Test("In the middle of a migration", arguments: ["--copy", "--in-place"])
  func migration(_ strategy: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 30_000)
    let before = try workspace.contents()
    let process = try Modelctl.start(["migrate", "shop.sqlite", strategy], in: workspace)
    waitForNewFile(in: workspace, besides: before.count, while: process)
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(process.terminationReason == .exit)
    #expect(try workspace.contents() == before)
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("In the middle of making a store")
  func creation() throws {
    let workspace = try SampleFolder()
    let before = try workspace.contents()
    let process = try Modelctl.start(
      ["create", "shop.sqlite", "--version", "Orders@v1", "--rows", "500000"], in: workspace)
    waitForNewFile(in: workspace, besides: before.count, while: process)
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try workspace.contents() == before)
  }

  @Test("During a rehearsal, which reports its results so far")
  func rehearsal() throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "Temporary/.keep")
    let before = try workspace.contents()
    let process = try Modelctl.start(
      ["rehearse", "--model", "Models/Orders.xcdatamodeld", "--rows", "8000", "--format", "json=known.json"],
      in: workspace, temporaryFolder: "Temporary")
    waitForNewFile(in: workspace, besides: before.count, while: process)
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let known = workspace.url.appendingPathComponent("known.json")
    #expect(try String(contentsOf: known, encoding: .utf8).contains("\"isInterrupted\" : true"))
    try FileManager.default.removeItem(at: known)
    #expect(try workspace.contents() == before)
  }

  @Test("In the middle of a load, a dump, a conversion, an extract and an anonymous copy")
  func outputs() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 10_000)
    #expect(try workspace.modelctl("dump", "shop.sqlite", "--output", "shop.jsonl").status == 0)
    #expect(try workspace.modelctl("convert", "shop.sqlite", "shop.json").status == 0)
    try workspace.write("", to: "Temporary/.keep")
    let before = try workspace.contents()
    let commands = [
      "load shop.jsonl --version Orders@v1 --output new.sqlite",
      "load shop.jsonl --version Orders@v1 --output new.json",
      "dump shop.sqlite --output new.jsonl", "dump shop.sqlite --format csv --output new",
      "dump shop.sqlite --format postgresql --output new.sql",
      "convert shop.sqlite new.sqlite", "convert shop.json new.sqlite", "convert shop.json new.xml",
      "extract shop.sqlite --entity Order --output new.sqlite",
      "extract shop.sqlite --entity Order --output new.binary",
      "anonymize shop.sqlite --output new.sqlite", "anonymize shop.sqlite --output new.xml",
    ]
    for command in CorpusSample.of(commands, atMost: 6) {
      let arguments = command.split(separator: " ").map(String.init)
      let process = try Modelctl.start(arguments, in: workspace, temporaryFolder: "Temporary")
      // Between two stores that are files as a whole, nothing is written before the end.
      if command == "convert shop.json new.xml" {
        try waitUntilRead("shop.json", in: workspace, by: process)
      } else {
        waitForNewFile(in: workspace, besides: before.count, while: process)
      }
      #expect(kill(process.processIdentifier, SIGINT) == 0, "\(command)")
      process.waitUntilExit()
      #expect(process.terminationStatus == 130 && process.terminationReason == .exit, "\(command)")
      #expect(try workspace.contents() == before, "\(command)")
    }
  }

  /// Waits until a process has read as many bytes as a file has, so that its work has begun.
  private func waitUntilRead(_ name: String, in workspace: SampleFolder, by process: Process) throws {
    let size = try Data(contentsOf: workspace.url.appendingPathComponent(name)).count
    while process.isRunning {
      let counts = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/io", encoding: .utf8)
      let read = counts?.firstMatch(of: /rchar: (\d+)/).flatMap { Int($0.1) } ?? 0
      if read >= size { return }
      usleep(1000)
    }
  }

  /// A copy, a journal or a log next to the store shows that the work has begun.
  private func waitForNewFile(in workspace: SampleFolder, besides count: Int, while process: Process) {
    while process.isRunning {
      let names = FileManager.default.enumerator(atPath: workspace.url.path)?.allObjects.count ?? 0
      if names > count { return }
      usleep(1000)
    }
  }
}
