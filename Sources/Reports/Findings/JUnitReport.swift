import ModelChecks
import ModelDescription
import ModelFiles

/// Findings as JUnit XML, with the schema of Jenkins' xUnit plugin: one test case per finding, and one per rule without
/// findings.
public struct JUnitReport: Hashable, Sendable {
  /// The document.
  public let text: String

  /// Creates a report of a run.
  public init(_ run: RuleRun) {
    let known = run.rules.map(\.id)
    let others = Set(run.findings.map(\.rule)).subtracting(known).sorted()
    let cases =
      run.rules.flatMap { rule in Self.cases(of: rule.id, passing: rule.purpose, run) }
      + others.flatMap { Self.cases(of: $0, passing: $0, run) } + run.failures.map(Self.failure)
      + run.unproved.map {
        Self.testCase(
          "path-not-proved", BundlePath.stem($0.bundle), "<system-out>\(XMLText.content($0.text))</system-out>")
      }
    let failures = run.findings.filter(\.severity.isFailure).count
    let counts = #"tests="\#(cases.count)" failures="\#(failures)" errors="\#(run.failures.count)""#
    text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="modelctl check" \(counts)>
        <testsuite name="modelctl check" \(counts)>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private static func cases(of rule: String, passing purpose: String, _ run: RuleRun) -> [String] {
    let findings = run.findings.filter { $0.rule == rule }
    guard !findings.isEmpty else { return [testCase(rule, purpose, nil)] }
    return findings.map { finding in
      let name = finding.location.map { "\(finding.element) in \($0.file)" } ?? "\(finding.element)"
      return testCase(rule, name, finding.severity.isFailure ? failure(finding, run) : note(finding, run))
    }
  }

  private static func testCase(_ rule: String, _ name: String, _ outcome: String?) -> String {
    let start = #"    <testcase classname="\#(attribute("modelctl.\(rule)"))" name="\#(attribute(name))""#
    return outcome.map { "\(start)>\n      \($0)\n    </testcase>\n" } ?? "\(start)/>\n"
  }

  private static func failure(_ finding: Finding, _ run: RuleRun) -> String {
    let words = #"type="\#(finding.severity.rawValue)" message="\#(attribute(finding.message))""#
    return "<failure \(words)>\(details(finding, run))</failure>"
  }

  private static func note(_ finding: Finding, _ run: RuleRun) -> String {
    "<system-out>\(details(finding, run))</system-out>"
  }

  private static func failure(_ reason: String) -> String {
    testCase("not-checked", reason, #"<error type="error" message="\#(attribute(reason))"/>"#)
  }

  private static func details(_ finding: Finding, _ run: RuleRun) -> String {
    XMLText.content(FindingReport([finding], sourceLines: run.sourceLines).text)
  }

  private static func attribute(_ text: String) -> String { XMLText.attribute(text) }
}
