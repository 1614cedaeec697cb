import Foundation
import TestSupport
import Testing

/// `scripts/check-words` on a small project, with a program that prints one help.
@Suite("Sentences that readers stumble over are found")
struct WordsTests {
  private let workspace: SampleFolder

  private static let plain = String(
    repeating: "If you edit a released version, modelctl reports an error. You see the file and the line. ", count: 12)

  init() throws {
    workspace = try SampleFolder(emptyNamed: "scripts")
    try FileManager.default.copyItem(
      at: Transcript.project.appendingPathComponent("scripts/check-words"),
      to: workspace.url.appendingPathComponent("scripts/check-words"))
    for name in ["README.md", "docs/page.md", "Sources/Kit.docc/Kit.md"] {
      try workspace.write("# A page\n\n\(Self.plain)\n", to: name)
    }
    try write(help: "Compare two versions.")
  }

  private func write(help: String) throws {
    let usage = "USAGE: modelctl\n\nOPTIONS:\n  -h, --help              Show help.\n"
    let text = "OVERVIEW: \(Self.plain)\n\n\(help)\n\n\(usage)"
    try workspace.write("#!/bin/sh\ncat <<'END'\n\(text)\nEND\n", to: "program")
    try workspace.shell("chmod +x program")
  }

  private func check() throws -> Modelctl.Result {
    try Modelctl.shell("scripts/check-words ./program", in: workspace)
  }

  @Test("Plain sentences pass, and so do code, tables, headings and names")
  func passes() throws {
    try workspace.write(
      """
      # What goes where

      | what stands | otherwise |
      | --- | --- |

      ```sh
      whoever says what is told
      ```

      <!-- What lies here
      goes nowhere. -->

      \(Self.plain) If you run `what is otherwise`, you see [the page](what-lies-there.md).

      """, to: "docs/page.md")
    let result = try check()
    #expect(result.status == 0, "\(result)")
    #expect(result.standardOutput.hasSuffix("0 rates off\n") && !result.standardOutput.contains("error:"), "\(result)")
  }

  @Test(
    "A sentence of the review is found with its file, its line and the rule",
    arguments: [
      ("What would lose data is refused until it is named.", "sentence opens with What"),
      ("A replacement names what is done in place of a policy class.", "“what” in place of a noun"),
      ("The attribute Order.note goes with all its values.", "goes, comes"),
      ("The version to reach; the current one otherwise.", "otherwise"),
      ("A union of fewer than two bundles is no union.", "is no"),
      ("Print a model's history, a line a version, and a file a store.", "a line a property"),
      ("Who needs no transactions asks a repository, as somebody does.", "somebody"),
      ("It is written where it is known.", "“where” for “if”"),
    ])
  func finds(sentence: String, rule: String) throws {
    try workspace.write("# A page\n\n\(Self.plain)\n\n\(sentence)\n", to: "docs/page.md")
    let page = try check()
    #expect(page.status == 1)
    let line = try #require(page.standardOutput.split(separator: "\n").first { $0.contains(rule) }, "\(page)")
    #expect(line.hasPrefix("docs/page.md:5: ") && line.contains(sentence.dropLast(8)), "\(line)")
    try workspace.write("# A page\n\n\(Self.plain)\n", to: "docs/page.md")
    try write(help: sentence)
    let help = try check()
    #expect(help.status == 1)
    let text = try #require(help.standardOutput.split(separator: "\n").first { $0.contains(rule) }, "\(help)")
    #expect(text.hasPrefix("modelctl --help: "), "\(text)")
  }

  @Test("Documentation that does not address its reader is found")
  func lacks() throws {
    for name in ["README.md", "docs/page.md", "Sources/Kit.docc/Kit.md"] {
      try workspace.write("A page.\n\nmodelctl reports an error in the file.\n", to: name)
    }
    let result = try check()
    #expect(result.status == 1)
    #expect(result.standardOutput.contains("error: documentation: 0.0 per 1,000 words, at least 8: you\n"), "\(result)")
  }
}
