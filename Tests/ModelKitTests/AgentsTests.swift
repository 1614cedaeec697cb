import Foundation
import TestSupport
import Testing

@Suite("A section for coding agents")
struct AgentsTests {
  private func text(_ path: String, in workspace: SampleFolder) throws -> String {
    try String(contentsOf: workspace.url.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("AGENTS.md is made with the section, and a second run changes nothing")
  func new() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    let result = try workspace.modelctl("init", "--agents")
    #expect(result.status == 0, "\(result)")
    let section = try text("AGENTS.md", in: workspace)
    #expect(section.hasPrefix("<!-- modelctl: begin -->\n") && section.hasSuffix("<!-- modelctl: end -->\n"))
    #expect(section.contains("Never edit a released version") && section.contains("modelctl check --format json"))
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("CLAUDE.md").path))
    let before = try workspace.contents()
    #expect(try workspace.modelctl("init", "--agents").status == 0)
    #expect(try workspace.contents() == before)
  }

  @Test("Files that exist keep their text and get the section at the end")
  func existing() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    try workspace.write("# Rules\n\nUse tabs.", to: "AGENTS.md")
    try workspace.write("# Claude\n", to: "CLAUDE.md")
    let preview = try workspace.modelctl("init", "--agents", "--dry-run")
    #expect(
      preview.standardOutput.contains("  + ## Core Data models") && !preview.standardOutput.contains("+ Use tabs."))
    #expect(try text("CLAUDE.md", in: workspace) == "# Claude\n")
    #expect(try workspace.modelctl("init", "--agents").status == 0)
    #expect(try text("AGENTS.md", in: workspace).hasPrefix("# Rules\n\nUse tabs.\n\n<!-- modelctl: begin -->\n"))
    #expect(try text("CLAUDE.md", in: workspace).hasPrefix("# Claude\n\n<!-- modelctl: begin -->\n"))
  }

  @Test("A link is kept, and nothing is written through it")
  func link() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    try workspace.write("mine\n", to: "precious.md")
    let link = workspace.url.appendingPathComponent("AGENTS.md").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "precious.md")
    let result = try workspace.modelctl("init", "--agents")
    #expect(result.status == 0 && result.standardOutput.contains("AGENTS.md is a link and is kept"), "\(result)")
    #expect(try text("precious.md", in: workspace) == "mine\n")
  }
}
