import Foundation
import TestSupport
import Testing

@Suite("A retired version can be deleted, and nothing else is removed from a lock file")
struct RetiredVersionTests {
  private static let bundle = SampleFolder.bundle
  private static let lock = "App/Todo.lock.json"

  /// A repository with v1 to v4, all released, of which v4 is current, a tag for v3 and v4, and a store of v1.
  private func repository() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    try workspace.shell("modelctl create old.sqlite --version Todo@v1 --rows 2 --seed 1")
    for (version, former) in [("v3", "v2"), ("v4", "v3")] {
      try workspace.shell("cp -R \(Self.bundle)/\(former).xcdatamodel \(Self.bundle)/\(version).xcdatamodel")
      try workspace.edit(
        "\(Self.bundle)/\(version).xcdatamodel/contents", "<attribute name=\"title\"",
        "<attribute name=\"in\(version)\" optional=\"YES\" attributeType=\"String\"/>\n        <attribute name=\"title\""
      )
      try workspace.edit("\(Self.bundle)/.xccurrentversion", "\(former).xcdatamodel", "\(version).xcdatamodel")
      try workspace.shell("modelctl lock")
      try workspace.commit(version)
      try workspace.shell("git tag release-\(version)")
    }
    return workspace
  }

  private func text(_ path: String, in workspace: SampleFolder) throws -> String {
    try String(contentsOf: workspace.url.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("A range is retired with a reason and a day; its versions may be deleted, and nothing is demanded of them")
  func range() throws {
    let workspace = try repository()
    let retired = try workspace.modelctl("lock", "--retire", "v1..v2", "--reason", "nobody has them any more")
    #expect(retired.status == 0)
    #expect(retired.standardOutput == "\(Self.lock): v1 is retired\n\(Self.lock): v2 is retired\n", "\(retired)")
    let deletion = "git rm -r \(Self.bundle)/v1.xcdatamodel \(Self.bundle)/v2.xcdatamodel"
    #expect(retired.standardError.contains(deletion), "\(retired)")
    let lock = try text(Self.lock, in: workspace)
    let entry = try #require(
      lock.firstMatch(of: /"v1": \{\n      "state": "retired",\n      "retiredOn": "([0-9-]+)",/))
    let day = try #require(Int(entry.1.prefix(4)))
    #expect(day >= 2024 && entry.1.count == 10)
    #expect(lock.contains(#""reason": "nobody has them any more""#))
    let here = try workspace.modelctl("check")
    #expect(here.status == 1)
    #expect(here.standardOutput.contains("v1 is retired (its support ended on \(entry.1): nobody"), "\(here)")
    #expect(here.standardOutput.contains("delete it: git rm -r \(Self.bundle)/v1.xcdatamodel; or"), "\(here)")
    try workspace.shell(deletion)
    for arguments in [[], ["--base", "main"], ["--release"]] {
      let checked = try Modelctl.run(["check"] + arguments, in: workspace)
      #expect(checked.status == 0, "\(arguments): \(checked)")
      #expect(checked.standardError.hasSuffix("no findings; passed\n"), "\(checked)")
    }
    try workspace.commit("less")
    #expect(try workspace.modelctl("check", "--base", "HEAD~").status == 0)
    // Recording goes on, and retiring them again changes nothing.
    let before = try text(Self.lock, in: workspace)
    try workspace.shell("modelctl lock && modelctl lock --all")
    let again = try workspace.modelctl("lock", "--retire", "v1..v2", "--reason", "nobody has them any more")
    #expect(again.standardOutput.contains("v1 is already retired\n"), "\(again)")
    #expect(try text(Self.lock, in: workspace) == before)
  }

  @Test("status shows the end of support, its reason, and the build that still migrates the store; its advice works")
  func status() throws {
    let workspace = try repository()
    try workspace.shell("modelctl lock --retire v1 --retire v2 --reason 'too old'")
    let retired = try workspace.modelctl("status", "old.sqlite")
    #expect(retired.status == 0)
    #expect(retired.standardOutput.contains("note: v1 is retired: its support ended on "), "\(retired)")
    #expect(try workspace.modelctl("migrate", "old.sqlite", "--dry-run").status == 0)
    try workspace.shell("git rm -rq \(Self.bundle)/v1.xcdatamodel \(Self.bundle)/v2.xcdatamodel")
    try workspace.commit("retired")
    let result = try workspace.modelctl("status", "old.sqlite")
    #expect(result.status == 1)
    let words = result.standardOutput.replacing(/\n +/, with: " ")
    #expect(words.contains("written by v1 of \(Self.bundle), a retired version; its support ended on "), "\(result)")
    #expect(
      words.contains(
        ": too old cannot be migrated here; the last build that can migrate it is the build of release-v4, to v4"))
    let command = "git checkout release-v4 -- \(Self.bundle)/v1.xcdatamodel"
    #expect(words.contains("or restore v1: \(command) then: modelctl migrate old.sqlite"), "\(result)")
    let document = try JSONDecoder().decode(
      JSONValue.self, from: Data(workspace.modelctl("status", "old.sqlite", "--format", "json").standardOutput.utf8))
    let recorded = document["stores"]?.elements.first?["recorded"]
    #expect(recorded?["reason"] == .string("too old") && recorded?["lastBuild"] == .string("release-v4"))
    let refused = try workspace.modelctl("migrate", "old.sqlite")
    #expect(refused.status == 2)
    #expect(refused.standardError.contains("v1 of \(Self.bundle) wrote this store, and is retired: "), "\(refused)")
    try workspace.shell(command)
    try workspace.shell("modelctl migrate old.sqlite")
  }

  @Test("Without tags the last commit is named")
  func untagged() throws {
    let workspace = try repository()
    try workspace.shell("git tag -d release-v3 release-v4 && modelctl lock --retire v1 --reason old")
    try workspace.shell("git rm -rq \(Self.bundle)/v1.xcdatamodel")
    let head = try workspace.shell("git rev-parse --short=10 HEAD")
    try workspace.commit("retired")
    let result = try workspace.modelctl("status", "old.sqlite")
    let deletion = try workspace.shell("git rev-parse --short=10 HEAD")
    #expect(result.standardOutput.contains("is the build of \(deletion)~, to v4"), "\(head) \(result)")
  }

  @Test(
    "An invalid retirement is refused, and nothing is written",
    arguments: [
      (["v4"], "v4 is the current version, and stores are migrated to it\n  Retire older versions only"),
      (["v1..v4"], "v4 is the current version"), (["v3..v1"], "v1 is older than v3\n  Write the range as v1..v3"),
      (["v9"], "\(lock) has no version “v9”"), (["v1..v9"], "has no version “v9”"),
      (["v1..v2..v3"], "has no version “v1..v2..v3”"), (["v1", "v9"], "has no version “v9”"),
    ])
  func refusals(_ versions: [String], _ words: String) throws {
    let workspace = try repository()
    let before = try workspace.contents()
    try Refusal.expect(
      ["lock"] + versions.flatMap { ["--retire", $0] } + ["--reason", "old"], says: [words], in: workspace)
    #expect(try workspace.contents() == before)
  }

  @Test("A draft has no stores to be supported, and a retired version is recorded again only on purpose")
  func states() throws {
    let workspace = try repository()
    try workspace.shell("modelctl lock --draft --relock \(Self.bundle)/v3.xcdatamodel")
    try Refusal.expect(
      ["lock", "--retire", "v3", "--reason", "old"], says: ["v3 is a draft, so users do not have stores of it"],
      in: workspace)
    // A range leaves drafts out.
    #expect(
      try workspace.shell("modelctl lock --retire v2..v3 --reason old") == "\(Self.lock): v2 is retired")
    let path = "\(Self.bundle)/v2.xcdatamodel"
    try Refusal.expect(
      ["lock", path],
      says: [
        "v2 is retired since ", "(old)\n  To support its stores again, record it:\n    modelctl lock --relock \(path)",
      ],
      in: workspace)
    try workspace.shell("modelctl lock --relock \(path)")
    #expect(try !text(Self.lock, in: workspace).contains("retired"))
  }

  @Test("A retired version is protected like a released version, and its name stays reserved")
  func protected() throws {
    let workspace = try repository()
    let made = try workspace.modelctl("lock", "--retire", "v1..v2", "--reason", "too old", "--format", "json")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(made.standardOutput.utf8))
    let records = document["records"]?.elements ?? []
    #expect(records.count == 2 && records.allSatisfy { $0["reason"] == .string("too old") }, "\(made)")
    let day = try #require(text(Self.lock, in: workspace).firstMatch(of: /"retiredOn": "([0-9-]+)"/)).1
    #expect(records.allSatisfy { $0["retiredOn"] == .string(String(day)) }, "\(made)")
    let path = "\(Self.bundle)/v1.xcdatamodel"
    for place in [path, path + "/contents"] {
      for edit in [["set", "Todo.title", "optional=YES"], ["remove", "Todo.title"], ["undo"]] {
        try Refusal.expect(
          ["edit"] + edit + ["--in", place],
          says: ["version v1 is retired, as \(Self.lock) records", "--allow-released"], in: workspace)
      }
    }
    try Refusal.expect(
      ["edit", "current", "v1", "--model", Self.bundle],
      says: ["v1 is retired since ", "modelctl lock --relock \(path)"], in: workspace)
    let edited = try workspace.modelctl(
      "edit", "set", "Todo.title", "optional=YES", "--in", path, "--allow-released", "--dry-run")
    #expect(edited.status == 0, "\(edited)")
    try workspace.shell("git rm -rq \(path) \(Self.bundle)/v3.xcdatamodel")
    for version in ["v1", "v3"] {
      try Refusal.expect(
        ["new-version", version],
        says: ["\(version) is recorded with its hashes", "git log -p -- \(Self.bundle)/\(version).xcdatamodel"],
        in: workspace)
    }
    #expect(try workspace.modelctl("new-version", "v5").status == 0)
  }

  @Test("A version that several bundles have is named with its bundle")
  func severalBundles() throws {
    let workspace = try repository()
    try workspace.shell(
      "mkdir B && cp -R \(Self.bundle) B/Notes.xcdatamodeld && modelctl lock --all B/Notes.xcdatamodeld")
    try Refusal.expect(
      ["lock", "--retire", "v1", "--reason", "old"], says: ["Todo@v1", "Notes@v1"], in: workspace)
    #expect(
      try workspace.shell("modelctl lock --retire Notes@v1 --reason old") == "B/Notes.lock.json: v1 is retired")
    #expect(try !text(Self.lock, in: workspace).contains("retired"))
  }

  @Test("An entry that is taken out by hand is an error without a base, and nothing is recorded over it")
  func takenOut() throws {
    let workspace = try repository()
    let whole = try text(Self.lock, in: workspace)
    let entry = try #require(whole.firstMatch(of: #/    "v3": \{(.|\n)*?\n    \},\n/#))
    try workspace.write(
      whole.replacing(entry.0, with: "").replacing(#""sameAs": "v3""#, with: #""sameAs": "v2""#), to: Self.lock)
    try workspace.shell("git rm -rq \(Self.bundle)/v3.xcdatamodel")
    let broken = try workspace.modelctl("check")
    #expect(broken.status != 0, "\(broken)")
    try workspace.shell("git checkout --quiet HEAD -- .")
    try workspace.edit(Self.lock, "\"v3\": {\n      \"state\": \"released\"", "\"v3\": {\n      \"state\": \"draft\"")
    let flipped = try workspace.modelctl("check")
    #expect(flipped.status == 1)
    #expect(
      flipped.standardOutput.contains(
        "\(Self.lock):3:15: error: the list of released versions is not as modelctl wrote it"),
      "\(flipped)")
    for arguments in [["lock"], ["lock", "--all"], ["init", "--dry-run"]] {
      try Refusal.expect(
        arguments,
        says: [
          "\(Self.lock):3:15: the list of released versions is not as modelctl wrote it", "git log -p -- \(Self.lock)",
        ],
        in: workspace)
    }
  }

  @Test("For a lock file without a digest, git's history shows removed entries; the first recording adds the digest")
  func history() throws {
    let workspace = try SampleFolder.repository()
    try MappingGuardTests.write(inFirstForm: workspace.url.appendingPathComponent(Self.lock))
    try workspace.commit("first form")
    #expect(try workspace.modelctl("check").status == 0)
    let whole = try text(Self.lock, in: workspace)
    let root = try #require(try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
    var versions = try #require(root["versions"] as? [String: Any])
    versions["v1"] = nil
    let less = try JSONSerialization.data(
      withJSONObject: ["version": 1, "versions": versions], options: [.prettyPrinted, .withoutEscapingSlashes])
    try workspace.write(String(decoding: less, as: UTF8.self), to: Self.lock)
    try workspace.shell("git rm -rq \(Self.bundle)/v1.xcdatamodel")
    for isCommitted in [false, true] {
      if isCommitted { try workspace.commit("without v1") }
      let found = try workspace.modelctl("check")
      #expect(found.status == 1)
      #expect(
        found.standardOutput.contains(
          /error: v1 was released but is not in the lock file any more; [0-9a-f]+ has its entry \[lock-rewritten\]/),
        "\(found)")
    }
    try workspace.shell("modelctl lock --relock \(Self.bundle)/v2.xcdatamodel && modelctl lock --all")
    #expect(try text(Self.lock, in: workspace).hasPrefix("{\n  \"version\": 3,\n  \"recorded\": \""))
  }

  @Test("Git merges the records and retirements of two branches, and the list stays complete")
  func merge() throws {
    let workspace = try repository()
    try workspace.shell("modelctl init --git && git add -A && git commit -qm git")
    try workspace.shell("git switch -qc retire && modelctl lock --retire v1 --reason 'old, says one'")
    try workspace.commit("retire v1")
    try workspace.shell("git switch -q main && modelctl lock --retire v2 --reason old")
    try workspace.shell("git rm -rq \(Self.bundle)/v2.xcdatamodel")
    try workspace.commit("retire v2")
    try workspace.shell("git merge --quiet --no-edit retire")
    let lock = try text(Self.lock, in: workspace)
    #expect(lock.components(separatedBy: "\"state\": \"retired\"").count == 3, "\(lock)")
    #expect(try workspace.modelctl("check").standardOutput.contains("v1 is retired"))
    try workspace.shell("git rm -rq \(Self.bundle)/v1.xcdatamodel")
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("Contradictory records of two branches are a conflict between markers, named with its version")
  func mergeConflict() throws {
    let workspace = try repository()
    try workspace.shell(
      "cp \(Self.lock) base.lock.json && cp base.lock.json 'our s.lock.json' && cp base.lock.json theirs.lock.json")
    for side in ["our s", "theirs"] {
      let hash = side == "theirs" ? "Integer 64" : "Integer 32"
      let path = "\(Self.bundle)/v2.xcdatamodel"
      try workspace.edit("\(path)/contents", "\"Integer 16\"", "\"\(hash)\"")
      try workspace.shell("modelctl lock --relock \(path) && mv \(Self.lock) '\(side).lock.json'")
      try workspace.shell("git checkout --quiet -- App")
    }
    let result = try workspace.modelctl("merge", "base.lock.json", "our s.lock.json", "theirs.lock.json")
    #expect(result.status == 1, "\(result)")
    #expect(result.standardError.contains("our s.lock.json: conflict: v2 has two different records"), "\(result)")
    #expect(result.standardError.hasSuffix("before: git add 'our s.lock.json'\n"), "\(result)")
    #expect(try text("our s.lock.json", in: workspace).contains("<<<<<<< ours\n"))
    // Both sides that retire one version: the earlier day stands.
    try workspace.shell("cp base.lock.json ours.lock.json && cp base.lock.json theirs.lock.json")
    try workspace.shell("modelctl lock --retire v1 --reason mine && cp \(Self.lock) ours.lock.json")
    try workspace.write(
      text(Self.lock, in: workspace).replacing(/"retiredOn": "[0-9-]+"/, with: "\"retiredOn\": \"2020-01-31\"")
        .replacing("mine", with: "theirs"), to: "theirs.lock.json")
    #expect(try workspace.modelctl("merge", "base.lock.json", "ours.lock.json", "theirs.lock.json").status == 0)
    let merged = try text("ours.lock.json", in: workspace)
    #expect(merged.contains("2020-01-31") && merged.contains("\"theirs\"") && !merged.contains("mine"), "\(merged)")
    let other = try workspace.modelctl(
      "merge", "base.lock.json", SampleFolder.contents, "theirs.lock.json", "--path", "x.lock.json")
    #expect(other.status == 2, "\(other)")
  }
}
