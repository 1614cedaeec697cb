import ModelKit
import TestSupport
import Testing

@Suite("Text that stays text on a terminal and in a log")
struct PrintableTextTests {
  @Test(
    "Control characters, bidirectional text and commands of GitHub's runner are escaped; other text is unchanged",
    arguments: [
      ("plain, “Größe” 日本語\t1\n", "plain, “Größe” 日本語\t1\n"), ("a:b::c [x] ##", "a:b::c [x] ##"),
      ("\u{1B}[31mred\r\u{7F}", "\\u{1B}[31mred\\u{D}\\u{7F}"), ("a\u{9B}b\u{85}c", "a\\u{9B}b\\u{85}c"),
      ("a\u{202E}b\u{2028}c\u{2066}", "a\\u{202E}b\\u{2028}c\\u{2066}"), ("::error::x", ":\\u{3A}error::x"),
      ("a\u{E0041}\u{E0042}", "a\\u{E0041}\\u{E0042}"),
      (
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}\u{1F3F4}a\u{E0062}",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}\u{1F3F4}a\\u{E0062}"
      ),
      ("a\n  ::stop-commands::x\n", "a\n  :\\u{3A}stop-commands::x\n"), ("x ##[add-mask]y", "x ##\\u{5B}add-mask]y"),
    ])
  func escaped(text: String, printed: String) {
    #expect(PrintableText.escaped(text) == printed)
  }

  @Test("A finding has its own lines with any names of properties")
  func finding() {
    let finding = Finding(
      rule: "case-clash", severity: .error, element: .property(entity: "A", name: "x\n::stop-commands::y"),
      location: SourceLocation(file: "a/contents", line: 1, column: 2), message: "x\n::stop-commands::y is taken")
    let report = FindingReport([finding], sourceLines: [SourceLocation(file: "a/contents", line: 1, column: 2): "::z"])
    #expect(
      PrintableText.escaped(report.text) == """
        a/contents:1:2: error: x\\u{A}:\\u{3A}stop-commands::y is taken [case-clash]
            :\\u{3A}z

        """)
  }

  @Test("A table counts the columns that characters take, and a tab in a cell is written out")
  func table() throws {
    let folder = try SampleFolder()
    try folder.makeStore(rows: 1)
    func shown(name: String) throws -> String {
      let update = try folder.modelctl(
        "update", "shop.sqlite", "Customer", "--all", "--set", "name=\(name)", "--set", "email=x")
      #expect(update.status == 0, "\(update)")
      return try folder.modelctl("query", "shop.sqlite", "Customer", "--columns", "name,email").standardOutput
    }
    #expect(
      try shown(name: "日本\t語") == """
        key  name         email
        ---  -----------  -----
          1  日本\\u{9}語  x
        1 object of Customer

        """)
    let emoji = try shown(name: "e\u{301}😀❤\u{FE0F}\u{200B}")
    #expect(emoji.split(separator: "\n")[1] == "---  -----  -----", "\(emoji)")
    let long = try shown(name: String(repeating: "日", count: 60))
    let cut = String(repeating: "日", count: 33) + "…   x"
    #expect(long.split(separator: "\n")[2].hasSuffix("  \(cut)"), "\(long)")
  }

  @Test("A comma and a quote in a cell count also before a combining mark")
  func commaSeparated() throws {
    let folder = try SampleFolder()
    try folder.makeStore(rows: 1)
    let name = "a,\u{301}\"\u{301}b"
    let update = try folder.modelctl("update", "shop.sqlite", "Customer", "--all", "--set", "name=\(name)")
    #expect(update.status == 0, "\(update)")
    let query = try folder.modelctl("query", "shop.sqlite", "Customer", "--columns", "name", "--format", "csv")
    let text = "entity,key,name\r\nCustomer,1,\"a,\u{301}\"\"\u{301}b\"\r\n"
    #expect(Array(query.standardOutput.utf8) == Array(text.utf8))
  }
}
