import Foundation
import TestSupport
import Testing

@Suite("Colour only on a terminal", .serialized)
struct ColorTests {
  /// Commands whose text has colours, after the stores `old` (Orders v1), `broken` (dangling links) and a draft are made,
  /// with the colours that must be among them.
  static let commands: [(command: String, colors: Set<String>)] = [
    ("diff Orders@v1 Orders@v4", ["1", "32", "33"]),
    ("diff Orders@v4 Orders@v1", ["31"]),
    ("status old.sqlite", ["1", "33"]),
    ("status new.sqlite", ["32"]),
    ("plan old.sqlite --to v4", ["2"]),
    ("verify old.sqlite broken.sqlite", ["32", "1;31"]),
    ("migrate old.sqlite --dry-run", ["32"]),
    ("matrix --model Models/Orders.xcdatamodeld --downgrades", ["1", "32", "36"]),
    ("rehearse --model Models/Todo.xcdatamodeld --rows 2", ["32"]),
    ("show Orders@v6", ["1"]),
    ("edit add attribute Todo.note --type String --in Todo@v2 --allow-released --dry-run", ["1", "32", "36"]),
    ("check Broken", ["1;31", "2", "32"]),
    ("status gone.sqlite", ["1;31"]),
    ("init --github --dry-run", ["32", "33"]),
  ]

  private static let prepared = Result {
    let workspace = try SampleFolder()
    try workspace.makeStore("old.sqlite")
    try workspace.makeStore("broken.sqlite")
    try workspace.makeStore("new.sqlite", version: "Orders@v6")
    try Damage.dangle(workspace.url.appendingPathComponent("broken.sqlite").path)
    try workspace.write(
      "<model><entity name=\"A\"><relationship name=\"b\" destinationEntity=\"Gone\"/></entity></model>",
      to: "Broken/Broken.xcdatamodel/contents")
    return workspace
  }

  private func workspace() throws -> SampleFolder { try SampleFolder(copying: Self.prepared.get()) }

  private func run(_ line: String, _ environment: [String: String] = [:], in workspace: SampleFolder) throws -> String {
    let result = try Modelctl.shell("modelctl \(line) 2>&1", environment: environment, in: workspace)
    return result.standardOutput
  }

  @Test("Without its colours the text is the same, word for word", arguments: commands)
  func sameText(_ line: String, _ colors: Set<String>) throws {
    let workspace = try workspace()
    let plain = try run(line, in: workspace)
    let colored = try run("\(line) --color always", in: workspace)
    #expect(!plain.contains("\u{1B}"))
    #expect(Colors.removed(from: colored) == plain)
    #expect(colors.isSubset(of: Colors.used(in: colored)), "\(Colors.used(in: colored)): \(colored)")
    // Blue and the bright colours cannot be read on every ground.
    #expect(Colors.used(in: colored).isSubset(of: ["1", "2", "1;31", "31", "32", "33", "36"]))
  }

  @Test("JSON, files and the forms of services have no colour")
  func programs() throws {
    let workspace = try workspace()
    for line in [
      "diff Orders@v1 Orders@v4 --format json", "check Broken --format github", "check Broken --format markdown",
      "diff Orders@v1 Orders@v4 --format text=diff.txt && cat diff.txt", "diagram Orders@v1", "hash Orders@v1",
      "generate swift Orders@v1",
    ] {
      let text = try run(line, ["CLICOLOR_FORCE": "1"], in: workspace)
      #expect(text.replacing(/\u{1B}\[1;31merror:\u{1B}\[m/, with: "error:").contains("\u{1B}") == false, "\(line)")
    }
  }

  @Test(
    "The option decides, then NO_COLOR, then CLICOLOR_FORCE and CLICOLOR, then the terminal",
    arguments: [
      ([], ["TERM": "xterm"], true), ([], ["TERM": "dumb"], false), ([], [:], false),
      ([], ["TERM": "xterm", "NO_COLOR": "1"], false), ([], ["TERM": "xterm", "NO_COLOR": ""], true),
      ([], ["TERM": "xterm", "CLICOLOR": "0"], false), ([], ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
      ([], ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
      (["--color", "always"], ["TERM": "dumb", "NO_COLOR": "1"], true),
      (["--color", "never"], ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
      (["--color", "auto"], ["TERM": "xterm"], true),
    ] as [([String], [String: String], Bool)])
  func choice(_ arguments: [String], _ environment: [String: String], _ isColored: Bool) throws {
    let workspace = try SampleFolder()
    for command in [["diff", "Orders@v1", "Orders@v4"], ["status", "gone.sqlite"]] {
      let result = try PseudoTerminal.run(
        command + arguments, columns: 80, environment: environment, in: workspace)
      #expect(result.text.contains("\u{1B}") == isColored, "\(command) \(result.text)")
    }
  }

  @Test("A pipe has colours only on request")
  func pipe() throws {
    let workspace = try SampleFolder()
    let line = "diff Orders@v1 Orders@v4"
    #expect(try !run(line, ["TERM": "xterm"], in: workspace).contains("\u{1B}"))
    #expect(try run(line, ["CLICOLOR_FORCE": "1"], in: workspace).contains("\u{1B}"))
    #expect(try !run(line, ["CLICOLOR_FORCE": "0"], in: workspace).contains("\u{1B}"))
  }

  @Test("Colours take no room: sentences are broken where they are without them", arguments: [40, 80] as [UInt16])
  func width(_ columns: UInt16) throws {
    let workspace = try SampleFolder()
    let texts = try ["always", "never"].map { choice in
      try PseudoTerminal.run(
        ["diff", "Orders@v1", "Orders@v6", "--color", choice], columns: columns, environment: ["TERM": "xterm"],
        in: workspace
      ).text
    }
    #expect(Colors.removed(from: texts[0]) == texts[1])
    #expect(texts[0] != texts[1])
  }

  @Test("Names with escape sequences are printed as text")
  func hostile() throws {
    let workspace = try SampleFolder()
    let name = "A&#x9b;31m"
    try workspace.write("<model><entity name=\"B\"/></model>", to: "old")
    try workspace.write("<model><entity name=\"\(name)\"/></model>", to: "new")
    let text = try run("diff old new --color always", in: workspace)
    #expect(!Colors.removed(from: text).unicodeScalars.contains { $0 == "\u{9B}" || $0 == "\u{1B}" })
    #expect(text.contains("A\\u{9B}31m"))
  }

  @Test("Every command that prints takes the option")
  func everyCommand() throws {
    let workspace = try SampleFolder()
    let groups: Set<[String]> = [[], ["mapping"], ["generate"], ["edit"], ["edit", "add"], ["cloudkit"]]
    for path in try HelpTests.commandPaths.get() where !groups.contains(path) {
      let help = try Modelctl.run(path + ["--help"], in: workspace).standardOutput
      #expect(help.contains("\n  --color <when>"), "\(path)")
    }
  }
}
