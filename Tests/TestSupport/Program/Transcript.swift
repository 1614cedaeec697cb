package import Foundation

/// A text with commands and what they print: a golden session, or the console blocks of a page of documentation.
///
/// A line `$ …` is a command for the shell; the lines up to the next one are what it prints. In a session the lines of
/// standard error begin with `2> `; in both, an exit code other than 0 stands last.
///
/// `MODELCTL_RECORD=1` writes what the commands print today; a command without its output fails, so that nothing is
/// taken for right unseen.
package struct Transcript {
  private let file: URL
  private let marksErrors: Bool

  package init(session name: String) {
    file = Self.tests.appendingPathComponent("Golden/\(name).session")
    marksErrors = true
  }

  package init(page name: String) {
    file = Self.project.appendingPathComponent(name)
    marksErrors = false
  }

  /// The folder of the package.
  package static let project = SampleModels.package

  /// The folder of the tests that run the program, with what is recorded.
  package static let tests = project.appendingPathComponent("Tests/ModelctlCommandsTests")

  /// The folders that each rule is checked in.
  package static let rules = tests.appendingPathComponent("Rules")

  /// The projects of first checks.
  package static let firstChecks = tests.appendingPathComponent("FirstCheck")

  /// The names of the recorded sessions.
  package static let sessions: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: tests.appendingPathComponent("Golden").path)
    return (names ?? []).filter { $0.hasSuffix(".session") }.map { String($0.dropLast(8)) }.sorted()
  }()

  /// The pages of documentation with console blocks, by their paths in the package.
  package static let pages: [String] = {
    let files = FileManager.default.enumerator(atPath: project.appendingPathComponent("docs").path)
    let found = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
    return (found + ["README.md"]).sorted().filter { page in
      let text = try? String(contentsOf: project.appendingPathComponent(page), encoding: .utf8)
      return text?.contains("```console\n$ ") == true
    }
  }()

  /// The commands that have a page of documentation.
  package static let commandPages: Set<String> = {
    let folder = project.appendingPathComponent("docs/reference/commands").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(names.filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { String($0.dropLast(3)) })
  }()

  /// The commands of a session.
  package var commands: [String] {
    get throws {
      String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
    }
  }

  /// Runs every command again.
  ///
  /// - Throws: ``Difference`` if they print another text.
  package func replay(in workspace: SampleFolder) throws {
    let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let played = try play(recorded, in: workspace)
    if played != recorded, ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" {
      try Data(played.utf8).write(to: file)
    }
    let texts = (recorded.split(separator: "\n"), played.split(separator: "\n"))
    if texts.0 != texts.1 { throw Difference(file: file.lastPathComponent, changes: texts.1.difference(from: texts.0)) }
  }

  /// A text that differs from the recorded one.
  package struct Difference: Error, CustomStringConvertible {
    let file: String
    let changes: CollectionDifference<Substring>

    /// The removed lines and the new lines.
    package var description: String {
      let lines = changes.map { change in
        switch change {
        case .remove(_, let line, _): "- \(line)"
        case .insert(_, let line, _): "+ \(line)"
        }
      }
      return "\(file) differs:\n" + lines.joined(separator: "\n")
    }
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
