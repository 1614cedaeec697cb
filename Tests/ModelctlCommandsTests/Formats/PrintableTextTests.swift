import ModelKit
import Testing

@Suite("Text that stays text on a terminal and in a log")
struct PrintableTextTests {
  @Test(
    "Control characters, turned writing and commands of GitHub's runner are written out; all else stays",
    arguments: [
      ("plain, “Größe” 日本語\t1\n", "plain, “Größe” 日本語\t1\n"), ("a:b::c [x] ##", "a:b::c [x] ##"),
      ("\u{1B}[31mred\r\u{7F}", "\\u{1B}[31mred\\u{D}\\u{7F}"), ("a\u{9B}b\u{85}c", "a\\u{9B}b\\u{85}c"),
      ("a\u{202E}b\u{2028}c\u{2066}", "a\\u{202E}b\\u{2028}c\\u{2066}"), ("::error::x", ":\\u{3A}error::x"),
      ("a\n  ::stop-commands::x\n", "a\n  :\\u{3A}stop-commands::x\n"), ("x ##[add-mask]y", "x ##\\u{5B}add-mask]y"),
    ])
  func escaped(text: String, printed: String) {
    #expect(PrintableText.escaped(text) == printed)
  }

  @Test("A finding stays on its lines, whatever a model calls its properties")
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
}
