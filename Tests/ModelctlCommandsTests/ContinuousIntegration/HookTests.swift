import Foundation
import TestSupport
import Testing

@Suite("The hook, in a scratch repository")
struct HookTests {
  private static let script = ActionRun.repository.appendingPathComponent("scripts/pre-commit").path

  private func repository() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("ln -s '\(Self.script)' .git/hooks/pre-commit")
    return workspace
  }

  @Test("A commit that edits a shipped version is refused; one that adds a version is made")
  func commits() throws {
    let edited = try repository()
    #expect(throws: CocoaError.self) { try edited.editShippedVersion() }
    #expect(try edited.shell("git log --format=%s") == "The app")
    let refused = try Modelctl.shell("git commit --quiet --all --message again", in: edited)
    #expect(refused.status == 1)
    #expect((refused.standardOutput + refused.standardError).contains("[unversioned-change]"))

    let added = try repository()
    try added.addVersion()
    #expect(try added.shell("git log --format=%s") == "Notes\nThe app")
  }

  @Test("Without a lock file the default branch of the remote repository defines the released versions")
  func remote() throws {
    let origin = try SampleFolder.repository(isLocked: false)
    let clone = try SampleFolder()
    try clone.shell("rm -r Models Migrations && git clone --quiet 'file://\(origin.url.path)' .")
    try clone.shell("ln -s '\(Self.script)' .git/hooks/pre-commit")
    #expect(throws: CocoaError.self) { try clone.editShippedVersion() }
    #expect(try clone.shell("git log --format=%s") == "The app")
    // What is asked for goes before what is found.
    let head = try Modelctl.shell("'\(Self.script)' --base HEAD^{tree}", in: clone)
    #expect(head.status == 2, "\(head)")
    // A commit from below the root is no different.
    try clone.shell("git restore --staged --worktree . && git switch --quiet main")
    try clone.addVersion()
    #expect(
      try clone.shell("cd App && git commit --quiet --allow-empty --message Empty && git log -1 --format=%s") == "Empty"
    )
  }

  /// The command that a hook runs in a folder, without the way it calls modelctl.
  private static let hook = """
    #!/bin/sh
    cd "./$HOOK_FOLDER" && modelctl check --base main && modelctl show "$HOOK_MODEL" >/dev/null && modelctl log
    """

  private func install(in repository: String, of workspace: SampleFolder) throws {
    let place = try workspace.shell("cd \(repository) && cd \"$(git rev-parse --git-path hooks)\" && pwd")
    try Data(Self.hook.utf8).write(to: URL(fileURLWithPath: "\(place)/pre-commit"))
    try workspace.shell("chmod +x '\(place)/pre-commit'")
  }

  @Test(
    "A hook finds the project in a linked work tree, from its top and from a subfolder, however git was called",
    arguments: [("", "."), ("App", "."), ("App", "App")])
  func linkedWorkTree(_ folder: String, _ start: String) throws {
    let workspace = try SampleFolder.repository()
    try install(in: ".", of: workspace)
    try workspace.shell("git worktree add --quiet ../linked-\(workspace.url.lastPathComponent) -b other")
    let linked = "../linked-\(workspace.url.lastPathComponent)"
    defer { _ = try? workspace.shell("rm -rf \(linked)") }
    let runs = [
      "cd \(linked)/\(start) && git commit --allow-empty --message empty",
      "git -C \(linked)/\(start) commit --allow-empty --message empty",
      "cd \(linked)/\(start) && touch \(start)x y && git add y && git commit --all --message file",
    ]
    for run in runs {
      let result = try Modelctl.shell(
        run, environment: ["HOOK_FOLDER": folder, "HOOK_MODEL": "v1"], in: workspace)
      let output = result.standardOutput + result.standardError
      #expect(result.status == 0 && output.contains("passed"), "\(run): \(result)")
      #expect(!output.contains("not committed") && output.contains("v2 (current, released), "), "\(run): \(result)")
    }
    try workspace.shell(
      "cd \(linked) && sed -i.before 's/name=\"title\" attr/name=\"title\" optional=\"YES\" attr/' \(SampleFolder.contents)"
    )
    let refused = try Modelctl.shell(
      "cd \(linked)/\(start) && git commit --all --message edit", environment: ["HOOK_FOLDER": folder], in: workspace)
    #expect(refused.status == 1, "\(refused)")
    #expect((refused.standardOutput + refused.standardError).contains("[unversioned-change]"), "\(refused)")
  }

  @Test("A hook finds the project in a submodule", arguments: ["", "App"])
  func submodule(_ folder: String) throws {
    let inner = try SampleFolder.repository()
    let outer = try SampleFolder.repository()
    try outer.shell("git -c protocol.file.allow=always submodule --quiet add 'file://\(inner.url.path)' sub")
    try install(in: "sub", of: outer)
    for run in ["cd sub && git commit", "git -C sub commit", "cd sub/App && git commit --all"] {
      let result = try Modelctl.shell(
        "\(run) --allow-empty --message empty", environment: ["HOOK_FOLDER": folder, "HOOK_MODEL": "v1"], in: outer)
      let output = result.standardOutput + result.standardError
      #expect(result.status == 0 && output.contains("passed") && !output.contains("sub/"), "\(run): \(result)")
      #expect(!output.contains("not committed") && output.contains("v2 (current, released), "), "\(run): \(result)")
    }
    // The hook of the outer repository sees both, each with its own history.
    try install(in: ".", of: outer)
    let result = try Modelctl.shell(
      "git commit --all --message both", environment: ["HOOK_FOLDER": folder, "HOOK_MODEL": "Todo@v1"], in: outer)
    #expect(!(result.standardOutput + result.standardError).contains("not committed"), "\(result)")
  }

  @Test("A missing modelctl is reported")
  func missing() throws {
    let workspace = try SampleFolder.repository()
    let result = try Modelctl.shell("'\(Self.script)'", environment: ["PATH": "/usr/bin:/bin"], in: workspace)
    #expect(
      result
        == Modelctl.Result(
          status: 2, standardOutput: "",
          standardError:
            "pre-commit: modelctl is not on PATH; build it as its README says, or commit with --no-verify\n"))
  }

  @Test("pre-commit runs the same script for every commit, those that only delete files among them")
  func definition() throws {
    let text = try String(
      contentsOf: ActionRun.repository.appendingPathComponent(".pre-commit-hooks.yaml"), encoding: .utf8)
    let members = Dictionary(
      text.split(separator: "\n").compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (
          line[..<colon].trimmingCharacters(in: [" ", "-"]),
          line[line.index(after: colon)...].trimmingCharacters(in: [" ", "'"])
        )
      }
    ) { first, _ in first }
    #expect(members["id"] == "modelctl-check")
    #expect(members["language"] == "script")
    #expect(members["pass_filenames"] == "false")
    let entry = try #require(members["entry"])
    #expect(ActionRun.repository.appendingPathComponent(entry).path == Self.script)
    #expect(FileManager.default.isExecutableFile(atPath: Self.script))
    #expect(members["files"] == nil)
    #expect(members["always_run"]?.hasPrefix("true") == true)
  }
}
