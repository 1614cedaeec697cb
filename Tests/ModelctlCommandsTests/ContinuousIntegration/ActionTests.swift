import Foundation
import TestSupport
import Testing

@Suite("The action, run step by step in a scratch repository")
struct ActionTests {
  private func pullRequest(_ workspace: SampleFolder) throws -> [String: String] {
    ["event.pull_request.base.sha": try workspace.shell("git rev-parse main")]
  }

  @Test("A pull request that edits a shipped version fails, at the line", arguments: [true, false])
  func editedVersion(_ isLocked: Bool) throws {
    let workspace = try SampleFolder.repository(isLocked: isLocked)
    try workspace.editShippedVersion()
    let run = try ActionRun(in: workspace, inputs: ["sarif-file": "m.sarif"], event: pullRequest(workspace))
    #expect(run.steps == ["Look for modelctl", "Install modelctl", "Check the models"])
    #expect(run.result.status == 1)
    #expect(run.outputs == ["exit-code": "1"])
    let lines = run.result.standardOutput.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(SampleFolder.contents):8:") && $0.hasSuffix("[unversioned-change]") })
    let annotation = "::error file=\(SampleFolder.contents),line=8,"
    #expect(lines.contains { $0.hasPrefix(annotation) && $0.contains("title=unversioned-change::") })
    #expect(run.summary.contains("### modelctl check: 1 error"))
    #expect(run.summary.contains("Rule `unversioned-change`."))
    let log = try String(contentsOf: workspace.url.appendingPathComponent("m.sarif"), encoding: .utf8)
    #expect(log.contains(#""ruleId" : "unversioned-change""#) && log.contains(#""startLine" : 8"#))
  }

  @Test("A pull request that adds a version passes", arguments: [true, false])
  func addedVersion(_ isLocked: Bool) throws {
    let workspace = try SampleFolder.repository(isLocked: isLocked)
    try workspace.addVersion()
    let run = try ActionRun(in: workspace, event: pullRequest(workspace))
    #expect(run.result.status == 0, "\(run.result)")
    #expect(run.outputs == ["exit-code": "0"])
    #expect(!run.result.standardOutput.contains("::error") && !run.result.standardOutput.contains("::warning"))
  }

  @Test("A clone without history gets only the missing base")
  func shallowClone() throws {
    let origin = try SampleFolder.repository(isLocked: false)
    try origin.editShippedVersion()
    let base = try pullRequest(origin)
    let clone = try origin.shallowClone()
    let run = try ActionRun(in: clone, event: base)
    #expect(run.result.status == 1, "\(run.result)")
    #expect(run.result.standardOutput.contains("[unversioned-change]"))
    #expect(try clone.shell("git rev-parse --is-shallow-repository") == "true")
  }

  @Test("A branch can be the base, also where only the pull request's branch was cloned")
  func branchAsBase() throws {
    let origin = try SampleFolder.repository(isLocked: false)
    try origin.editShippedVersion()
    let clone = try origin.shallowClone()
    let run = try ActionRun(in: clone, inputs: ["base": "origin/main"])
    #expect(run.result.status == 1, "\(run.result)")
    #expect(run.result.standardOutput.contains("[unversioned-change]"))
  }

  @Test("A clone without tags gets them if the configuration defines tags as releases")
  func tags() throws {
    let origin = try SampleFolder.repository(isLocked: false)
    try origin.shell("git tag 1.0")
    try origin.write(#"{ "released": { "tags": "1.*" } }"#, to: ".modelctl.json")
    try origin.editShippedVersion()
    let clone = try origin.shallowClone()
    let run = try ActionRun(in: clone)
    #expect(run.result.status == 1, "\(run.result)")
    #expect(
      run.result.standardOutput.contains(
        "although v2 is released (tag 1.0), so stores of v2 no longer open [unversioned-change]"))
    #expect(try clone.shell("git tag") == "1.0")
    #expect(try clone.shell("git rev-parse --is-shallow-repository") == "true")

    let without = try origin.shallowClone()
    try without.write("{}", to: ".modelctl.json")
    _ = try ActionRun(in: without)
    #expect(try without.shell("git tag") == "")

    let alone = try origin.shallowClone()
    try alone.shell("git remote set-url origin file:///no/such/place")
    let refused = try ActionRun(in: alone)
    #expect(refused.result.status == 2)
    #expect(refused.result.standardError.contains("check: the tags that .modelctl.json names cannot be fetched"))
  }

  @Test(
    "A base that cannot be had stops the check", arguments: ["origin/gone", "0123456789012345678901234567890123456789"])
  func missingBase(_ base: String) throws {
    let workspace = try SampleFolder.repository()
    let run = try ActionRun(in: workspace, inputs: ["base": base])
    #expect(run.result.status == 2)
    #expect(run.outputs == ["exit-code": "2"])
    #expect(
      run.result.standardError.hasSuffix(
        "check: the base \(base) is not in this clone and cannot be fetched; check out the whole history "
          + "(fetch-depth: 0)\n"))
  }

  @Test("The check of a tag fails until the current version is recorded as released")
  func release() throws {
    let workspace = try SampleFolder.repository()
    try workspace.addVersion()
    let refused = try ActionRun(in: workspace, inputs: ["release": "true"])
    #expect(refused.result.status == 1, "\(refused.result)")
    #expect(
      refused.result.standardOutput.contains(
        "error: v3, the current version of the bundle Todo, is not in the lock file"))
    #expect(try ActionRun(in: workspace).result.status == 0)
    try workspace.shell("modelctl lock")
    #expect(try ActionRun(in: workspace, inputs: ["release": "true"]).result.status == 0)
  }

  @Test("A push to the default branch is compared with the previous state; a push to another branch is not")
  func push() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    let before = try workspace.shell("git rev-parse main")
    try workspace.editShippedVersion()
    let event = ["event.before": before, "event.repository.default_branch": "main"]
    let main = try ActionRun(in: workspace, event: event.merging(["ref_name": "main"]) { $1 })
    #expect(main.result.status == 1)
    let other = try ActionRun(in: workspace, event: event.merging(["ref_name": "edit"]) { $1 })
    #expect(other.result.standardOutput.contains("[missing-lock]"))
    #expect(!other.result.standardOutput.contains("[unversioned-change]"))
    let first = try ActionRun(
      in: workspace,
      event: [
        "event.before": String(repeating: "0", count: 40), "event.repository.default_branch": "main",
        "ref_name": "main",
      ])
    #expect(first.result == other.result)
  }

  @Test("A file that cannot be read is shown as well, and makes the check fail as one that could not run")
  func unreadableFile() throws {
    let workspace = try SampleFolder.repository()
    try workspace.edit("\(SampleFolder.bundle)/v1.xcdatamodel/contents", "    <entity", "<<<<<<< HEAD\n    <entity")
    let run = try ActionRun(in: workspace)
    #expect(run.result.status == 2)
    #expect(run.outputs == ["exit-code": "2"])
    #expect(
      run.result.standardOutput.contains(
        "::error title=not checked::\(SampleFolder.bundle)/v1.xcdatamodel/contents:3:1: ")
    )
    #expect(run.summary.contains("1. **Not checked**: \(SampleFolder.bundle)/v1.xcdatamodel/contents:3:1: "))
  }

  @Test("The workflow to copy gives inputs that the action has; the page explains them all")
  func inputsAreKnown() throws {
    let docs = ActionRun.repository.appendingPathComponent("docs")
    let action = try ActionFile(
      String(contentsOf: ActionRun.repository.appendingPathComponent("action.yml"), encoding: .utf8))
    #expect(
      action.inputs.keys.sorted() == [
        "annotations", "base", "checksum", "junit-file", "modelctl", "path", "release", "sarif-file", "summary",
        "version",
      ])
    let page = try String(contentsOf: docs.appendingPathComponent("guides/ci.md"), encoding: .utf8)
    for name in action.inputs.keys { #expect(page.contains("`\(name)`"), "\(name)") }
    let workflow = try String(contentsOf: docs.appendingPathComponent("ci/github.yml"), encoding: .utf8)
    let step = try #require(
      workflow.components(separatedBy: "uses: OWNER/modelctl").last?.components(separatedBy: "- uses:").first)
    let given = step.split(separator: "\n").filter { $0.hasPrefix("          ") }.compactMap {
      $0.split(separator: ":").first
    }
    #expect(!given.isEmpty)
    for name in given { #expect(action.inputs.keys.contains(name.trimmingCharacters(in: .whitespaces))) }
  }

  @Test("Unwanted parts are left out; there is one path per line")
  func inputs() throws {
    let workspace = try SampleFolder.repository()
    try workspace.editShippedVersion()
    try workspace.write("nothing here", to: "Other/README")
    let run = try ActionRun(
      in: workspace,
      inputs: ["annotations": "false", "summary": "false", "junit-file": "j.xml", "path": "App/Todo.xcdatamodeld\n"])
    #expect(run.result.status == 1)
    #expect(!run.result.standardOutput.contains("::error"))
    #expect(run.summary.isEmpty)
    let report = try String(contentsOf: workspace.url.appendingPathComponent("j.xml"), encoding: .utf8)
    #expect(report.contains(#"<failure type="error""#))
  }

  @Test(
    "No text of a change becomes shell", arguments: ["$(touch pwned)", "'; touch pwned; '", "--format\njson=pwned"])
  func injection(_ path: String) throws {
    let workspace = try SampleFolder.repository()
    for inputs in [["path": path], ["base": path], ["sarif-file": "$(touch pwned)/x"]] {
      let run = try ActionRun(in: workspace, inputs: inputs)
      #expect(run.result.status == 2, "\(inputs): \(run.result)")
    }
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("pwned").path))
    let file = try String(contentsOf: ActionRun.repository.appendingPathComponent("action.yml"), encoding: .utf8)
    for step in ActionFile(file).steps { #expect(!step.script.contains("${{")) }
  }

  @Test("A missing modelctl is built once, and found again in the cache")
  func build() throws {
    let workspace = try SampleFolder.repository()
    let modelctl = try #require(Modelctl.folder).appendingPathComponent("modelctl").path
    let tools = try TemporaryFolder()
    // In place of the compiler, which would take minutes: it says where it builds, and builds by copying.
    let swift = """
      #!/bin/sh
      case "$*" in
        *--show-bin-path) echo '\(tools.url.path)/built' ;;
        build*) echo built >>'\(tools.url.path)/log'; mkdir -p '\(tools.url.path)/built'; cp '\(modelctl)' '\(tools.url.path)/built' ;;
      esac
      """
    try Data(swift.utf8).write(to: tools.url.appendingPathComponent("swift"))
    try workspace.shell("chmod +x '\(tools.url.path)/swift'")
    let path = "\(tools.url.path):/usr/bin:/bin"
    let run = try ActionRun(in: workspace, path: path)
    #expect(run.steps == ["Look for modelctl", "Install modelctl", "Check the models"])
    #expect(run.result.status == 0, "\(run.result)")
    #expect(try String(contentsOf: tools.url.appendingPathComponent("log"), encoding: .utf8) == "built\n")

    let kept = ["MODELCTL_FOLDER": tools.url.appendingPathComponent("built").path, "PATH": path]
    let install = try Modelctl.shell(
      "'\(ActionRun.repository.path)/scripts/ci/install'", environment: kept, in: workspace)
    #expect(install == Modelctl.Result(status: 0, standardOutput: "\(tools.url.path)/built\n", standardError: ""))
    #expect(try String(contentsOf: tools.url.appendingPathComponent("log"), encoding: .utf8) == "built\n")
  }

  @Test("A built modelctl can be named; one that is none is refused")
  func named() throws {
    let workspace = try SampleFolder.repository()
    let modelctl = try #require(Modelctl.folder).appendingPathComponent("modelctl").path
    let run = try ActionRun(in: workspace, inputs: ["modelctl": modelctl], path: "/usr/bin:/bin")
    #expect(run.result.status == 0, "\(run.result)")
    let refused = try ActionRun(in: workspace, inputs: ["modelctl": "nothing"])
    #expect(refused.result.status == 2)
    #expect(
      refused.result.standardError
        == "install: nothing is no program; name a built modelctl, or leave it out to have one built\n")
  }

  @Test("GitLab's variables give the base and its two reports")
  func gitlab() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    try workspace.editShippedVersion()
    let job = try String(
      contentsOf: ActionRun.repository.appendingPathComponent("docs/ci/gitlab-ci.yml"), encoding: .utf8)
    let lines = job.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    var environment = ["CI_MERGE_REQUEST_DIFF_BASE_SHA": try workspace.shell("git rev-parse main")]
    for line in lines where line.hasPrefix("MODELCTL_") {
      let sides = line.components(separatedBy: ": ")
      environment[sides[0]] = sides[1]
    }
    let start = try #require(lines.firstIndex(of: "script:"))
    let script = lines[(start + 1)...].prefix { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
    #expect(script.contains("/tmp/modelctl/scripts/ci/check"))
    let result = try Modelctl.shell(
      script.replacingOccurrences(of: "/tmp/modelctl", with: ActionRun.repository.path), environment: environment,
      in: workspace)
    #expect(result.status == 1, "\(result)")
    let quality = try String(
      contentsOf: workspace.url.appendingPathComponent("modelctl-code-quality.json"), encoding: .utf8)
    #expect(quality.contains(#""check_name" : "unversioned-change""#))
    let junit = try String(contentsOf: workspace.url.appendingPathComponent("modelctl-junit.xml"), encoding: .utf8)
    #expect(junit.contains(#"<testcase classname="modelctl.unversioned-change""#))
    // The tag of a release fails until the current version is recorded, as in GitHub.
    #expect(lines.contains { $0.hasPrefix("- if: $CI_COMMIT_TAG") })
    let released = try SampleFolder.repository()
    try released.addVersion()
    environment["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = nil
    let line = script.replacingOccurrences(of: "/tmp/modelctl", with: ActionRun.repository.path)
    #expect(try Modelctl.shell(line, environment: environment, in: released).status == 0)
    environment["CI_COMMIT_TAG"] = "1.0"
    let tagged = try Modelctl.shell(line, environment: environment, in: released)
    #expect(tagged.status == 1 && tagged.standardOutput.contains("[lock-missing-version]"), "\(tagged)")
    try released.shell("modelctl lock")
    #expect(try Modelctl.shell(line, environment: environment, in: released).status == 0)
  }
}
