public import ModelChecks
import ModelDescription
public import ModelFiles
public import StoreMigration

/// Findings of the model rules, for people and programs.
public struct FindingReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The findings in the order of their places.
  public let findings: [Entry]
  /// Why files could not be checked, a sentence each; empty for a run that is complete.
  public let failures: [String]
  /// The released versions whose path is not proved; nil where paths were not looked at.
  public let unproved: [Unproved]?

  private enum CodingKeys: CodingKey {
    case version, findings, failures, unproved
  }

  /// The versions of a bundle whose path is not proved.
  public struct Unproved: Encodable, Hashable, Sendable {
    /// The bundle's path.
    public let bundle: String
    /// Who migrates the stores of users.
    public let migratedBy: MigrationReader
    /// The number of released versions besides the current one.
    public let releasedCount: Int
    /// The versions with the first cause on their path.
    public let versions: [Version]

    /// A version.
    public struct Version: Encodable, Hashable, Sendable {
      /// Its name.
      public let version: String
      /// Why its path is not proved.
      public let cause: UnprovedPath.Cause
    }

    init(_ unproved: UnprovedVersions) {
      (bundle, migratedBy, releasedCount) = (unproved.bundle, unproved.reader, unproved.releasedCount)
      versions = unproved.paths.map { Version(version: $0.version, cause: $0.cause) }
    }
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
  /// - Parameter sourceLines: the text at the findings' places, as far as it can be read.
  public init(
    _ findings: [Finding], sourceLines: [SourceLocation: String] = [:], failures: [String] = [],
    unproved: [UnprovedVersions]? = nil
  ) {
    self.failures = failures
    self.unproved = unproved?.map(Unproved.init)
    self.findings = findings.map { finding in
      Entry(
        rule: finding.rule, severity: finding.severity.rawValue, element: finding.element.description,
        file: finding.location?.file, line: finding.location?.line, column: finding.location?.column,
        message: finding.message, fix: finding.fix.flatMap { $0.text.isEmpty ? nil : $0.text },
        sourceLine: finding.location.flatMap { sourceLines[$0] })
    }
  }

  /// Takes what a run of the rules gave.
  public init(_ run: RuleRun) {
    self.init(run.findings, sourceLines: run.sourceLines, failures: run.failures, unproved: run.unproved)
  }

  /// One diagnostic a finding: `file:line:column: error: message [rule]`, then the line, then the fix.
  ///
  /// One fix with a command that several findings of a rule share stands once, at the first of them, with their number.
  public var text: String {
    let fixes = Dictionary(grouping: findings.compactMap(\.sharedFix)) { $0 }.mapValues(\.count)
    var shown: Set<[String]> = []
    return findings.map { finding in
      let place = [finding.file, finding.line.map(String.init), finding.column.map(String.init)].compactMap { $0 }
      let start = (place.isEmpty ? [finding.element] : place).joined(separator: ":")
      let message = "\(start): \(finding.severity): \(finding.message) [\(finding.rule)]"
      let line = finding.sourceLine.map { "    \(PrintableText.line($0))\n" } ?? ""
      let count = finding.sharedFix.flatMap { fixes[$0] } ?? 1
      let isShown = finding.sharedFix.map { shown.insert($0).inserted } ?? true
      let lead = count > 1 ? "fix of these \(count)" : "fix"
      let fix = finding.fix.flatMap { isShown ? "  \(lead): \(PrintableText.escaped($0))\n" : nil } ?? ""
      return "\(PrintableText.line(message))\n\(line)\(fix)"
    }.joined()
  }

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
  /// The rule and the fix, where that names a command: equal ones are one thing to do.
  fileprivate var sharedFix: [String]? {
    fix.flatMap { $0.contains("modelctl ") || $0.contains("git ") ? [rule, $0] : nil }
  }

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
