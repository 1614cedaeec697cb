import Foundation
import TestSupport
import Testing

@Suite("modelctl dump")
struct DumpTests {
  let workspace: SampleFolder

  init() throws {
    workspace = try SampleFolder()
    try workspace.makeStore()
  }

  @Test("A reader that closes the pipe ends the dump without a message")
  func closedPipe() throws {
    let made = try workspace.modelctl("create", "large.sqlite", "--version", "Orders@v1", "--rows", "3000")
    #expect(made.status == 0)
    for trap in ["trap '' PIPE", "trap - PIPE"] {
      let shell = "\(trap); modelctl dump large.sqlite --format jsonl | head -n 1 > first.jsonl"
      let run = try Modelctl.shell(shell, in: workspace)
      #expect(run.standardError == "", "\(trap)")
      #expect(try workspace.contents()["first.jsonl"]?.count ?? 0 > 20)
    }
  }

  @Test("The store is as it was, and formats follow the extension")
  func formats() throws {
    let before = try workspace.contents()["shop.sqlite"]
    let names = [("a.json", "{\"format\": 1, "), ("a.ndjson", "{\"entity\": "), ("a.other", "{\"format\"")]
    for (name, beginning) in names {
      let run = try workspace.modelctl("dump", "shop.sqlite", "--output", name)
      #expect(run.status == 0 && run.standardError == "" && run.standardOutput.hasPrefix("\(name): "), "\(run)")
      let content = try workspace.contents()[name]
      #expect(content.map { String(decoding: $0, as: UTF8.self).hasPrefix(beginning) } == true, "\(name)")
    }
    #expect(try workspace.contents()["shop.sqlite"] == before)
    let run = try workspace.modelctl("dump", "shop.sqlite", "--entity", "Order", "--format", "jsonl")
    #expect(run.status == 0 && run.standardError.contains("modelctl extract"), "\(run.standardError)")
  }
}
