import Foundation
import TestSupport
import Testing

@Suite("A finding has its reason and its advice once")
struct FindingTextTests {
  private static let old = "\(SampleFolder.bundle)/v1.xcdatamodel"

  @Test("Several edits of one version have one fix, with their number; a rename in place is one")
  func shared() throws {
    let workspace = try SampleFolder.repository()
    let contents = "\(Self.old)/contents"
    try workspace.edit(contents, "name=\"isDone\"", "name=\"isDone\" optional=\"YES\"")
    try workspace.edit(contents, "name=\"title\"", "name=\"titleText\"")
    let found = try workspace.modelctl("check", "--base", "main")
    #expect(found.status == 1)
    let lines = found.standardOutput.split(separator: "\n")
    #expect(lines.filter { $0.hasSuffix("[unversioned-change]") }.count == 2, "\(found)")
    #expect(
      found.standardOutput.contains("Todo.title seems to be renamed to titleText, although v1 is released"), "\(found)")
    #expect(found.standardOutput.contains(", so stores of v1 no longer open [unversioned-change]"), "\(found)")
    #expect(found.standardOutput.contains("(recorded in Todo.lock.json, in main)"), "\(found)")
    let fixes = lines.filter { $0.contains("restore it") }
    #expect(fixes.count == 1 && fixes[0].hasPrefix("  fix of these 2: restore it: git checkout"), "\(found)")
    #expect(found.standardError.contains("why it matters: modelctl check --explain unversioned-change\n"), "\(found)")
    #expect(try workspace.modelctl("check", "--explain", "unversioned-change").status == 0)
    // Documents keep the fix of each.
    let document = try workspace.modelctl("check", "--base", "main", "--format", "json").standardOutput
    #expect(document.components(separatedBy: "restore it: ").count == 3, "\(document)")
  }

  @Test("A check that passes names no rule")
  func passed() throws {
    #expect(try !SampleFolder.repository().modelctl("check").standardError.contains("--explain"))
  }

  @Test("Tags of a later release do not count on a maintenance branch, and are listed on request")
  func maintenance() throws {
    let workspace = try SampleFolder.repository(isLocked: false)
    try workspace.write(#"{ "released": { "tags": "r*" } }"#, to: ".modelctl.json")
    try workspace.commit("tags")
    try workspace.shell("git tag r1")
    try workspace.addVersion()
    try workspace.shell("git tag r2 && git switch -qc hotfix r1")
    let found = try workspace.modelctl("check")
    #expect(found.status == 0, "\(found)")
    #expect(
      try workspace.shell("modelctl check --list-tags")
        == "r1\nr2: left out, because it is not an ancestor of HEAD")
    try workspace.shell("git switch -q add")
    #expect(try workspace.shell("modelctl check --list-tags") == "r1\nr2")
    try workspace.shell("git rm -rq \(Self.old)")
    #expect(try workspace.modelctl("check").standardOutput.contains("although it is released (tag r1)"))
    try workspace.write("{}", to: ".modelctl.json")
    #expect(try workspace.modelctl("check", "--list-tags").standardError.contains("no tag counts as a release"))
  }
}
