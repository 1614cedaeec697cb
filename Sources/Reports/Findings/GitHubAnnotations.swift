import ModelChecks
import ModelDescription
import ModelFiles

/// Findings as GitHub's workflow commands, which annotate the lines of a pull request.
///
/// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
public struct GitHubAnnotations: Hashable, Sendable {
  /// One command a line.
  public let text: String

  /// The maximum number of annotations of a kind; GitHub shows ten per step and silently drops the rest.
  private static let limit = 9

  /// Creates annotations for a run.
  ///
  /// If there are more findings of a kind than GitHub shows, the last annotation counts
  /// them.
  public init(_ run: RuleRun) {
    var shown: [Finding.Severity: Int] = [:]
    let all = run.findings.map { finding in
      let place = finding.location.map {
        [("file", $0.file), ("line", "\($0.line)"), ("col", "\($0.column)")]
      }
      let lead = place == nil ? "\(finding.element): " : ""
      let fix = finding.fix.map { "\nFix: \($0.text)" } ?? ""
      let command = Self.command(
        finding.severity, (place ?? []) + [("title", finding.rule)], lead + finding.message + fix)
      return (severity: finding.severity, command: command)
    }
    let failures = run.failures.map { Self.command(.error, [("title", "not checked")], $0) }
    let counts = Dictionary(grouping: all, by: \.severity).mapValues(\.count)
    var lines: [String] = []
    for (severity, command) in all {
      let (count, position) = (counts[severity] ?? 0, shown[severity, default: 0])
      let limit = max(1, severity == .error ? Self.limit - failures.count : Self.limit)
      shown[severity] = position + 1
      if count <= limit || position < limit - 1 {
        lines.append(command)
      } else if position == limit - 1 {
        let words = "\(count - position) more findings are in the log and on the summary page of the run"
        lines.append(Self.command(severity, [("title", "modelctl")], words))
      }
    }
    let open = run.unproved.map { Self.command(.note, [("title", "path not proved")], $0.text) }
    text = (lines + failures + open).map { $0 + "\n" }.joined()
  }

  private static func command(
    _ severity: Finding.Severity, _ properties: [(String, String)], _ message: String
  ) -> String {
    let name = severity == .note ? "notice" : severity.rawValue
    let properties = properties.map { "\($0)=\(escaped($1, also: [":", ","]))" }.joined(separator: ",")
    return "::\(name) \(properties)::\(escaped(message))"
  }

  private static func escaped(_ text: String, also others: Set<Unicode.Scalar> = []) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if ["%", "\r", "\n"].contains(scalar) || others.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
