import Foundation
import ModelKit
import TestSupport
import Testing

/// The forms of findings that services read, each from the same three findings and one file that could not be read.
@Suite("Findings in the forms of services")
struct FindingFormatTests {
  static let place = SourceLocation(file: "App/Shop, 1.xcdatamodeld/v1.xcdatamodel/contents", line: 4, column: 9)

  static let findings = [
    Finding(
      rule: "unversioned-change", severity: .error, element: .property(entity: "Order", name: "note"), location: place,
      message: "Order.note of version v1, which is released, was String, 50%",
      fix: "put it back, and change a new version:\n\(command: "modelctl new-version")"),
    Finding(
      rule: "missing-inverse", severity: .warning, element: .property(entity: "Order", name: "row_1"),
      message: "“<b>*row*</b>” has no inverse, ask @somebody"),
    Finding(
      rule: "spare-index", severity: .note, element: .fetchIndex(entity: "Order", name: "byDate"),
      message: "the index is in no shipped store", fix: "nothing"),
  ]

  static let run = RuleRun(
    findings,
    rules: [
      RuleDescription(id: "case-clash", purpose: "Names differ by more than case.", severity: .error),
      RuleDescription(id: "missing-inverse", purpose: "A relationship has an inverse.", severity: .warning),
      RuleDescription(
        id: "unversioned-change", purpose: "A released version stays as it is.", severity: .error,
        explanation: "Every store of it would fail to open. Make a new version."),
    ],
    sourceLines: [place: #"<attribute name="note" attributeType="Integer 16"/>"#],
    failures: ["b/contents:1:1: the text is not UTF-8"])

  @Test("GitHub: one command per line; characters that would end a property or the command are escaped")
  func github() {
    #expect(
      GitHubAnnotations(Self.run).text == """
        ::error file=App/Shop%2C 1.xcdatamodeld/v1.xcdatamodel/contents,line=4,col=9,title=unversioned-change::\
        Order.note of version v1, which is released, was String, 50%25%0A\
        Fix: put it back, and change a new version:%0Amodelctl new-version
        ::warning title=missing-inverse::Order.row_1: “<b>*row*</b>” has no inverse, ask @somebody
        ::notice title=spare-index::Order index byDate: the index is in no shipped store%0AFix: nothing
        ::error title=not checked::b/contents:1:1: the text is not UTF-8

        """)
    #expect(GitHubAnnotations(RuleRun([], rules: Self.run.rules)).text == "")
  }

  @Test("Plain text: a command has a line of its own, and no full stop follows a command or an option")
  func plain() {
    #expect(
      FindingReport(Self.run).plainText == """
        3 findings.
        not checked: b/contents:1:1: the text is not UTF-8.

        error: Order.note of version v1, which is released, was String, 50%.
          in App/Shop, 1.xcdatamodeld/v1.xcdatamodel/contents, line 4, column 9.
          rule unversioned-change.
          Fix: put it back, and change a new version:
            modelctl new-version

        warning: "<b>*row*</b>" has no inverse, ask @somebody.
          about Order.row_1.
          rule missing-inverse.

        note: the index is in no shipped store.
          about Order index byDate.
          rule spare-index.
          Fix: nothing.

        """)
    let whole = Finding(
      rule: "lock-stale", severity: .note, element: .model,
      location: SourceLocation(file: "Shop.lock.json", line: 1, column: 2),
      message: "stale", fix: "add an option: \(option: "--cast", "Order.note")")
    #expect(
      FindingReport([whole]).plainText == """
        1 finding.

        note: stale.
          in Shop.lock.json, line 1, column 2.
          rule lock-stale.
          Fix: add an option: --cast Order.note

        """)
  }

  @Test("JSON: the commands of a fix are lists of arguments, without commands that only a shell can read")
  func commands() {
    let fixes: [Advice?] = [
      "record it: \(run: "modelctl", "lock", "v 2")", "see its history: \(command: "git log | head")", "rename it", nil,
    ]
    let report = FindingReport(
      fixes.map { fix in
        Finding(
          rule: "silent-change", severity: .note, element: .property(entity: "Order", name: "note"), message: "changed",
          fix: fix)
      })
    #expect(report.findings.map(\.commands) == [[["modelctl", "lock", "v 2"]], nil, nil, nil])
    #expect(report.findings[0].fix == "record it: modelctl lock 'v 2'")
  }

  @Test("GitHub: if there are too many findings of a kind, the last annotation has their count")
  func manyAnnotations() {
    let findings = (1...30).map { number in
      Finding(
        rule: "missing-inverse", severity: number % 3 == 0 ? .error : .warning,
        element: .property(entity: "Order", name: "row\(number)"), message: "no inverse")
    }
    let lines = GitHubAnnotations(RuleRun(findings, rules: Self.run.rules)).text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 9 && lines.count { $0.hasPrefix("::warning ") } == 9)
    #expect(lines.contains("::error title=modelctl::2 more findings are in the log and on the summary page of the run"))
    #expect(
      lines.contains("::warning title=modelctl::12 more findings are in the log and on the summary page of the run"))
  }

  @Test("Markdown: a line of summary, then one item a finding; names cannot be markup, links or calls")
  func markdown() {
    #expect(
      FindingComment(Self.run).text == """
        <!-- modelctl check -->
        ### modelctl check: 1 file not checked, 1 error, 1 warning, 1 note

        1. **Not checked**: b/contents:1:1: the text is not UTF-8

        2. **Error** in `App/Shop, 1.xcdatamodeld/v1.xcdatamodel/contents`, line 4: \
        Order.note of version v1, which is released, was String, 50%. Rule `unversioned-change`.
           ```xml
           <attribute name="note" attributeType="Integer 16"/>
           ```

           Fix: put it back, and change a new version: `modelctl new-version`

        3. **Warning** in `Order.row_1`: “&lt;b&gt;\\*row\\*&lt;/b&gt;” has no inverse, ask @<!-- -->somebody. \
        Rule `missing-inverse`.

        4. **Note** in `Order index byDate`: the index is in no shipped store. Rule `spare-index`.
           Fix: nothing

        """)
    #expect(
      FindingComment(RuleRun([], rules: Self.run.rules)).text
        == "<!-- modelctl check -->\n### modelctl check: no findings\n")
  }

  @Test("Markdown: a comment has room on GitHub, however much was found")
  func longMarkdown() {
    let findings = (1...2000).map { number in
      Finding(rule: "r", severity: .error, element: .entity("E\(number)"), message: "`` wrong ``")
    }
    let text = FindingComment(RuleRun(findings, rules: [])).text
    #expect(text.utf8.count < 65_536 && text.utf8.count > 50_000)
    #expect(text.contains("### modelctl check: 2,000 errors\n"))
    let items = text.split(separator: "\n").filter { $0.contains(" **Error** in ") }.count
    #expect(
      text.hasSuffix(
        "\n\(Quantity.text(2000 - items, "entry", "entries")) more do not fit into this comment; "
          + "`modelctl check` prints all of them.\n"))
  }

  @Test(
    "Markdown: code holds any name", arguments: [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("x\ny", "`x y`")])
  func code(_ name: String, _ expected: String) {
    #expect(MarkdownText.code(name) == expected)
  }

  @Test("GitLab: the required fields, with GitLab's names")
  func gitlab() throws {
    let entries = try JSONDecoder().decode(
      JSONValue.self, from: Data(JSONText.encode(CodeQualityReport(Self.run)).utf8)
    ).elements
    #expect(
      entries.map { $0["description"]?.text } == [
        "Order.note of version v1, which is released, was String, 50%. "
          + "Fix: put it back, and change a new version:\nmodelctl new-version",
        "Order.row_1: “<b>*row*</b>” has no inverse, ask @somebody",
        "Order index byDate: the index is in no shipped store. Fix: nothing",
      ])
    #expect(entries.map { $0["check_name"]?.text } == ["unversioned-change", "missing-inverse", "spare-index"])
    #expect(entries.map { $0["severity"]?.text } == ["critical", "major", "info"])
    #expect(entries.map { $0["location"]?["path"]?.text } == [Self.place.file, ".", "."])
    #expect(entries.map { $0["location"]?["lines"]?["begin"] } == [.integer(4), .integer(1), .integer(1)])
    #expect(Set(entries.compactMap { $0["fingerprint"]?.text }).count == 3)
  }

  @Test("JUnit: one case a finding, one a rule that found nothing; a note passes")
  func junit() {
    #expect(
      JUnitReport(Self.run).text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="modelctl check" tests="5" failures="2" errors="1">
          <testsuite name="modelctl check" tests="5" failures="2" errors="1">
            <testcase classname="modelctl.case-clash" name="Names differ by more than case."/>
            <testcase classname="modelctl.missing-inverse" name="Order.row_1">
              <failure type="warning" message="“&lt;b&gt;*row*&lt;/b&gt;” has no inverse, ask @somebody">\
        Order.row_1: warning: “&lt;b&gt;*row*&lt;/b&gt;” has no inverse, ask @somebody [missing-inverse]
        </failure>
            </testcase>
            <testcase classname="modelctl.unversioned-change" \
        name="Order.note in App/Shop, 1.xcdatamodeld/v1.xcdatamodel/contents">
              <failure type="error" message="Order.note of version v1, which is released, was String, 50%">\
        App/Shop, 1.xcdatamodeld/v1.xcdatamodel/contents:4:9: error: \
        Order.note of version v1, which is released, was String, 50% [unversioned-change]
            &lt;attribute name="note" attributeType="Integer 16"/&gt;
          fix: put it back, and change a new version:
        modelctl new-version
        </failure>
            </testcase>
            <testcase classname="modelctl.spare-index" name="Order index byDate">
              <system-out>Order index byDate: note: the index is in no shipped store [spare-index]
          fix: nothing
        </system-out>
            </testcase>
            <testcase classname="modelctl.not-checked" name="b/contents:1:1: the text is not UTF-8">
              <error type="error" message="b/contents:1:1: the text is not UTF-8"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("SARIF: rules, results with the rule's number, locations as URIs below the root, unreadable files")
  func sarif() throws {
    let log = try Self.sarif(Self.run)
    let run = log["runs"]?.elements.first
    let driver = run?["tool"]?["driver"]
    #expect(driver?["name"]?.text == "modelctl")
    #expect(driver?["semanticVersion"]?.text == "1.2.3")
    let rules = driver?["rules"]?.elements ?? []
    #expect(rules.map { $0["id"]?.text } == ["case-clash", "missing-inverse", "unversioned-change"])
    #expect(rules.map { $0["defaultConfiguration"]?["level"]?.text } == ["error", "warning", "error"])
    #expect(rules.last?["shortDescription"]?["text"]?.text == "A released version stays as it is.")
    #expect(rules.last?["help"]?["text"]?.text?.contains("docs/rules/unversioned-change.md") == true)
    let results = run?["results"]?.elements ?? []
    #expect(results.map { $0["ruleId"]?.text } == ["unversioned-change", "missing-inverse", "spare-index"])
    #expect(results.map { $0["ruleIndex"] } == [.integer(2), .integer(1), nil])
    #expect(results.map { $0["level"]?.text } == ["error", "warning", "note"])
    let location = results.first?["locations"]?.elements.first
    let physical = location?["physicalLocation"]
    #expect(
      physical?["artifactLocation"]?["uri"]?.text == "App/Shop%2C%201.xcdatamodeld/v1.xcdatamodel/contents")
    #expect(physical?["artifactLocation"]?["uriBaseId"]?.text == "%SRCROOT%")
    #expect(physical?["region"] == .object(["startLine": .integer(4), "startColumn": .integer(9)]))
    #expect(location?["logicalLocations"]?.elements.first?["fullyQualifiedName"]?.text == "Order.note")
    #expect(results.last?["locations"]?.elements.first?["physicalLocation"] == nil)
    let invocation = run?["invocations"]?.elements.first
    #expect(invocation?["executionSuccessful"] == .boolean(false))
    #expect(
      invocation?["toolExecutionNotifications"]?.elements.first?["message"]?["text"]?.text
        == "b/contents:1:1: the text is not UTF-8")
  }

  @Test("A fingerprint does not depend on lines or words, and distinguishes equal findings of a file")
  func fingerprints() throws {
    let first = Self.findings[0]
    var moved = first
    moved.location?.line = 90
    moved.message = "compared with another revision"
    var elsewhere = first
    elsewhere.location?.file = "Other.xcdatamodel/contents"
    let before = try Self.fingerprints([first])
    #expect(try Self.fingerprints([moved]) == before)
    #expect(try Self.fingerprints([elsewhere]) != before)
    let twice = try Self.fingerprints([first, moved])
    #expect(twice[0] == before[0] && twice[1] != before[0])
    #expect(try Self.fingerprints(Self.findings + [moved]).prefix(1) == before[...])
  }

  static func sarif(_ run: RuleRun) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(JSONText.encode(SARIFLog(run, toolVersion: "1.2.3")).utf8))
  }

  /// SARIF and GitLab are given the same ones.
  private static func fingerprints(_ findings: [Finding]) throws -> [String?] {
    let run = RuleRun(findings, rules: [])
    let results = try sarif(run)["runs"]?.elements.first?["results"]?.elements ?? []
    let entries = try JSONDecoder().decode(
      JSONValue.self, from: Data(JSONText.encode(CodeQualityReport(run)).utf8)
    ).elements
    let fingerprints = results.map { $0["partialFingerprints"]?["modelctlFinding/v1"]?.text }
    #expect(entries.map { $0["fingerprint"]?.text } == fingerprints)
    return fingerprints
  }
}
