import ArgumentParser
import ModelKit

/// The output formats of findings, and their files.
typealias FindingOptions = FormatOptions<FindingFormat>

/// The formats of findings, most of them for services that show findings at the changed lines.
enum FindingFormat: String, FormatOption {
  case text
  case json
  case sarif
  case junit
  case github
  case gitlab
  case markdown
}

extension FormatOptions<FindingFormat> {
  /// Writes the findings of a run of the rules.
  ///
  /// - Parameters:
  ///   - failures: the reasons why some files could not be checked.
  ///   - unproved: the released versions without a proven path.
  ///   - isPlain: true for plain text, which suits a screen reader.
  func write(
    _ findings: [Finding], rules: [RuleDescription], failures: [any Error], unproved: [UnprovedVersions],
    isPlain: Bool = false
  ) throws {
    let run = RuleRun(
      findings, rules: rules, sourceLines: SourceLocation.sourceLines(at: findings.compactMap(\.location)),
      failures: failures.map { $0.sentence }, unproved: unproved)
    let report = FindingReport(run)
    try write(isPlain ? nil : .findings) { form in
      switch form {
      case .text: PrintableText.escaped(isPlain ? report.plainText : report.text)
      case .json: try JSONText.encode(report)
      case .sarif: try JSONText.encode(SARIFLog(run, toolVersion: Modelctl.version))
      case .junit: JUnitReport(run).text
      case .github: GitHubAnnotations(run).text
      case .gitlab: try JSONText.encode(CodeQualityReport(run))
      case .markdown: FindingComment(run).text
      }
    }
  }
}
