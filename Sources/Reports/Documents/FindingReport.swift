public import ModelChecks
import ModelDescription
public import ModelFiles

/// Findings of the model rules, for people and programs.
public struct FindingReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The findings in the order of their places.
  public let findings: [Entry]
  /// Why files could not be checked, a sentence each; empty for a run that is complete.
  public let failures: [String]

  private enum CodingKeys: CodingKey {
    case version, findings, failures
  }

  /// One finding.
  public struct Entry: Encodable, Hashable, Sendable {
    /// The rule's id.
    public let rule: String
    /// `error`, `warning` or `note`.
    public let severity: String
    /// The entity or property.
    public let element: String
    /// The file, nil when the model came from none.
    public let file: String?
    /// The line, from 1.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    /// What is wrong, in one sentence.
    public let message: String
    /// What to do.
    public let fix: String?
    /// The line itself, without the spaces around it.
    public let sourceLine: String?
  }

  /// Takes findings.
  ///
  /// - Parameters:
  ///   - findings: the findings.
  ///   - sourceLines: the text at the findings' places, as far as it can be read.
  ///   - failures: why files could not be checked.
  public init(_ findings: [Finding], sourceLines: [SourceLocation: String] = [:], failures: [String] = []) {
    self.failures = failures
    self.findings = findings.map { finding in
      Entry(
        rule: finding.rule, severity: finding.severity.rawValue, element: finding.element.description,
        file: finding.location?.file, line: finding.location?.line, column: finding.location?.column,
        message: finding.message, fix: finding.fix.flatMap { $0.text.isEmpty ? nil : $0.text },
        sourceLine: finding.location.flatMap { sourceLines[$0] })
    }
  }

  /// Takes what a run of the rules gave.
  public init(_ run: RuleRun) { self.init(run.findings, sourceLines: run.sourceLines, failures: run.failures) }

  /// One diagnostic a finding: `file:line:column: error: message [rule]`, then the line, then the fix.
  public var text: String {
    findings.map { finding in
      let place = [finding.file, finding.line.map(String.init), finding.column.map(String.init)].compactMap { $0 }
      let lead = (place.isEmpty ? [finding.element] : place).joined(separator: ":")
      let message = "\(lead): \(finding.severity): \(finding.message) [\(finding.rule)]"
      let line = finding.sourceLine.map { "    \(PrintableText.line($0))\n" } ?? ""
      let fix = finding.fix.map { "  fix: \(PrintableText.escaped($0))\n" } ?? ""
      return "\(PrintableText.line(message))\n\(line)\(fix)"
    }.joined()
  }
}

extension FindingReport {
  /// The findings as a document to read: a part a finding, with its place, its rule and what to do.
  public var outline: Outline {
    Outline(
      findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding"),
      facts: failures.map { SpokenText.of("not checked: \($0)") }, parts: findings.map(\.outline))
  }

  /// The document on lines that read well aloud; nothing when nothing was found.
  public var plainText: String { findings.isEmpty ? "" : outline.text }
}

extension FindingReport.Entry {
  fileprivate var outline: Outline {
    let place = file.map { file in
      (["in \(file)"] + [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 })
        .joined(separator: ", ")
    }
    return Outline(
      SpokenText.of("\(severity): \(message)"),
      facts: [place ?? "about \(element)", "rule \(rule)"] + (fix.map { [SpokenText.of("fix: \($0)")] } ?? []))
  }
}
