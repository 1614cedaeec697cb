import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("The content of a workspace, and its errors before anything is written")
struct WorkspaceTests {
  @Test("A project is read with its lock file, and the rules find an edit of a released version")
  func project() throws {
    let folder = try SampleFolder.repository()
    let workspace = Workspace(at: folder.url.path)
    #expect(try workspace.checkedProject().bundles.compactMap(\.history?.isGuarded) == [true])
    #expect(try CheckRun(workspace.checkedProject()).findings().filter(\.severity.isFailure).isEmpty)
    try folder.edit(SampleFolder.contents, "optional=\"YES\"", "optional=\"NO\"")
    let findings = CheckRun(try workspace.checkedProject()).findings()
    #expect(findings.contains { $0.rule == "unversioned-change" })
  }

  @Test("A base that is a folder is where models are held against; one that cannot be a revision is refused")
  func base() throws {
    let folder = try SampleFolder.repository(isLocked: false)
    let bundle = folder.url.appendingPathComponent(SampleFolder.bundle).path
    let shipped = folder.url.appendingPathComponent("Shipped").path
    try FileManager.default.createDirectory(atPath: shipped, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: bundle, toPath: "\(shipped)/Todo.xcdatamodeld")
    try folder.edit(SampleFolder.contents, "optional=\"YES\"", "optional=\"NO\"")
    let project = try Workspace(at: bundle).checkedProject(base: shipped)
    #expect(CheckRun(project).findings().contains { $0.rule == "unversioned-change" })
    #expect(throws: WorkspaceError.noBase(folder: "../nowhere/")) {
      try Workspace(at: bundle).checkedProject(base: "../nowhere/")
    }
  }

  @Test("A base beside the folder is not mistaken for the models that are held against it")
  func baseBeside() throws {
    let folder = try SampleFolder.repository(isLocked: false)
    let other = try SampleFolder.repository(isLocked: false)
    try folder.shell("mkdir -p Shipped tools && cp -r App/Todo.xcdatamodeld Shipped")
    try folder.edit(SampleFolder.contents, "optional=\"YES\"", "optional=\"NO\"")
    let whole = try Modelctl.shell("cd tools && modelctl check .. --base \(other.url.path)", in: folder)
    #expect(whole.standardOutput.contains("[unversioned-change]"), "\(whole)")
    for bundle in ["../App/Todo.xcdatamodeld", "../App", "\(folder.url.path)/App"] {
      for base in ["../Shipped", "\(folder.url.path)/Shipped", "../Shipped/Todo.xcdatamodeld"] {
        let result = try Modelctl.shell("cd tools && modelctl check \(bundle) --base \(base)", in: folder)
        #expect(result.status == 1, "\(bundle), \(base): \(result)")
        #expect(result.standardOutput.contains("[unversioned-change]"), "\(bundle), \(base): \(result)")
      }
    }
  }

  @Test("A folder without a bundle has nothing to check")
  func nothing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: WorkspaceError.self) { try Workspace(at: folder.url.path).checkedProject() }
  }

  @Test("The recorded versions are known before a lock file is written")
  func lock() throws {
    let folder = try SampleFolder.repository(isLocked: false)
    let bundle = folder.url.appendingPathComponent(SampleFolder.bundle).path
    let workspace = Workspace(at: bundle)
    let before = try folder.contents()
    var seen: [String] = []
    let update = try LockUpdate.prepared(
      workspace.lockTargets([]), .init(state: .released, recordsAll: true), in: workspace.project
    ) { version, _, position, count in seen.append("\(version) \(position)/\(count)") }
    #expect(seen == ["v1 1/2", "v2 2/2"])
    #expect(update.records.map(\.record.version) == ["v1", "v2"])
    #expect(try folder.contents() == before)
    try update.write()
    #expect(FileManager.default.fileExists(atPath: LockFile.path(besideBundleAt: bundle)))
  }

  @Test("Stores of one bundle with one destination share a target")
  func targets() throws {
    let folder = try SampleFolder()
    for (name, version) in [("a.sqlite", "Orders@v1"), ("b.sqlite", "Orders@v2"), ("c.sqlite", "Todo@v1")] {
      try folder.makeStore(name, version: version)
    }
    let workspace = try Workspace(at: folder.url.appendingPathComponent("Models").path).load()
    let paths = ["a.sqlite", "c.sqlite", "b.sqlite"].map { folder.url.appendingPathComponent($0).path }
    let targets = try workspace.targets(of: paths, to: nil)
    #expect(targets.map(\.stores) == [[paths[0], paths[2]], [paths[1]]])
    #expect(targets.map(\.target.destination.bundleName) == ["Orders", "Todo"])
  }

  @Test("A new version is named after the pattern of its bundle, and nothing is written yet")
  func newVersion() throws {
    let folder = try SampleFolder.repository(isLocked: false)
    let before = try folder.contents()
    let workspace = Workspace(at: folder.url.appendingPathComponent(SampleFolder.bundle).path)
    let version = try workspace.newVersion(named: nil, addsIdentifiers: false, restoring: nil)
    #expect((version.previous.name, version.name) == ("v2", "v3"))
    #expect(try folder.contents() == before)
  }
}
