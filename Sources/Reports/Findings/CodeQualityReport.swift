import ModelChecks
import ModelDescription
import ModelFiles
import VersionHashing

/// Findings in the form of GitLab's code quality reports.
///
/// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
public struct CodeQualityReport: Encodable, Hashable, Sendable {
  private let entries: [Entry]

  private struct Entry: Encodable, Hashable {
    let description: String
    let checkName: String
    let fingerprint: String
    let severity: String
    let location: Location

    enum CodingKeys: String, CodingKey {
      case description, fingerprint, severity, location
      case checkName = "check_name"
    }
  }

  private struct Location: Encodable, Hashable {
    let path: String
    let lines: Lines
  }

  private struct Lines: Encodable, Hashable {
    let begin: Int
  }

  /// Creates a report of a run.
  ///
  /// GitLab requires a file per entry, so a finding without a location uses the first line
  /// of the folder.
  public init(_ run: RuleRun) {
    entries = zip(run.findings, FindingFingerprint.fingerprints(of: run.findings)).map { finding, fingerprint in
      let lead = finding.location == nil ? "\(finding.element): " : ""
      return Entry(
        description: lead + finding.message + (finding.fix.map { ". Fix: \($0.text)" } ?? ""), checkName: finding.rule,
        fingerprint: fingerprint, severity: Self.severity(finding.severity),
        location: Location(path: finding.location?.file ?? ".", lines: Lines(begin: finding.location?.line ?? 1)))
    }
  }

  /// The entries alone: the report is a list.
  public func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }

  private static func severity(_ severity: Finding.Severity) -> String {
    switch severity {
    case .error: "critical"
    case .warning: "major"
    case .note: "info"
    }
  }
}

/// The identity of a finding, which services compare between runs.
///
/// It does not depend on the finding's location in the file, or on its words, which may name the compared revision.
enum FindingFingerprint {
  /// A fingerprint for each finding; several findings of one rule about one element are numbered.
  static func fingerprints(of findings: [Finding]) -> [String] {
    var count: [[String]: Int] = [:]
    return findings.map { finding in
      let identity = [finding.rule, finding.location?.file ?? "", finding.element.description]
      count[identity, default: 0] += 1
      return TextDigest.hexadecimal((identity + ["\(count[identity] ?? 1)"]).joined(separator: "\0"))
    }
  }
}
