import Foundation
import TestSupport
import Testing

@Suite("A new version is created completely or not at all")
struct BadVersionTests {
  private static let bundle = "Models/Orders.xcdatamodeld"

  @Test("A name that is taken or can be none", arguments: ["v3", "V6", "", ".", "..", "a/b", "../v7", ".v7", "v7 "])
  func names(_ name: String) throws {
    try Refusal.expect(
      ["new-version", name, "--model", Self.bundle], says: [name.lowercased() == "v6" ? "“v6”" : "“\(name)”"],
      in: SampleFolder())
  }

  @Test("No bundle, several, a compiled one, one without a current version")
  func bundles() throws {
    let workspace = try SampleFolder()
    try Refusal.expect(["new-version"], says: ["error: there are several model bundles here: "], in: workspace)
    try Refusal.expect(
      ["new-version", "--model", "gone"], says: ["error: gone: there is no such file or folder"], in: workspace)
    try Refusal.expect(["new-version", "--model", "Migrations"], says: ["no model bundle"], in: workspace)
    try workspace.write("bplist00", to: "App.momd/v1.mom")
    try Refusal.expect(
      ["new-version", "--model", "App.momd"], says: ["App.momd: this is a compiled bundle"], in: workspace)
    try workspace.edit("\(Self.bundle)/.xccurrentversion", "v6", "v9")
    try Refusal.expect(
      ["new-version", "--model", Self.bundle], says: ["the current version “v9” is not"], in: workspace)
  }

  @Test("A current version that cannot be read is not copied")
  func brokenModel() throws {
    let workspace = try SampleFolder()
    try workspace.write("<model>\n<<<<<<< HEAD\n", to: "\(Self.bundle)/v6.xcdatamodel/contents")
    try Refusal.expect(
      ["new-version", "--model", Self.bundle],
      says: ["v6.xcdatamodel/contents:2:1: the file has merge conflict markers"],
      in: workspace)
  }

  @Test("A revision to restore that is none, or no repository at all", arguments: ["--output=x", "-x", "^HEAD"])
  func revisions(_ revision: String) throws {
    let workspace = try SampleFolder()
    let arguments = ["new-version", "--restore=\(revision)", "--model", Self.bundle]
    try Refusal.expect(arguments, says: ["git cannot read a repository here"], in: workspace)
    #expect(try Modelctl.shell("git init -q && git add -A && git commit -qm models", in: workspace).status == 0)
    try Refusal.expect(arguments, says: ["error: “\(revision)” is not a git revision"], in: workspace)
    try Refusal.expect(
      ["new-version", "--restore", "HEAD", "--model", Self.bundle], says: ["nothing to restore"], in: workspace)
    #expect(try workspace.modelctl("new-version", "v7", "--model", Self.bundle).status == 0)
    try Refusal.expect(
      ["new-version", "--restore", "HEAD", "--model", Self.bundle],
      says: ["\(Self.bundle)/v7.xcdatamodel/contents: not in HEAD"], in: workspace)
  }

  @Test("Without git on this machine a revision is refused with that reason")
  func noGit() throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    let result = try Modelctl.shell(
      "program=$(command -v modelctl); PATH=bin; export PATH; $program new-version --restore HEAD --model \(Self.bundle)",
      in: workspace)
    #expect(result.status == 2)
    #expect(
      result.standardError == "error: git could not be started\n  Install git, or name a folder instead of a revision\n"
    )
    let model = try Modelctl.shell(
      "program=$(command -v modelctl); PATH=bin; export PATH; $program show HEAD:\(Self.bundle)", in: workspace)
    #expect(model.status == 2)
    #expect(
      model.standardError == """
        error: HEAD:\(Self.bundle): git could not be started
          Install git, or name a file or a folder instead of a revision

        """)
  }

  @Test("A bundle that may not be written", .enabled(if: ProtectedFolder.isPossible))
  func protected() throws {
    let workspace = try SampleFolder()
    let protection = ProtectedFolder(workspace.url.appendingPathComponent(Self.bundle))
    defer { protection.lift() }
    try Refusal.expect(
      ["new-version", "--model", Self.bundle], says: ["\(Self.bundle): cannot be written"], in: workspace)
  }

  @Test("A full disk", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let workspace = try SampleFolder()
    let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
    defer { disk.unmount() }
    #expect(try Modelctl.shell("cp -r \(Self.bundle) disk", in: workspace).status == 0)
    try disk.fill(leaving: 4096)
    try Refusal.expect(
      ["new-version", "--model", "disk/Orders.xcdatamodeld"], says: ["cannot be written", "nothing was changed"],
      in: workspace)
  }

  @Test("The lock file beside the bundle is left alone")
  func lockFile() throws {
    let workspace = try SampleFolder()
    try workspace.write("{\"any\": \"thing\"}\n", to: "Models/Orders.lock.json")
    let before = try workspace.contents()
    #expect(try workspace.modelctl("new-version", "--model", Self.bundle).status == 0)
    let after = try workspace.contents()
    #expect(
      Set(after.keys).subtracting(before.keys) == [
        "\(Self.bundle)/v7.xcdatamodel", "\(Self.bundle)/v7.xcdatamodel/contents",
      ])
    #expect(before.filter { $0.value != after[$0.key] }.keys.sorted() == ["\(Self.bundle)/.xccurrentversion"])
  }
}
