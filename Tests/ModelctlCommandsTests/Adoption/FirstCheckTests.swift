import Foundation
import TestSupport
import Testing

/// Projects that ship and that a first check must leave in peace: what `check` prints in each before and after
/// `lock --all --release`, in `FirstCheck/<project>/expected.txt`.
///
/// `MODELCTL_RECORD=1` writes what is printed today.
@Suite("A first check has no false findings, before and after lock --all")
struct FirstCheckTests {
  static let projects =
    (try? FileManager.default.contentsOfDirectory(atPath: Transcript.firstChecks.path))?
    .filter { !$0.hasPrefix(".") }.sorted() ?? []
  static let commands = ["check", "lock --all --release", "check"]

  @Test("Exactly this is printed", arguments: projects)
  func prints(_ project: String) throws {
    let (text, statuses) = try played(project)
    let file = Transcript.firstChecks.appendingPathComponent("\(project)/expected.txt")
    if ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" { try Data(text.utf8).write(to: file) }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    let isBroken = text.contains("cannot infer")
    #expect(statuses.last == (isBroken ? 1 : 0))
  }

  @Test("There are projects")
  func exist() {
    #expect(Self.projects.count >= 10)
  }

  private func played(_ project: String) throws -> (text: String, statuses: [Int32]) {
    let workspace = try SampleFolder()
    let copy = workspace.url.appendingPathComponent("project")
    try FileManager.default.copyItem(at: Transcript.firstChecks.appendingPathComponent(project), to: copy)
    var (text, statuses): (String, [Int32]) = ("", [])
    for command in Self.commands {
      let result = try Modelctl.shell("cd project && modelctl \(command)", in: workspace)
      text += "$ modelctl \(command)\n\(result.standardOutput)\(result.standardError)[exit \(result.status)]\n"
      statuses.append(result.status)
    }
    return (text, statuses)
  }
}
