import ArgumentParser
import ModelKit

/// In which forms a command gives its findings, and where.
typealias FindingOptions = FormatOptions<FindingForm>

/// The forms of findings, most of them for the services that show them at the lines of a change.
enum FindingForm: String, OutputForm {
  case text
  case json
  case sarif
  case junit
  case github
  case gitlab
  case markdown
}

extension FormatOptions<FindingForm> {
  /// Gives what a run of the rules found.
  ///
  /// - Parameters:
  ///   - findings: what was found.
  ///   - rules: the rules that were applied.
  ///   - failures: why files could not be checked.
  ///   - isPlain: true for text that reads well aloud.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  func write(_ findings: [Finding], rules: [RuleDescription], failures: [any Error], isPlain: Bool = false)
    throws
  {
    let run = RuleRun(
      findings, rules: rules, sourceLines: SourceLocation.sourceLines(at: findings.compactMap(\.location)),
      failures: failures.map { "\($0)" })
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
