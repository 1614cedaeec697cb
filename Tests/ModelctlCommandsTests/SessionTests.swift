import Foundation
import TestSupport
import Testing

@Suite("The output of the commands, word for word")
struct SessionTests {
  /// The pages whose console blocks are played in the repository of an app.
  static let pagesOfAnApp = ["docs/guides/ci.md", "docs/start/first-check.md"]

  /// The page whose console blocks are played in the repository of a mirrored app.
  static let mirroredPage = "docs/guides/cloudkit.md"

  @Test("The page about CloudKit replays in the repository of a mirrored app")
  func mirrored() throws { try Transcript(page: Self.mirroredPage).replay(in: SampleFolder.mirrored()) }

  @Test("A recorded session replays", arguments: Transcript.sessions)
  func session(_ name: String) throws {
    try Transcript(session: name).replay(in: SampleFolder(ofSession: name))
  }

  @Test(
    "The console blocks of a page replay",
    arguments: Transcript.pages.filter { !pagesOfAnApp.contains($0) && $0 != mirroredPage })
  func page(_ name: String) throws {
    try Transcript(page: name).replay(in: SampleFolder(ofSession: name))
  }

  @Test(
    "The pages about guarding an app replay in the repository of an app",
    arguments: pagesOfAnApp)
  func continuousIntegration(_ name: String) throws {
    try Transcript(page: name).replay(in: SampleFolder.repository(isLocked: false))
  }

  @Test("The pages with console blocks are found in every folder of the documentation")
  func pages() {
    #expect(Set(Transcript.pages).isSuperset(of: ["README.md"] + Self.pagesOfAnApp))
    #expect(Transcript.pages.count > 30)
  }

  @Test("Every command has a session and a page of the documentation")
  func complete() throws {
    let help = try SampleFolder().modelctl("--help").standardOutput
    let commands = HelpTests.subcommands(in: help)
    #expect(commands.count > 15)
    for command in commands {
      #expect(Transcript.sessions.contains(command), "no session for \(command)")
      #expect(Transcript.commandPages.contains(command), "no page for \(command)")
    }
  }
}
