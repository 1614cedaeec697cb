public import ModelChecks
import ModelDescription
public import ModelFiles
public import StoreMigration

/// The findings of the model rules.
public struct FindingReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The findings in the order of their locations.
  public let findings: [Entry]
  /// The reasons why files could not be checked, a sentence each; empty for a complete run.
  public let failures: [String]
  /// The released versions whose path is not proved; nil if paths were not checked.
  public let unproved: [Unproved]?

  private enum CodingKeys: CodingKey {
    case version, findings, failures, unproved
  }

  /// The versions of a bundle whose path is not proved.
  public struct Unproved: Encodable, Hashable, Sendable {
    /// The bundle's path.
    public let bundle: String
    /// The reader that migrates the stores of users.
    public let migratedBy: MigrationReader
    /// The number of released versions, without the current version.
    public let releasedCount: Int
    /// The versions with the first cause on their path.
    public let versions: [Version]

    /// A version.
    public struct Version: Encodable, Hashable, Sendable {
      /// The version's name.
      public let version: String
      /// The reason why its path is not proved.
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
    /// The file; nil if the model was not read from a file.
    public let file: String?
    /// The line, from 1.
    public let line: Int?
    /// The column, from 1.
    public let column: Int?
    /// The message, as a sentence.
    public let message: String
    /// The fix, with its commands and options.
    public let fix: String?
    /// The fix, with its commands and options as values.
    let advice: Advice?
    /// The commands of the fix, each as a program with its arguments; nil if it does not have any, or only such that a
    /// shell must read.
    public let commands: [[String]]?
    /// The line itself, without the spaces around it.
    public let sourceLine: String?

    private enum CodingKeys: CodingKey {
      case rule, severity, element, file, line, column, message, fix, commands, sourceLine
    }
  }

  /// Creates a report of findings.
  ///
  /// - Parameter sourceLines: the lines at the findings' locations, if they can be read.
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
        advice: finding.fix,
        commands: finding.fix.flatMap(Self.commands), sourceLine: finding.location.flatMap { sourceLines[$0] })
    }
  }

  private static func commands(of fix: Advice) -> [[String]]? {
    let commands = fix.commands.map(\.arguments).filter { !$0.isEmpty }
    return commands.isEmpty ? nil : commands
  }

  /// Creates a report of a run.
  public init(_ run: RuleRun) {
    self.init(run.findings, sourceLines: run.sourceLines, failures: run.failures, unproved: run.unproved)
  }

  /// One diagnostic per finding: `file:line:column: error: message [rule]`, then the line, then the fix.
  ///
  /// If several findings of a rule share a fix with a command, only the first finding lists it, with their number.
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

  /// The findings as accessible text: one part per finding, with its location, its rule and its fix.
  public var outline: Outline {
    Outline(
      findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding"),
      facts: failures.map { SpokenText.of("not checked: \($0)") }, parts: findings.map(\.outline))
  }

  /// The accessible text, in lines; empty if there are no findings.
  public var plainText: String { findings.isEmpty ? "" : outline.text }
}

extension FindingReport.Entry {
  /// The rule and the fix, if the fix has a command; findings with equal values share their fix.
  fileprivate var sharedFix: [String]? {
    fix.flatMap { commands != nil || $0.contains("modelctl ") || $0.contains("git ") ? [rule, $0] : nil }
  }

  fileprivate var outline: Outline {
    let place = file.map { file in
      (["in \(file)"] + [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 })
        .joined(separator: ", ")
    }
    return Outline(
      SpokenText.of("\(severity): \(message)"),
      facts: [place ?? "about \(element)", "rule \(rule)"],
      advice: fix == nil ? nil : advice.map { "fix: \($0)" })
  }
}
