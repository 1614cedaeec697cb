import Foundation
import TestSupport
import Testing

@Suite("A release that is not recorded is noticed")
struct ReleaseTests {
  @Test("check --release fails until lock has recorded the current version, by the command that it names")
  func release() throws {
    let workspace = try SampleFolder.repository()
    #expect(try workspace.modelctl("check", "--release").status == 0)
    try workspace.addVersion()
    let path = "\(SampleFolder.bundle)/v3.xcdatamodel"
    let refused = try workspace.modelctl("check", "--release")
    #expect(refused.status == 1)
    #expect(
      refused.standardOutput.contains(
        "error: v3, the current version of the bundle Todo, is not in the lock file, but a release must record it [lock-missing-version]"
      ))
    #expect(refused.standardOutput.contains("fix: record it: modelctl lock \(path)\n"))
    try workspace.shell("modelctl lock --draft \(path)")
    let draft = try workspace.modelctl("check", "--release")
    #expect(draft.status == 1)
    #expect(
      draft.standardOutput.contains(
        "v3, the current version of the bundle Todo, is a draft in the lock file, but a release must record it"))
    #expect(try workspace.modelctl("check").status == 0)
    try workspace.shell("modelctl lock \(path)")
    #expect(try workspace.modelctl("check", "--release").status == 0)
    try workspace.shell("rm App/Todo.lock.json")
    let without = try workspace.modelctl("check", "--release")
    #expect(without.status == 1)
    #expect(without.standardOutput.contains("v3, the current version of the bundle Todo, does not have a lock file"))
  }

  @Test("No configuration turns it off")
  func configuration() throws {
    let workspace = try SampleFolder.repository()
    try workspace.addVersion()
    try workspace.write(#"{ "rules": { "lock-missing-version": "off" } }"#, to: ".modelctl.json")
    #expect(try workspace.modelctl("check").status == 0)
    #expect(try workspace.modelctl("check", "--release").status == 1)
  }

  @Test("The last line names the versions that are not released")
  func lastLine() throws {
    let workspace = try SampleFolder.repository()
    #expect(!(try workspace.modelctl("check").standardError.contains("unreleased")))
    try workspace.addVersion()
    #expect(try workspace.modelctl("check").standardError.contains("; unreleased: v3 of Todo\n"))
    try workspace.shell("cp -R \(SampleFolder.bundle)/v3.xcdatamodel \(SampleFolder.bundle)/v4.xcdatamodel")
    #expect(try workspace.modelctl("check").standardError.contains("; unreleased: v3 and v4 of Todo\n"))
  }

  @Test("A version that is on the base and in no lock file is reported once, with the commands")
  func base() throws {
    let workspace = try SampleFolder.repository()
    try workspace.addVersion()
    #expect(try workspace.modelctl("check", "--base", "main").standardOutput == "")
    try workspace.shell("git switch --quiet main && git merge --quiet add")
    let result = try workspace.modelctl("check", "--base", "main")
    #expect(result.status == 0)
    let path = "\(SampleFolder.bundle)/v3.xcdatamodel"
    #expect(result.standardOutput.components(separatedBy: "[lock-missing-version]").count == 2, "\(result)")
    #expect(
      result.standardOutput.contains("note: v3 of Todo is on main but not in a lock file, so edits go undetected"))
    #expect(
      result.standardOutput.contains(
        "modelctl lock \(path); or, until then, as a draft: modelctl lock --draft \(path)\n"))
    try workspace.shell("modelctl lock --draft \(path)")
    #expect(try workspace.modelctl("check", "--base", "main").standardOutput == "")
  }
}
