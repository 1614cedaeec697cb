import Foundation
import Testing

@Suite("Text follows the terminal and what the environment asks", .serialized)
struct TerminalTests {
  private let longest = { (text: String) in
    Colors.removed(from: text).split(separator: "\n").map(\.count).max() ?? 0
  }

  @Test(
    "Sentences are broken at the terminal's width, within bounds",
    arguments: [(50, nil, 50), (100, nil, 100), (30, nil, 40), (300, nil, 120), (100, "60", 60), (100, "x", 100)]
      as [(UInt16, String?, Int)])
  func width(_ columns: UInt16, _ asked: String?, _ limit: Int) throws {
    let workspace = try SampleFolder()
    var environment = ["TERM": "xterm"]
    if let asked { environment["COLUMNS"] = asked }
    let result = try PseudoTerminal.run(
      ["diff", "Orders@v1", "Orders@v6"], columns: columns, environment: environment, in: workspace)
    #expect(result.status == 0)
    // The next word of the longest line would not have fitted; words of this text have at most 16 letters.
    #expect(longest(result.text) <= limit && longest(result.text) > limit - 17)
    #expect(result.text.contains("\u{1B}[32m"))
  }

  @Test("What is no terminal has 80 columns, whatever COLUMNS says, and a file too")
  func noTerminal() throws {
    let workspace = try SampleFolder()
    let texts = try ["40", "200"].map { columns in
      try Modelctl.shell(
        "modelctl diff Orders@v1 Orders@v6", environment: ["COLUMNS": columns], in: workspace
      ).standardOutput
    }
    #expect(texts[0] == texts[1])
    #expect((70...80).contains(longest(texts[0])))
    let onTerminal = try PseudoTerminal.run(
      ["diff", "Orders@v1", "Orders@v6", "--format", "text=diff.txt"], columns: 50, environment: ["TERM": "xterm"],
      in: workspace)
    #expect(onTerminal.status == 0)
    let file = String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("diff.txt")), as: UTF8.self)
    #expect(file == texts[0])
  }

  @Test("Plain text is never broken")
  func plain() throws {
    let workspace = try SampleFolder()
    let wide = try workspace.modelctl("diff", "Orders@v1", "Orders@v6", "--plain").standardOutput
    let narrow = try PseudoTerminal.run(
      ["diff", "Orders@v1", "Orders@v6", "--plain"], columns: 40, environment: ["TERM": "xterm"], in: workspace)
    #expect(narrow.text == wide)
    #expect(longest(wide) > 80)
  }

  @Test(
    "Progress is drawn again on a terminal only, and not on one that is dumb or wants no colour",
    arguments: [
      (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "dumb"], false),
      (["TERM": "xterm", "NO_COLOR": "1"], false), ([:], false),
    ] as [([String: String], Bool)])
  func progress(_ environment: [String: String], _ isDrawn: Bool) throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(24, of: ["Orders@v1"])
    let result = try PseudoTerminal.run(
      ["migrate", "Stores", "--jobs", "1", "--model", "Models"], columns: 80, environment: environment, in: workspace)
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("\u{1B}[K") == isDrawn)
    #expect(isDrawn || !result.text.contains("\u{1B}"))
  }

  @Test("A PNG on a terminal is refused, and written to a file or a pipe where Graphviz is installed")
  func png() throws {
    let workspace = try SampleFolder()
    let result = try PseudoTerminal.run(
      ["diagram", "Todo@v1", "--format", "png"], columns: 80, environment: ["TERM": "xterm"], in: workspace)
    #expect(result.status == 2)
    #expect(
      Colors.removed(from: result.text) == "error: a terminal shows no PNG; name a file with --format png=FILE\n")
  }
}
