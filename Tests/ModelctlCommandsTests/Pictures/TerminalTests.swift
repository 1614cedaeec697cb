import Foundation
import TestSupport
import Testing

@Suite("Text follows the terminal and the environment", .serialized)
struct TerminalTests {
  private let longest = { (text: String) in
    Colors.removed(from: text).split(separator: "\n").map(\.count).max() ?? 0
  }

  /// Two models whose difference has a long sentence, as `old` and `new`.
  private func comparedModels() throws -> SampleFolder {
    let workspace = try SampleFolder()
    let note = "<attribute name='note' attributeType='Date'/>"
    for (name, type, more) in [("old", "String", ""), ("new", "Date", note)] {
      let kind = "<attribute name='kind' optional='YES' attributeType='\(type)'/>"
      try workspace.write("<model><entity name='Row'>\(kind)\(more)</entity></model>", to: name)
    }
    return workspace
  }

  @Test(
    "Sentences are broken at the terminal's width, within bounds",
    arguments: [(50, nil, 50), (100, nil, 100), (30, nil, 40), (300, nil, 120), (100, "60", 60), (100, "x", 100)]
      as [(UInt16, String?, Int)])
  func width(_ columns: UInt16, _ asked: String?, _ limit: Int) throws {
    let workspace = try comparedModels()
    var environment = ["TERM": "xterm"]
    if let asked { environment["COLUMNS"] = asked }
    let result = try PseudoTerminal.run(
      ["diff", "old", "new"], columns: columns, environment: environment, in: workspace)
    #expect(result.status == 0)
    // The next word of the longest line would not have fitted; words of this text have at most 16 letters.
    #expect(longest(result.text) <= limit && longest(result.text) > limit - 17)
    #expect(result.text.contains("\u{1B}[32m"))
  }

  @Test("Output to a pipe or a file has 80 columns, for any value of COLUMNS")
  func noTerminal() throws {
    let workspace = try comparedModels()
    let texts = try ["40", "200"].map { columns in
      try Modelctl.shell(
        "modelctl diff old new", environment: ["COLUMNS": columns], in: workspace
      ).standardOutput
    }
    #expect(texts[0] == texts[1])
    #expect((70...80).contains(longest(texts[0])))
    let onTerminal = try PseudoTerminal.run(
      ["diff", "old", "new", "--format", "text=diff.txt"], columns: 50, environment: ["TERM": "xterm"],
      in: workspace)
    #expect(onTerminal.status == 0)
    let file = String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("diff.txt")), as: UTF8.self)
    #expect(file == texts[0])
  }

  @Test("A table is cut at the terminal's width, or becomes a list if there is no room; JSON and CSV are complete")
  func tables() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1", rows: 1)
    try workspace.makeStore(version: "Orders@v6", rows: 1)
    let long = "A text that is longer than any terminal of forty columns is wide"
    for (store, entity, property) in [("todo.sqlite", "Todo", "title"), ("shop.sqlite", "Payment", "reference")] {
      let change = try workspace.modelctl("update", store, entity, "--all", "--set", "\(property)=\(long)")
      #expect(change.status == 0, "\(change.standardError)")
    }
    func shown(_ arguments: String...) throws -> String {
      try PseudoTerminal.run(["query"] + arguments, columns: 40, environment: ["TERM": "xterm"], in: workspace).text
    }
    #expect(
      try shown("todo.sqlite", "Todo") == """
        key  createdAt     isDone  title
        ---  ------------  ------  ------------
          1  2020-01-08T…  false   A text that…
        1 object of Todo

        """)
    #expect(
      try shown("todo.sqlite", "Todo", "--group", "title") == """
        title                              count
        ---------------------------------  -----
        A text that is longer than any t…      1
        1 group of Todo

        """)
    #expect(
      try shown("shop.sqlite", "Payment") == """
        key: 1
        amount: 78806
        date: 2020-01-12T11:00:25.500Z
        method: method 8cml
        order: Order 1
        reference: A text that is longer than a…

        1 object of Payment

        """)
    for format in ["json", "jsonl", "csv"] {
      #expect(try shown("todo.sqlite", "Todo", "--format", format).contains(long), "\(format)")
    }
  }

  @Test("Plain text is never broken")
  func plain() throws {
    let workspace = try comparedModels()
    let wide = try workspace.modelctl("diff", "old", "new", "--plain").standardOutput
    let narrow = try PseudoTerminal.run(
      ["diff", "old", "new", "--plain"], columns: 40, environment: ["TERM": "xterm"], in: workspace)
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

  @Test("Work whose end cannot be known shows on a terminal how long it takes")
  func elapsed() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 7_000)
    let result = try PseudoTerminal.run(
      ["convert", "shop.sqlite", "shop.json"], columns: 80, environment: ["TERM": "xterm"], in: workspace)
    #expect(result.text.contains("\r\u{1B}[Kshop.sqlite: converting, 1"), "\(result.text)")
    #expect(result.text.contains("\r\u{1B}[Kshop.json: JSON store made"), "\(result.text)")
  }

  @Test("A PNG on a terminal is refused, and written to a file or a pipe where Graphviz is installed")
  func png() throws {
    let workspace = try SampleFolder()
    let result = try PseudoTerminal.run(
      ["diagram", "Todo@v1", "--format", "png"], columns: 80, environment: ["TERM": "xterm"], in: workspace)
    #expect(result.status == 2)
    #expect(
      Colors.removed(from: result.text) == "error: a terminal cannot show a PNG\n  Name a file: --format png=FILE\n")
  }
}
