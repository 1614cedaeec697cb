import Foundation
import TestSupport
import Testing

@Suite("Swift in the documentation")
struct CodeExampleTests {
  /// The pages with programs, by their paths in the package: the blocks of a page are one program.
  static let pages: [String] = LinkTests.pages.filter { page in
    page != "docs/README.md" && (try? Self.program(in: page))?.contains("import ModelKit") == true
  }

  @Test("The examples of a page compile without a warning", arguments: pages)
  func compile(_ page: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("main.swift")
    try Self.program(in: page).write(to: source, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().check([source])
    #expect(result.status == 0, "\(page): \(result.output)")
  }

  @Test("Every article about a task has an example")
  func complete() {
    let articles = LinkTests.pages.filter { $0.contains(".docc/") && !$0.hasSuffix("/ModelKit.md") }
    #expect(articles.count == 6)
    #expect(Set(articles).isSubset(of: Self.pages))
  }

  @Test("The article about models in code runs: a store is made, planned, migrated and found sound")
  func modelsInCode() throws {
    let lines = try Self.output(of: "Sources/ModelKit/ModelKit.docc/ModelsInCode.md")
    #expect(lines.first?.hasSuffix(" statements") == true)
    #expect(lines.contains("ALTER TABLE \"ZNOTE\" RENAME COLUMN \"ZTITLE\" TO \"ZHEADING\";"))
    #expect(lines.suffix(2) == ["v1 to v2, 3 notes", "sound"])
  }

  @Test("The article about rows runs: they are written as a sound store has them, with the derived value")
  func rows() throws {
    let lines = try Self.output(of: "Sources/ModelKit/ModelKit.docc/ReadingAndWritingRows.md")
    #expect(
      lines == [
        "ZAUTHOR: Z_PK Z_ENT Z_OPT ZBOOKCOUNT ZNAME",
        "ZBOOK: Z_PK Z_ENT Z_OPT ZISREAD ZAUTHOR ZPUBLISHED ZTITLE ZID",
        "Jane Austen: 1",
      ])
  }

  /// The lines that the program of a page prints.
  private static func output(of page: String) throws -> [Substring] {
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("main.swift")
    try program(in: page).write(to: source, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().run([source], in: folder)
    #expect(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n")
  }

  private static func program(in page: String) throws -> String {
    let text = try String(contentsOf: Transcript.project.appendingPathComponent(page), encoding: .utf8)
    var lines: [Substring] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode = line == "```swift"
      } else if isCode {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
