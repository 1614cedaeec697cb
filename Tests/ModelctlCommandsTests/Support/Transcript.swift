import Foundation
import TestSupport
import Testing

/// A text with commands and what they print: a golden session, or the console blocks of a page of documentation.
///
/// A line `$ …` is a command for the shell; the lines up to the next one are what it prints. In a session the lines of
/// standard error begin with `2> `; in both, an exit code other than 0 stands last.
///
/// `MODELCTL_RECORD=1` writes what the commands print today; a command without its output fails, so that nothing is
/// taken for right unseen.
struct Transcript {
  private let file: URL
  private let marksErrors: Bool

  init(session name: String) {
    file = Self.tests.appendingPathComponent("Golden/\(name).session")
    marksErrors = true
  }

  init(page name: String) {
    file = Self.project.appendingPathComponent(name)
    marksErrors = false
  }

  /// The folder of the package.
  static let project = SampleModels.package

  /// The folder of these tests.
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the recorded sessions.
  static let sessions: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: tests.appendingPathComponent("Golden").path)
    return (names ?? []).filter { $0.hasSuffix(".session") }.map { String($0.dropLast(8)) }.sorted()
  }()

  /// The commands of a session.
  var commands: [String] {
    get throws {
      String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
    }
  }

  /// Runs every command again and expects the same text.
  func replay(in workspace: SampleFolder) throws {
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let played = try play(recorded, in: workspace)
    if played != recorded, ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" {
      try Data(played.utf8).write(to: file)
    }
    #expect(played.split(separator: "\n") == recorded.split(separator: "\n"), "\(file.lastPathComponent) differs")
  }

  private func play(_ recorded: String, in workspace: SampleFolder) throws -> String {
    var lines: [String] = []
    var isInBlock = marksErrors
    var isOutput = false
    for line in recorded.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if !marksErrors, line.hasPrefix("```") {
        if isInBlock, lines.last == "" { lines.removeLast() }
        (isInBlock, isOutput) = (line == "```console", false)
        lines.append(line)
      } else if isInBlock, line.hasPrefix("$ ") {
        lines += ["\(line)"] + output(of: try Modelctl.shell(String(line.dropFirst(2)), in: workspace))
        if marksErrors { lines.append("") }
        isOutput = true
      } else if !isOutput {
        lines.append(line)
      }
    }
    if marksErrors, lines.last != "" { lines.append("") }
    return lines.joined(separator: "\n")
  }

  private func output(of result: Modelctl.Result) -> [String] {
    let errors = result.standardError.split(separator: "\n").map { marksErrors ? "2> \($0)" : "\($0)" }
    var output = result.standardOutput.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while output.last == "" { output.removeLast() }
    return output + errors + (result.status == 0 ? [] : ["[exit \(result.status)]"])
  }
}
