import ModelChecks
import ModelDescription
import ModelFiles

/// Findings as Markdown for a comment on a pull request: a line of summary, then a numbered list that reads well aloud.
public struct FindingComment: Hashable, Sendable {
  /// The comment; its first line is a mark by which a program finds the comment it wrote before.
  public let text: String

  /// The maximum length of the comment; GitHub accepts 65,536 characters.
  private static let limit = 60_000

  /// Creates a comment on a run.
  public init(_ run: RuleRun) {
    let items =
      run.failures.map { "**Not checked**: \(MarkdownText.escaped($0))" } + run.findings.map { Self.item($0, run) }
    var text = "<!-- modelctl check -->\n### modelctl check: \(Self.summary(run))\n"
    for unproved in run.unproved {
      text += "\n\(MarkdownText.escaped(unproved.words)); see \(MarkdownText.code(unproved.command)).\n"
    }
    for (number, item) in items.enumerated() {
      let lead = "\(number + 1). "
      let indent = String(repeating: " ", count: lead.count)
      let lines = item.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { $1.isEmpty ? "" : ($0 == 0 ? lead : indent) + $1 }
      let entry = "\n" + lines.joined(separator: "\n") + "\n"
      guard text.utf8.count + entry.utf8.count <= Self.limit else {
        let left = Quantity.text(items.count - number, "entry", "entries")
        text += "\n\(left) more do not fit into this comment; `modelctl check` prints all of them.\n"
        break
      }
      text += entry
    }
    self.text = text
  }

  private static func summary(_ run: RuleRun) -> String {
    let counts = [
      (run.failures.count, "file not checked", "files not checked"), (count(.error, run), "error", "errors"),
      (count(.warning, run), "warning", "warnings"), (count(.note, run), "note", "notes"),
    ].filter { $0.0 > 0 }.map { Quantity.text($0, $1, $2) }
    let openCount = run.unproved.reduce(0) { $0 + $1.paths.count }
    let open = openCount == 0 ? [] : ["\(Quantity.text(openCount, "path")) not proved"]
    return ((counts.isEmpty ? ["no findings"] : counts) + open).joined(separator: ", ")
  }

  private static func count(_ severity: Finding.Severity, _ run: RuleRun) -> Int {
    run.findings.filter { $0.severity == severity }.count
  }

  private static func item(_ finding: Finding, _ run: RuleRun) -> String {
    let severity = finding.severity.rawValue.prefix(1).uppercased() + finding.severity.rawValue.dropFirst()
    let place = finding.location.map { "\(MarkdownText.code($0.file)), line \($0.line)" }
    let line = finding.location.flatMap { run.sourceLines[$0] }
    return """
      **\(severity)** in \(place ?? MarkdownText.code("\(finding.element)")): \(MarkdownText.escaped(finding.message)). \
      Rule \(MarkdownText.code(finding.rule)).
      """ + (line.map { "\n\(MarkdownText.block($0, language: "xml"))" } ?? "")
        + (finding.fix.map { "\n\(line == nil ? "" : "\n")Fix: \(MarkdownText.advice($0))" } ?? "")
  }
}
