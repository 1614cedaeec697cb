import Foundation
import ModelKit
import TestSupport
import Testing

/// Every fix that a rule's fixture prints is applied to a copy, and the check is run again.
///
/// Commands are run as they are printed, each alternative by itself. What a fix says in words only is done by `fix.sh` in
/// the rule's folder.
@Suite("After a fix its finding is resolved, without a new error")
struct RuleFixTests {
  struct Found: Decodable, Hashable {
    let rule: String
    let severity: String
    let message: String
    let fix: String?
    let file: String?
    let line: Int?
  }

  private struct Report: Decodable {
    let findings: [Found]
  }

  /// A rule's fixture, with what it was before as the base: a folder, or a commit that the change is made on.
  private struct Fixture {
    let workspace: SampleFolder
    let base: String

    init(_ rule: String, inGit: Bool) throws {
      workspace = try SampleFolder(emptyNamed: "Empty")
      let files = FileManager.default
      let folder = workspace.url.appendingPathComponent("fixture")
      try files.copyItem(at: Transcript.rules.appendingPathComponent(rule), to: folder)
      try? files.removeItem(at: folder.appendingPathComponent("silent"))
      // A mapping file that is mended is an error of its own where Core Data migrates.
      let hasMappings = ["current", "previous"].contains {
        files.fileExists(atPath: folder.appendingPathComponent("\($0)/Migrations").path)
      }
      if hasMappings, rule != "mapping-file-only" {
        let configuration = folder.appendingPathComponent(".modelctl.json")
        try Data(#"{ "migratedBy": "modelctl" }"#.utf8).write(to: configuration)
      }
      let hasPrevious = files.fileExists(atPath: folder.appendingPathComponent("previous").path)
      guard inGit, hasPrevious else {
        base = hasPrevious ? " --base previous" : ""
        return
      }
      base = " --base before"
      try workspace.shell(
        """
        cd fixture && mv current ../changed && mv previous current && git init --quiet --initial-branch=main \
        && git add --all && git commit --quiet --message before && git branch before \
        && rm -r current && mv ../changed current
        """)
    }

    private init(_ workspace: SampleFolder, _ base: String) { (self.workspace, self.base) = (workspace, base) }

    func copy() throws -> Fixture { Fixture(try SampleFolder(copying: workspace), base) }

    func check() throws -> [Found] {
      let result = try run("modelctl check current\(base) --format json")
      return try JSONDecoder().decode(Report.self, from: Data(result.standardOutput.utf8)).findings
    }

    func run(_ line: String) throws -> Modelctl.Result { try Modelctl.shell("cd fixture && \(line)", in: workspace) }

    /// The files, without git's own.
    func files() throws -> [String: Data] { try workspace.contents().filter { !$0.key.contains("/.git/") } }

    /// Runs commands one after the other, with what is to be filled in.
    ///
    /// - Returns: false where they only show something.
    func apply(_ commands: [String], besides found: [Found]) throws -> Bool {
      let before = try files()
      var shown = ""
      for command in commands {
        // The name of an entity begins with a capital letter.
        let name = command.contains(/rename [^ .]+ NAME/) ? "Renamed" : "renamed"
        var line = command
        for (word, value) in ["VALUE": "1", "NAME": name, "TYPE": "String", "COMMIT": shown] {
          line = line.replacingOccurrences(
            of: "([ =])\(word)(?=[ ~]|$)", with: "$1\(value)", options: .regularExpression)
        }
        if line.contains(" STORE ") {
          guard line.hasPrefix("modelctl ") else { continue }
          try workspace.shell("cd fixture && modelctl create ../s.sqlite --model current --version v1 --rows 3")
          line = line.replacing(" STORE ", with: " ../s.sqlite ")
        }
        let result = try run(line)
        // Where several things are wrong, another one can stop a command that only shows something.
        let isStopped = found.contains { result.standardError.contains("\($0.file ?? ""):\($0.line ?? 0):") }
        #expect(result.status == 0 || isStopped, "\(line): \(result)")
        shown = result.standardOutput.split(separator: " ").first.map(String.init) ?? ""
      }
      return try files().filter { !$0.key.hasPrefix("s.sqlite") } != before
    }
  }

  /// The remaining findings after a fix, and new errors.
  private func left(of found: [Found], in fixture: Fixture, before: [Found]) throws -> [Found] {
    func key(_ found: Found) -> [String] { [found.rule, found.severity, found.message] }
    let after = try fixture.check()
    let known = Set(before.filter { $0.severity == "error" }.map { [$0.rule, $0.message] })
    let mended = Set(found.map(key))
    return after.filter {
      mended.contains(key($0)) || $0.severity == "error" && !known.contains([$0.rule, $0.message])
    }
  }

  /// The rules whose fixtures become repositories too.
  private static let inGit = Set(CorpusSample.of(RuleFixtureTests.rules, atMost: 9))

  @Test(
    "In a folder, and in a repository", arguments: CorpusSample.of(RuleFixtureTests.rules, atMost: 11), [false, true])
  func fixes(_ rule: String, inGit: Bool) throws {
    guard !inGit || Self.inGit.contains(rule) else { return }
    let fixture = try Fixture(rule, inGit: inGit)
    guard !inGit || fixture.base == " --base before" else { return }
    let before = try fixture.check()
    let own = before.filter { $0.rule == rule && $0.fix != nil }
    var inWords: [Found] = []
    for finding in own {
      var acts = false
      for commands in AdvisedCommand.alternatives(in: finding.fix ?? "") {
        let copy = try fixture.copy()
        guard try copy.apply(commands, besides: before) else { continue }
        acts = true
        // A mapping model that is begun leaves its losses to decide.
        let begins = commands.contains { $0.hasPrefix("modelctl mapping new ") }
        let left = try left(of: [finding], in: copy, before: before).filter { !begins || $0.rule != "data-loss" }
        #expect(left.isEmpty, "\(finding.message)\n\(commands.joined(separator: "\n"))\nleaves \(left)")
      }
      if !acts { inWords.append(finding) }
    }
    guard !inGit else { return }
    let script = Transcript.rules.appendingPathComponent("\(rule)/fix.sh")
    guard FileManager.default.fileExists(atPath: script.path) else {
      #expect(inWords.allSatisfy { $0.severity == "note" }, "fix.sh is missing: \(inWords)")
      return
    }
    #expect(!inWords.isEmpty, "commands do all that fix.sh does")
    let copy = try fixture.copy()
    let result = try copy.run(
      #"edit() { f="$1"; shift; sed -i.bak "$@" "$f" && rm "$f.bak"; }; set -e; . ./fix.sh"#)
    #expect(result.status == 0, "\(result)")
    let left = try left(of: inWords, in: copy, before: before)
    #expect(left.isEmpty, "fix.sh leaves \(left)")
  }
}
