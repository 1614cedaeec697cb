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
  ///   - failures: why files could not be checked.
  ///   - unproved: the released versions whose path is not proved.
  ///   - isPlain: true for text that reads well aloud.
  func write(
    _ findings: [Finding], rules: [RuleDescription], failures: [any Error], unproved: [UnprovedVersions],
    isPlain: Bool = false
  ) throws {
    let run = RuleRun(
      findings, rules: rules, sourceLines: SourceLocation.sourceLines(at: findings.compactMap(\.location)),
      failures: failures.map(ErrorLine.text), unproved: unproved)
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
