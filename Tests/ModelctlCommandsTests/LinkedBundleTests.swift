import Foundation
import TestSupport
import Testing

@Suite("A link to a bundle is that bundle")
struct LinkedBundleTests {
  private static let edit = "edit add attribute Todo.x --type String --model"

  /// A repository with a bundle and its lock file, and with committed links to it.
  private func repository(linking links: String...) throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    for link in links {
      let steps = String(repeating: "../", count: link.split(separator: "/").count - 1)
      try workspace.shell("mkdir -p \"$(dirname \(link))\" && ln -s \(steps)\(SampleFolder.bundle) \(link)")
    }
    try workspace.commit("Links")
    return workspace
  }

  @Test(
    "An edit of a released version is refused through a link, too",
    arguments: ["Link.xcdatamodeld", "Other/Todo.xcdatamodeld", "Other/Todo.xcdatamodeld/"])
  func edit(_ link: String) throws {
    let workspace = try repository(linking: link.hasSuffix("/") ? String(link.dropLast()) : link)
    let arguments = Self.edit.split(separator: " ").map(String.init)
    let absolute = "\(workspace.url.path)/\(link)"
    try Refusal.expect(arguments + [link], says: ["users have version v2, as App/Todo.lock.json"], in: workspace)
    try Refusal.expect(arguments + [absolute], says: ["/App/Todo.lock.json records"], in: workspace)
    let inside = try Modelctl.shell("cd App && modelctl \(Self.edit) ../\(link)", in: workspace)
    #expect(inside.status == 2)
    #expect(inside.standardError.contains("users have version v2, as Todo.lock.json records"), "\(inside)")
  }

  @Test("A check through a link, and of a folder with one, has the bundle's lock file and its base")
  func check() throws {
    let workspace = try repository(linking: "Link.xcdatamodeld", "Other/Todo.xcdatamodeld")
    let arguments = ["Link.xcdatamodeld", "Other", "Other/Todo.xcdatamodeld"]
    for argument in arguments {
      let result = try workspace.modelctl("check", argument)
      #expect(result.status == 0 && !result.standardError.contains("guarded yet"), "\(argument): \(result)")
    }
    try workspace.shell("git branch base")
    try workspace.editShippedVersion()
    for argument in arguments {
      let locked = try workspace.modelctl("check", argument)
      #expect(
        locked.status == 1 && locked.standardOutput.contains("v2 is released (recorded in Todo.lock.json"), "\(locked)")
      let held = try workspace.modelctl("check", argument, "--base", "base")
      #expect(
        held.status == 1 && held.standardOutput.contains("(recorded in Todo.lock.json, in base)"),
        "\(argument): \(held)")
    }
    try workspace.shell("git rm --quiet App/Todo.lock.json")
    for argument in arguments {
      let held = try workspace.modelctl("check", argument, "--base", "base")
      #expect(held.status == 1 && held.standardOutput.contains("[unversioned-change]"), "\(argument): \(held)")
    }
  }

  @Test("A lock file next to a link is not the bundle's, and the check names its location")
  func lockBesideLink() throws {
    let workspace = try repository(linking: "Todo.xcdatamodeld")
    try workspace.shell("git mv App/Todo.lock.json Todo.lock.json")
    let result = try workspace.modelctl("check")
    #expect(result.status == 1, "\(result)")
    #expect(result.standardOutput.contains("git mv Todo.lock.json App/Todo.lock.json"), "\(result)")
  }

  @Test("A version recorded through a link is in the lock file of the bundle")
  func lock() throws {
    let workspace = try repository(linking: "Link.xcdatamodeld")
    try workspace.shell("git rm --quiet App/Todo.lock.json && modelctl lock --all Link.xcdatamodeld")
    let files = try workspace.contents().keys.filter { $0.hasSuffix(".lock.json") }
    #expect(files.sorted() == ["App/Todo.lock.json"])
  }

  @Test("A link out of the repository does not take their commits from the versions of the others")
  func log() throws {
    let workspace = try SampleFolder.repository()
    let elsewhere = try TemporaryFolder()
    let path = elsewhere.path("Staff.xcdatamodeld")
    try FileManager.default.copyItem(atPath: SampleModels.path("Staff"), toPath: path)
    try workspace.shell("ln -s '\(path)' App/Staff.xcdatamodeld")
    let commit = try workspace.shell("git log -1 --format=%h")
    for place in [".", "App"] {
      let text = try workspace.shell("cd \(place) && modelctl log")
      #expect(text.components(separatedBy: commit).count == 3, "\(text)")
      #expect(text.components(separatedBy: "not committed").count == 3, "\(text)")
    }
  }

  @Test("Release tags apply to the repository's bundles, with any links")
  func tags() throws {
    let (workspace, other) = (try SampleFolder.repository(isLocked: false), try SampleFolder.repository())
    try workspace.write(#"{ "released": { "tags": "v*" } }"#, to: ".modelctl.json")
    try workspace.commit("one")
    try workspace.shell("git tag v1.0 && ln -s '\(other.url.path)/App/Todo.xcdatamodeld' Another.xcdatamodeld")
    let sound = try workspace.modelctl("check")
    #expect(sound.status == 0, "\(sound)")
    try workspace.editShippedVersion()
    let edited = try workspace.modelctl("check")
    #expect(edited.status == 1 && edited.standardOutput.contains("[unversioned-change]"), "\(edited)")
  }

  /// A repository with a bundle and its lock file, and with committed links to the older of its versions.
  private func repositoryLinkingVersion() throws -> SampleFolder {
    let workspace = try SampleFolder.repository()
    let version = "App/Todo.xcdatamodeld/v1.xcdatamodel"
    try workspace.shell("mkdir Other && ln -s ../\(version) Other/Old.xcdatamodel && ln -s \(version) Link.xcdatamodel")
    try workspace.shell("ln -s \(version)/contents contents")
    try workspace.commit("Links")
    return workspace
  }

  @Test("An edit of a released version is refused through a link to the version, too, and from inside of its bundle")
  func editVersion() throws {
    let workspace = try repositoryLinkingVersion()
    let edit = Self.edit.split(separator: " ").dropLast().map(String.init)
    for arguments in [
      ["--model", "Link.xcdatamodel"], ["--model", "Other/Old.xcdatamodel/"], ["--model", "Other"],
      ["--model", "\(workspace.url.path)/Link.xcdatamodel"], ["--in", "Link.xcdatamodel"],
      ["--in", "Other/Old.xcdatamodel/contents"], ["--in", "contents"],
    ] {
      try Refusal.expect(
        edit + arguments, says: ["users have version v1, as ", "App/Todo.lock.json records"], in: workspace)
    }
    let inside = try Modelctl.shell(
      "cd App/Todo.xcdatamodeld && modelctl \(Self.edit) v1.xcdatamodel", in: workspace)
    #expect(inside.status == 2 && inside.standardError.contains("as ../Todo.lock.json records"), "\(inside)")
  }

  @Test("A check through a link to a version is one of its bundle")
  func checkVersion() throws {
    let workspace = try repositoryLinkingVersion()
    let arguments = ["Link.xcdatamodel", "Link.xcdatamodel/contents", "Other", "contents"]
    for argument in arguments {
      let result = try workspace.modelctl("check", argument)
      #expect(result.status == 0 && result.standardError.contains("2 versions checked"), "\(argument): \(result)")
      #expect(!result.standardError.contains("guarded yet"), "\(argument): \(result)")
    }
    try workspace.shell("git branch base")
    try workspace.editShippedVersion()
    for argument in arguments {
      let held = try workspace.modelctl("check", argument, "--base", "base")
      #expect(
        held.status == 1 && held.standardOutput.contains("(recorded in Todo.lock.json, in base)"),
        "\(argument): \(held)")
    }
  }

  @Test("A link to a version is recorded in the lock file of its bundle, and its bundle gets the new version")
  func lockVersion() throws {
    let workspace = try repositoryLinkingVersion()
    try workspace.shell("git rm --quiet App/Todo.lock.json")
    let named = try workspace.modelctl("lock", "Link.xcdatamodel")
    #expect(named.standardOutput == "App/Todo.lock.json: v1 recorded as released\n", "\(named)")
    for arguments in [["Other"], ["--model", "App/Todo.xcdatamodeld/v1.xcdatamodel"]] {
      let rest = try Modelctl.run(["lock", "--all"] + arguments, in: workspace)
      #expect(rest.status == 0, "\(rest)")
    }
    let made = try workspace.modelctl("new-version", "--model", "Link.xcdatamodel")
    #expect(made.standardOutput.contains("App/Todo.xcdatamodeld/v3.xcdatamodel: made from v2"), "\(made)")
    let files = try workspace.contents().keys
    #expect(files.filter { $0.hasSuffix(".lock.json") } == ["App/Todo.lock.json"])
    #expect(!files.contains { $0.contains("v1.xcdatamodeld") || $0.contains("Link.xcdatamodeld") })
  }
}
