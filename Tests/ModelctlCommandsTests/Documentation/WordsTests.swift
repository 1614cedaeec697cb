import Foundation
import TestSupport
import Testing

/// `scripts/check-words` on a small project, with a program that prints one help.
///
/// The project has pages, a Swift file with the comment of a public type, and a golden file with a message.
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
    try write(comment: "A store that is open.")
    try write(message: "error: shop.sqlite: the store has an error; copy it first")
  }

  /// Writes a Swift file; the comment is on its line 3.
  private func write(comment: String, of declaration: String = "public struct Store {") throws {
    try workspace.write("import Foundation\n\n/// \(comment)\n\(declaration)\n}\n", to: Self.source)
  }

  /// Writes a golden file; the message is on its line 2.
  private func write(message: String) throws {
    try workspace.write("$ modelctl verify 'what goes\nwhat lies'\n2> \(message)\n[exit 2]\n", to: Self.golden)
  }

  private static let source = "Sources/Kit/Store.swift"
  private static let golden = "Tests/KitTests/Golden/verify.session"

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
      ("Print a model's history, a line a version, and a file a store.", "“a line a property”"),
      ("Who needs no transactions asks a repository, as somebody does.", "somebody"),
      ("It is written where it is known.", "“where” for “if”"),
    ])
  func finds(sentence: String, rule: String) throws {
    try workspace.write("# A page\n\n\(Self.plain)\n\n\(sentence)\n", to: "docs/page.md")
    let page = try check()
    #expect(page.status == 1)
    let line = try #require(page.standardOutput.split(separator: "\n").first { $0.contains("[\(rule)") }, "\(page)")
    #expect(line.hasPrefix("docs/page.md:5: ") && line.contains(sentence.dropLast(8)), "\(line)")
    try workspace.write("# A page\n\n\(Self.plain)\n", to: "docs/page.md")
    try write(help: sentence)
    let help = try check()
    #expect(help.status == 1)
    let text = try #require(help.standardOutput.split(separator: "\n").first { $0.contains("[\(rule)") }, "\(help)")
    #expect(text.hasPrefix("modelctl --help: "), "\(text)")
  }

  @Test(
    "A sentence of the review is found in a comment and in a message, with file, line and rule",
    arguments: [
      ("A replacement names what is done in place of a policy class.", "“what” in place of a noun"),
      ("The attribute Order.note goes with all its values.", "goes, comes"),
      ("The version to reach; the current one otherwise.", "otherwise"),
      ("A union of fewer than two bundles is no union.", "is no"),
      ("It prints the history, a line a version, and a file a store.", "“a line a property”"),
      ("A repository is for somebody who needs no transactions.", "somebody"),
    ])
  func findsInSource(sentence: String, rule: String) throws {
    try write(comment: sentence)
    try write(message: "warning: \(sentence)")
    let result = try check()
    #expect(result.status == 1)
    let lines = result.standardOutput.split(separator: "\n").filter { $0.contains("[\(rule)") }
    #expect(lines.contains { $0.hasPrefix("\(Self.source):3: \(sentence)") }, "\(result)")
    #expect(lines.contains { $0.hasPrefix("\(Self.golden):3: \(sentence)") }, "\(result)")
  }

  @Test("A comment that begins with What is found; a question is none")
  func findsOpening() throws {
    try write(comment: "What a store holds, with all its rows.")
    let found = try check()
    #expect(found.status == 1)
    #expect(
      found.standardOutput.contains(
        "\(Self.source):3: What a store holds, with all its rows. [sentence begins with What]"), "\(found)")
    try write(comment: "What does a store hold?")
    #expect(try check().status == 0)
  }

  @Test(
    "Only comments of public declarations are read", arguments: ["struct", "package struct", "private final class"])
  func internalComments(declaration: String) throws {
    let bad = "What goes is told, as somebody says otherwise."
    try workspace.write(
      """
      /// A store that is open.
      public enum Store {
        /// A store with a file.
        case file
        // \(bad)
        /// \(bad)
        private var names: [String] {
          /// \(bad)
          func name() {}
        }
      }

      /// \(bad)
      \(declaration) Other {
        /// \(bad)
        public func open() {}
      }

      """, to: Self.source)
    let result = try check()
    #expect(result.status == 0, "\(result)")
  }

  @Test(
    "Cases, requirements, members of a public extension and parameters are read",
    arguments: [
      "public enum Store {\n  case other\n  // A mark.\n\n  /// BAD\n  case file",
      "public protocol Store {\n  var name: String { get }\n\n\n  /// BAD\n  var file: String { get }",
      "public extension Store {\n\n\n\n  /// BAD\n  func close() {}",
      "extension Store {\n\n  /// A file.\n  ///\n  /// - Parameter name: BAD\n  public func close(name: String) {}",
      "extension Store {\n\n\n\n  /// BAD\n  @discardableResult\n  @available(*, deprecated)\n  public func close() {}",
    ])
  func publicComments(text: String) throws {
    try workspace.write(text.replacing("BAD", with: "The file goes with the store.") + "\n}\n", to: Self.source)
    let result = try check()
    #expect(result.status == 1)
    let lines = result.standardOutput.split(separator: "\n").filter {
      $0.hasSuffix("[goes, comes, stays, stands, lies]")
    }
    #expect(
      lines.contains { $0.hasPrefix("\(Self.source):5: ") && $0.contains("The file goes with the store.") }, "\(result)"
    )
  }

  @Test("Data that a program prints is not read")
  func data() throws {
    try workspace.write(
      """
      $ modelctl show shop.sqlite 'what goes there'
      The store is open.

      $ modelctl plan shop.sqlite
      -- 2 statements, in place
      ALTER TABLE "what goes there otherwise" ADD COLUMN "somebody says so";
      {
        "sentence" : "what goes there is told otherwise"
      }
      <!-- what goes there is told otherwise -->
      | what goes there | is told |
      + what goes there is told otherwise
      let store = open(what, goes, otherwise, else, nor, whole) {

      """, to: Self.golden)
    let result = try check()
    #expect(result.status == 0, "\(result)")
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
