import Foundation
import ModelKit
import TestSupport
import Testing

/// Every rule checks a folder of its own, all rules together check `AllRules`.
///
/// `findings.txt` holds the output of `modelctl check current --base previous --rule <id>`. In `silent` the rule finds
/// nothing.
///
/// A folder without `previous` is checked by itself. `MODELCTL_RECORD=1` writes what is printed today.
@Suite("Every rule finds only its own findings")
struct RuleFixtureTests {
  static let rules = Rule.all.map(\.id)

  /// The findings in a folder of fixtures, as the options ask for them.
  private func findings(in folder: String, _ options: String) throws -> (text: String, result: Modelctl.Result) {
    let workspace = try SampleFolder()
    let copy = workspace.url.appendingPathComponent("fixture")
    try FileManager.default.copyItem(at: Transcript.rules.appendingPathComponent(folder), to: copy)
    // Mapping models are looked for below the current folder, and those beside are for another test.
    try? FileManager.default.removeItem(at: copy.appendingPathComponent("silent"))
    let hasPrevious = FileManager.default.fileExists(atPath: copy.appendingPathComponent("previous").path)
    let base = hasPrevious ? " --base previous" : ""
    let result = try Modelctl.shell("cd fixture && modelctl check current\(base) \(options)", in: workspace)
    return (result.standardOutput, result)
  }

  private func expected(_ name: String, _ played: String) throws -> String {
    let file = Transcript.rules.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" { try Data(played.utf8).write(to: file) }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test("It finds exactly this", arguments: rules)
  func finds(_ rule: String) throws {
    let (text, result) = try findings(in: rule, "--rule \(rule)")
    #expect(text == (try expected("\(rule)/findings.txt", text)))
    #expect(text.contains(" [\(rule)]\n"))
    let isNote = Rule.all.first { $0.id == rule }?.severity == .note
    #expect(result.status == 1 || isNote && result.status == 0, "\(result.standardError)")
  }

  @Test("It has no findings", arguments: CorpusSample.of(rules, atMost: 24))
  func isSilent(_ rule: String) throws {
    let (text, result) = try findings(in: "\(rule)/silent", "--rule \(rule)")
    #expect(text == "")
    #expect(result.status == 0, "\(result.standardError)")
  }

  @Test("All rules together") func all() throws {
    let (text, result) = try findings(in: "../AllRules", "")
    #expect(text == (try expected("../AllRules/findings.txt", text)))
    #expect(result.status == 1 && result.standardError.contains(" checked against all rules: "), "\(result)")
  }

  @Test("A rule has the same findings alone and among all rules", arguments: CorpusSample.of(rules, atMost: 6))
  func alone(_ rule: String) throws {
    func found(_ options: String) throws -> [NSDictionary] {
      let text = try findings(in: rule, "--format json \(options)").text
      let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return try #require(report?["findings"] as? [NSDictionary], "\(text)").filter { $0["rule"] as? String == rule }
    }
    let alone = try found("--rule \(rule)")
    #expect(try !alone.isEmpty && alone == found("") && alone == found("--rule \(rule) --rule unused-suppression"))
  }

  @Test("A rule that is off is checked if it is named, and an unknown one is refused with the nearest")
  func named() throws {
    let workspace = try SampleFolder()
    try workspace.shell("rm Models/Orders.lock.json && mv Models/Orders.xcdatamodeld . && rm -r Models Migrations")
    try workspace.write(#"{ "rules": { "missing-lock": "off" } }"#, to: ".modelctl.json")
    #expect(try workspace.modelctl("check").standardOutput == "")
    let result = try workspace.modelctl("check", "--rule", "missing-lock", "--rule", "data-loss")
    #expect(result.standardOutput.contains(" note: ") && result.standardOutput.contains("[missing-lock]"))
    #expect(result.standardError.hasSuffix("6 versions checked against 2 rules: 1 note; passed\n"), "\(result)")
    let unknown = try workspace.modelctl("check", "--rule", "data-loss", "--rule", "mising-lock")
    #expect(unknown.status == 2 && unknown.standardOutput.isEmpty)
    #expect(unknown.standardError.contains("modelctl has no rule “mising-lock”; nearest: missing-lock"))
    let both = try workspace.modelctl("check", "--rule", "data-loss", "--explain", "data-loss")
    #expect(both.status == 64 && both.standardError.contains("give only one of --rule, --list-rules and --explain"))
  }

  @Test("Every folder belongs to a rule, and every rule has a purpose, an explanation and a fix")
  func complete() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Transcript.rules.path)
    #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == Self.rules)
    for rule in Rule.all {
      #expect(rule.purpose.hasSuffix("."), "\(rule.id)")
      let sentences = rule.explanation.components(separatedBy: ". ").count
      #expect(2...7 ~= sentences, "\(rule.id) has \(sentences) sentences")
    }
  }
}
