import Foundation
import ModelFiles
import ModelKit
import TestSupport
import Testing

@Suite("The reports conform to the schemas of the services that read them")
struct ExternalSchemaTests {
  private static let folder = Transcript.tests.appendingPathComponent("Schemas/External")

  private static func sarifSchema() throws -> JSONSchema {
    let file = folder.appendingPathComponent("sarif-2.1.0-rtm.4.json")
    return JSONSchema(try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file)))
  }

  private static func junitSchema() throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent("junit-10.xsd")), as: UTF8.self)
  }

  /// A folder in which names hold what has a meaning in URIs, XML, JSON, Markdown or workflow commands.
  private static func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.migrateByModelctl()
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A &lt;b&gt;|`c`,::d%0A" parentEntity="&quot;&#10;&amp; é 🙂"/>
        <entity name="B"><relationship name="b[1](x)" toMany="YES" destinationEntity="@B"/></entity>
        <entity name="B"/>
      </model>
      """, to: "Odd, 100% :#?é [a]/Odd.xcdatamodel/contents")
    return workspace
  }

  @Test("SARIF", arguments: [("Models", Int32(0)), (".", 1), ("Odd, 100% :#?é [a]", 1)])
  func sarif(_ path: String, _ status: Int32) throws {
    let result = try Self.workspace().modelctl("check", path, "--format", "sarif")
    #expect(result.status == status)
    let log = try JSONDecoder().decode(JSONValue.self, from: Data(result.standardOutput.utf8))
    #expect(try Self.sarifSchema().faults(in: log) == [])
    let run = log["runs"]?.elements.first
    #expect(run?["tool"]?["driver"]?["rules"]?.elements.isEmpty == false)
    #expect((run?["results"]?.elements.count ?? 0 > 0) == (status == 1))
    for result in run?["results"]?.elements ?? [] {
      let place = result["locations"]?.elements.first?["physicalLocation"]?["artifactLocation"]
      #expect(
        place?["uri"]?.text == "Odd%2C%20100%25%20%3A%23%3F%C3%A9%20%5Ba%5D/Odd.xcdatamodel/contents")
    }
  }

  @Test("SARIF of findings without places and of runs with failures")
  func sarifOfEverything() throws {
    #expect(try Self.sarifSchema().faults(in: FindingFormatTests.sarif(FindingFormatTests.run)) == [])
    #expect(try Self.sarifSchema().faults(in: FindingFormatTests.sarif(RuleRun([], rules: []))) == [])
  }

  @Test("The validator knows every keyword of SARIF's schema, and refuses invalid reports")
  func refusals() throws {
    let schema = try Self.sarifSchema()
    #expect(schema.unknownKeywords == [])
    #expect(schema.faults(in: .object(["version": .string("2.0.0"), "runs": .array([.object([:])])])).count == 2)
    let text = try JSONText.encode(SARIFLog(FindingFormatTests.run, toolVersion: "1.2.3"))
    let breaks = [
      (#""startLine" : 4"#, #""startLine" : 0"#), (#""level" : "note""#, #""level" : "fatal""#),
      (#""columnKind""#, #""kindOfColumn""#), (#""id" : "case-clash""#, #""guid" : "case-clash""#),
      (#""uri" : "App/Shop%2C%201.xcdatamodeld"#, #""uri" : "App/Shop, 1.xcdatamodeld"#),
      (#""ruleIndex" : 2"#, #""ruleIndex" : -2"#), (#""executionSuccessful" : false"#, #""other" : false"#),
      (#""text" : "Names differ by more than case.""#, #""words" : "Names""#), ("https://docs", "docs"),
    ]
    for (piece, replacement) in breaks {
      let broken = text.replacingOccurrences(of: piece, with: replacement)
      #expect(broken != text, "\(piece)")
      let log = try JSONDecoder().decode(JSONValue.self, from: Data(broken.utf8))
      #expect(!schema.faults(in: log).isEmpty, "\(replacement)")
    }
  }

  @Test("JUnit", arguments: [("Models", Int32(0)), (".", 1)])
  func junit(_ path: String, _ status: Int32) throws {
    let result = try Self.workspace().modelctl("check", path, "--format", "junit")
    #expect(result.status == status)
    #expect(try Self.junitProblem(result.standardOutput) == nil)
    #expect(result.standardOutput.contains("<failure ") == (status == 1))
  }

  @Test("JUnit of findings without locations and of runs with failures, and invalid reports")
  func junitOfEverything() throws {
    let text = JUnitReport(FindingFormatTests.run).text
    #expect(try Self.junitProblem(text) == nil)
    #expect(try Self.junitProblem(JUnitReport(RuleRun([], rules: [])).text) == nil)
    for (piece, replacement) in [("<failure ", "<fault "), (" tests=", " count="), (" name=\"Order", " title=\"Order")]
    {
      #expect(try Self.junitProblem(text.replacingOccurrences(of: piece, with: replacement)) != nil, "\(replacement)")
    }
  }

  private static func junitProblem(_ text: String) throws -> String? {
    SchemaValidation.problem(in: Array(text.utf8), schema: try junitSchema())?.message
  }

  @Test("GitLab: every entry has all required fields, with a path that GitLab can find")
  func gitlab() throws {
    let result = try Self.workspace().modelctl("check", "--format", "gitlab")
    let entries = try JSONDecoder().decode(JSONValue.self, from: Data(result.standardOutput.utf8)).elements
    #expect(entries.count > 2)
    for entry in entries {
      #expect(entry["description"]?.text?.isEmpty == false)
      #expect(entry["check_name"]?.text?.isEmpty == false)
      #expect(["info", "minor", "major", "critical", "blocker"].contains(entry["severity"]?.text))
      #expect(entry["location"]?["path"]?.text == "Odd, 100% :#?é [a]/Odd.xcdatamodel/contents")
      #expect(entry["location"]?["lines"]?["begin"]?.double ?? 0 >= 1)
    }
    #expect(Set(entries.compactMap { $0["fingerprint"]?.text }).count == entries.count)
  }

  @Test("GitHub: one command per line, for any name")
  func github() throws {
    let result = try Self.workspace().modelctl("check", "--format", "github")
    let lines = result.standardOutput.split(separator: "\n")
    #expect(lines.count > 2)
    for line in lines {
      #expect(line.hasPrefix("::"))
      #expect(line.contains(" file=Odd%2C 100%25 %3A#?é [a]/Odd.xcdatamodel/contents,line="))
      #expect(line.split(separator: ",").count > 2)
    }
  }

  @Test("Several forms from one run; paths are relative, however they were given")
  func several() throws {
    let workspace = try Self.workspace()
    let forms = ["sarif", "junit", "gitlab", "markdown", "json"]
    let result = try Modelctl.run(
      ["check", workspace.url.path, "--format", "text"] + forms.flatMap { ["--format", "\($0)=report.\($0)"] },
      in: workspace)
    #expect(result.status == 1)
    #expect(result.standardOutput == (try workspace.modelctl("check", "./")).standardOutput)
    for form in forms {
      let file = try Data(contentsOf: workspace.url.appendingPathComponent("report.\(form)"))
      let alone = try workspace.modelctl("check", ".", "--format", form).standardOutput
      #expect(String(decoding: file, as: UTF8.self) == alone)
      #expect(!alone.contains(workspace.url.path))
    }
  }
}
