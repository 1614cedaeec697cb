import Foundation
import ModelKit
import Testing

/// Every rule on a folder before and after: `Rules/<id>/previous`, `Rules/<id>/current`, and what
/// `modelctl check current --base previous` prints in `findings.txt`; in `silent` the same where the rule finds nothing.
///
/// A folder without `previous` is checked by itself. `MODELCTL_RECORD=1` writes what is printed today.
@Suite("Every rule finds what it is for, and nothing else")
struct RuleFixtureTests {
  static let folder = Transcript.tests.appendingPathComponent("Rules")
  static let rules = Rule.all.map(\.id)

  /// The findings in a folder of fixtures, as text.
  private func findings(in folder: String) throws -> (text: String, result: Modelctl.Result) {
    let workspace = try SampleFolder()
    let copy = workspace.url.appendingPathComponent("fixture")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent(folder), to: copy)
    // Mapping models are looked for below the current folder, and those beside are for another test.
    try? FileManager.default.removeItem(at: copy.appendingPathComponent("silent"))
    let hasPrevious = FileManager.default.fileExists(atPath: copy.appendingPathComponent("previous").path)
    let command = "cd fixture && modelctl check current" + (hasPrevious ? " --base previous" : "")
    let result = try Modelctl.shell(command, in: workspace)
    return (result.standardOutput, result)
  }

  private func expected(_ name: String, _ played: String) throws -> String {
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["MODELCTL_RECORD"] == "1" { try Data(played.utf8).write(to: file) }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test("It finds exactly this", arguments: rules)
  func finds(_ rule: String) throws {
    let (text, result) = try findings(in: rule)
    #expect(text == (try expected("\(rule)/findings.txt", text)))
    #expect(text.contains(" [\(rule)]\n"))
    let isNote = Rule.all.first { $0.id == rule }?.severity == .note
    #expect(result.status == 1 || isNote && result.status == 0, "\(result.standardError)")
  }

  @Test("It stays silent", arguments: rules)
  func isSilent(_ rule: String) throws {
    let (text, result) = try findings(in: "\(rule)/silent")
    #expect(text == "")
    #expect(result.status == 0, "\(result.standardError)")
  }

  @Test("Every folder is a rule's, and every rule says what it is for, why, and what to do")
  func complete() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == Self.rules)
    for rule in Rule.all {
      #expect(rule.purpose.hasSuffix("."), "\(rule.id)")
      let sentences = rule.explanation.components(separatedBy: ". ").count
      #expect(2...5 ~= sentences, "\(rule.id) has \(sentences) sentences")
    }
  }
}
