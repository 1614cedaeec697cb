import Foundation
import TestSupport
import Testing

@Suite("A suggested command is on one line, on any terminal")
struct WrappedCommandTests {
  /// Versions whose steps lose data, need decisions and have no way.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    for (version, attributes) in [
      ("v1", ["kind": "String", "at": "Date", "some rather long": "String", "note": "String"]),
      ("v2", ["kind": "String", "at": "String"]),
    ] {
      let lines = attributes.sorted { $0.key < $1.key }.map {
        "<attribute name=\"\($0.key.replacing(" ", with: "_"))\" optional=\"YES\" attributeType=\"\($0.value)\"/>"
      }
      try workspace.write(
        "<model><entity name=\"Tag\">\(lines.joined())</entity></model>",
        to: "My Models/Tags of it.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.makeStore("a  store.sqlite", version: "Orders@v5", rows: 4)
    return workspace
  }

  /// The options behind a colon, each with what follows up to the end of the line.
  private func options(in text: String) -> [Substring] {
    text.matches(of: /(?m)(?:: |^[- ]*)(--[a-z]+-[^;,\n]*)$/).map(\.output.1)
  }

  @Test(
    "Commands and options are the same at 40 columns as at 120",
    arguments: [
      ["rehearse", "--model", "My Models", "--to", "v2", "--rows", "3"],
      ["plan", "a  store.sqlite", "--to", "Orders@v3"], ["plan", "a  store.sqlite", "--to", "Orders@v1"],
      ["migrate", "a  store.sqlite", "--to", "Orders@v3", "--dry-run"], ["status", "a  store.sqlite"],
      ["diff", "My Models/Tags of it.xcdatamodeld/v1.xcdatamodel", "My Models/Tags of it.xcdatamodeld/v2.xcdatamodel"],
      ["check", "My Models"], ["matrix", "My Models", "--downgrades"],
    ])
  func same(_ arguments: [String]) throws {
    let texts = try [40, 120].map { columns in
      Colors.removed(
        from: try PseudoTerminal.run(
          arguments, columns: UInt16(columns), environment: ["TERM": "xterm"], in: SampleFolder(copying: workspace())
        ).text)
    }
    let commands = texts.map { AdvisedCommand.all(in: $0.replacing(/(?m)^--/, with: "")) }
    #expect(commands[0] == commands[1], "\(texts[0])")
    #expect(options(in: texts[0]) == options(in: texts[1]), "\(texts[0])")
    print("\(arguments[0]): \(commands[1].count) commands, \(options(in: texts[1]).count) options")
  }

  @Test("A text that does not fit begins a new line")
  func ownLine() throws {
    let workspace = try workspace()
    let rehearsed = try PseudoTerminal.run(
      ["rehearse", "--model", "My Models", "--to", "v2", "--rows", "3"], columns: 40, environment: ["TERM": "xterm"],
      in: workspace)
    #expect(
      Colors.removed(from: rehearsed.text).contains("\n      modelctl mapping new --help\n"), "\(rehearsed.text)")
    let planned = try PseudoTerminal.run(
      ["plan", "a  store.sqlite", "--to", "Orders@v3"], columns: 40, environment: ["TERM": "xterm"], in: workspace)
    #expect(
      Colors.removed(from: planned.text).contains(/\n--   --allow-data-loss \S+ --allow-data-loss \S+\n/),
      "\(planned.text)")
  }
}
