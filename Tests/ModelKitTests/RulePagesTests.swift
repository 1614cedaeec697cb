import Foundation
import ModelKit
import TestSupport
import Testing

/// The documentation pages of the rules equal the rules; `MODELCTL_RECORD=1` writes them.
@Suite("The pages about rules are written from the rules")
struct RulePagesTests {
  static let docs = Transcript.project
    .appendingPathComponent("docs")

  private func expected(_ name: String, _ written: String) throws -> String {
    let file = Self.docs.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(written.utf8).write(to: file)
    }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test("The list is complete") func list() throws {
    let page = RulePages.list()
    #expect(try expected("rules.md", page) == page)
    for rule in Rule.all { #expect(page.contains("[`\(rule.id)`](rules/\(rule.id).md)")) }
  }

  @Test("Every rule has its page with an example that check prints", arguments: Rule.all.map(\.id))
  func page(_ id: String) throws {
    let rule = try #require(Rule.named(id))
    let findings = Transcript.rules.appendingPathComponent("\(id)/findings.txt")
    let page = RulePages.page(of: rule, example: String(decoding: try Data(contentsOf: findings), as: UTF8.self))
    #expect(try expected("rules/\(id).md", page) == page)
  }

  @Test("A removed rule has no page") func nothingElse() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Self.docs.appendingPathComponent("rules").path)
    #expect(names.sorted() == Rule.all.map { "\($0.id).md" }.sorted())
  }
}
