import ModelChecks
import ModelDescription
import ModelFiles

/// Findings as GitHub's workflow commands, which annotate the lines of a pull request.
///
/// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
public struct GitHubAnnotations: Hashable, Sendable {
  /// One command a line.
  public let text: String

  /// Takes a run.
  public init(_ run: RuleRun) {
    let findings = run.findings.map { finding in
      let place = finding.location.map {
        [("file", $0.file), ("line", "\($0.line)"), ("col", "\($0.column)")]
      }
      let lead = place == nil ? "\(finding.element): " : ""
      let fix = finding.fix.map { "\nFix: \($0)" } ?? ""
      return Self.command(
        finding.severity == .note ? "notice" : finding.severity.rawValue, (place ?? []) + [("title", finding.rule)],
        lead + finding.message + fix)
    }
    let failures = run.failures.map { Self.command("error", [("title", "not checked")], $0) }
    text = (findings + failures).map { $0 + "\n" }.joined()
  }

  private static func command(_ name: String, _ properties: [(String, String)], _ message: String) -> String {
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
