import Foundation
import TestSupport
import Testing

@Suite("The output of the commands, word for word")
struct SessionTests {
  @Test("A recorded session replays", arguments: Transcript.sessions)
  func session(_ name: String) throws {
    try Transcript(session: name).replay(in: SampleFolder(ofSession: name))
  }

  @Test(
    "The console blocks of a page replay",
    arguments: [
      "README.md", "docs/commands.md", "docs/diagrams.md", "docs/models-in-code.md", "docs/configuration.md",
      "docs/fleet.md", "docs/merged-models.md", "docs/writing-models.md", "docs/start/first-store.md",
      "docs/start/screen-reader.md", "docs/reference/errors.md",
    ])
  func page(_ name: String) throws {
    try Transcript(page: name).replay(in: SampleFolder(ofSession: name))
  }

  @Test(
    "The pages about guarding an app replay in the repository of an app",
    arguments: ["docs/ci.md", "docs/start/first-check.md"])
  func continuousIntegration(_ name: String) throws {
    try Transcript(page: name).replay(in: SampleFolder.repository(isLocked: false))
  }

  @Test("Every command has a session and a chapter of the documentation")
  func complete() throws {
    let help = try SampleFolder().modelctl("--help").standardOutput
    let commands = HelpTests.subcommands(in: help)
    #expect(commands.count > 15)
    let page = Transcript.project
      .appendingPathComponent("docs/commands.md")
    let chapters = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    for command in commands {
      #expect(Transcript.sessions.contains(command), "no session for \(command)")
      #expect(chapters.contains("\n## \(command)\n"), "no chapter for \(command)")
    }
  }
}
