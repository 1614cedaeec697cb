import Foundation
import TestSupport
import Testing

/// The user `nobody`, and whether there can be two users: only the superuser can give files away.
enum OtherUser {
  static let number: uid_t = 65_534
  static let isPossible = geteuid() == 0
  static let words: Comment = "two users are needed, so that only the superuser can run it"

  /// Gives a folder and what is in it away.
  static func own(_ path: String) {
    lchown(path, number, number)
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
      lchown("\(path)/\(name)", number, number)
    }
  }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}

@Suite("No file is created in a folder in which other users can create links")
struct ForeignFolderTests {
  private let workspace: SampleFolder

  init() throws {
    workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v1")
  }

  private func path(_ name: String) -> String { workspace.folder.path(name) }

  private func makeFolder(_ name: String, mode: mode_t = 0o755, isForeign: Bool = false) throws {
    try #require(mkdir(path(name), 0o700) == 0 && chmod(path(name), mode) == 0)
    if isForeign { OtherUser.own(path(name)) }
  }

  private static let makings = [
    "create out.sqlite --version Orders@v1", "extract shop.sqlite --entity Order --output out.sqlite",
    "anonymize shop.sqlite --output out.sqlite", "dump shop.sqlite --output out.jsonl", "convert shop.sqlite out.json",
  ]

  /// Runs what makes something while its folder is there already; it is refused, and the folder stays.
  private func checkRefusal(_ command: String, mode: mode_t, isForeign: Bool) throws {
    let name = command.contains("jsonl") ? "out.jsonl" : command.contains(".json") ? "out.json" : "out.sqlite"
    let staging = ".\(name).modelctl.partial"
    try makeFolder(staging, mode: mode, isForeign: isForeign)
    let result = try Modelctl.shell("modelctl \(command)", in: workspace)
    #expect(result.status == 2 && result.standardError.contains("rm -r "), "\(command): \(result)")
    #expect(result.standardError.hasPrefix("error: ") && result.standardError.contains(staging), "\(command)")
    #expect(OtherUser.status(path(staging)) != nil && OtherUser.status(path(name)) == nil, "\(command)")
    rmdir(path(staging))
    #expect(try Modelctl.shell("modelctl \(command)", in: workspace).status == 0, "\(command)")
  }

  @Test("A folder for a result that others may enter is refused", arguments: makings.filter { !$0.contains("convert") })
  func openStagingFolder(_ command: String) throws { try checkRefusal(command, mode: 0o777, isForeign: false) }

  @Test(
    "A folder for a result that another user has made is refused",
    .enabled(if: OtherUser.isPossible, OtherUser.words), arguments: makings.filter { !$0.contains("convert") })
  func foreignStagingFolder(_ command: String) throws {
    for mode: mode_t in [0o777, 0o700] {
      let folder = try ForeignFolderTests()
      try folder.checkRefusal(command, mode: mode, isForeign: true)
    }
  }

  @Test("Temporary files are created only in folders in which other users cannot replace them")
  func temporaryFolder() throws {
    try workspace.makeStore("shop.json", version: "Orders@v1")
    let modes: [(mode: mode_t, isForeign: Bool, isFine: Bool)] = [
      (0o700, false, true), (0o755, false, true), (0o1777, false, true), (0o777, false, false),
      (0o1777, true, false), (0o700, true, false),
    ]
    for (number, place) in modes.enumerated() where OtherUser.isPossible || !place.isForeign {
      try makeFolder("tmp\(number)", mode: place.mode, isForeign: place.isForeign)
      let result = try Modelctl.shell("TMPDIR=$PWD/tmp\(number) modelctl status shop.json", in: workspace)
      #expect((result.status == 0) == place.isFine, "\(place): \(result)")
      if !place.isFine { #expect(result.status == 2 && result.standardError.contains("set TMPDIR"), "\(result)") }
      #expect(try FileManager.default.contentsOfDirectory(atPath: path("tmp\(number)")) == [])
    }
  }

  @Test("Temporary files of another user are kept", .enabled(if: OtherUser.isPossible, OtherUser.words))
  func foreignLeftover() throws {
    try workspace.makeStore("shop.json", version: "Orders@v1")
    try makeFolder("tmp", mode: 0o1777)
    try makeFolder("tmp/modelctl-files-left", mode: 0o777, isForeign: true)
    #expect(try Modelctl.shell("TMPDIR=$PWD/tmp modelctl status shop.json", in: workspace).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("tmp")) == ["modelctl-files-left"])
  }
}

@Suite(
  "The superuser changes nothing in a folder of another user", .enabled(if: OtherUser.isPossible, OtherUser.words))
struct SuperuserTests {
  private let workspace: SampleFolder

  init() throws {
    workspace = try SampleFolder()
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("theirs"), withIntermediateDirectories: false)
    try workspace.makeStore("theirs/shop.sqlite", version: "Orders@v1")
    try workspace.makeStore("theirs/shop.json", version: "Orders@v1")
    OtherUser.own(workspace.folder.path("theirs"))
  }

  private static let changes = [
    "migrate theirs/shop.sqlite --to v4", "migrate theirs/shop.sqlite --to v4 --in-place --backup",
    "migrate theirs/shop.json --to v4", "migrate theirs --to v4",
    "update theirs/shop.sqlite Order --all --set number=8",
    "update theirs/shop.json Order --all --set number=8", "create theirs/out.sqlite --version Orders@v1",
    "dump theirs/shop.sqlite --output theirs/out.jsonl", "convert theirs/shop.sqlite theirs/out.json",
  ]

  @Test("Each command refuses it and names the user", arguments: changes)
  func refused(_ command: String) throws {
    let before = try workspace.contents()
    let result = try Modelctl.shell("modelctl \(command)", in: workspace)
    #expect(result.status == 2, "\(result)")
    let advice = "sudo -u nobody modelctl …"
    #expect(result.standardError.contains("belongs to the user nobody"), "\(result)")
    #expect(result.standardError.contains(advice) || command.hasPrefix("migrate theirs "), "\(result)")
    #expect(try workspace.contents() == before)
  }

  @Test("Reading is not a change")
  func reading() throws {
    for command in ["status theirs/shop.sqlite", "verify theirs/shop.sqlite", "dump theirs/shop.json --format jsonl"] {
      #expect(try Modelctl.shell("modelctl \(command)", in: workspace).status != 2, "\(command)")
    }
  }

  @Test("A link of another user is not followed to write a file, wherever it is on the path")
  func links() throws {
    let (theirs, mine) = (workspace.folder.path("theirs"), workspace.folder.path("mine"))
    try FileManager.default.createDirectory(atPath: mine, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(mine)/kept.json"))
    for (name, target) in [("file.json", "\(mine)/kept.json"), ("folder", mine), ("nothing.json", "\(mine)/new.json")] {
      try #require(symlink(target, "\(theirs)/\(name)") == 0)
      lchown("\(theirs)/\(name)", OtherUser.number, OtherUser.number)
    }
    try #require(symlink("theirs/file.json", workspace.folder.path("my-link.json")) == 0)
    for place in ["theirs/file.json", "theirs/folder/kept.json", "theirs/nothing.json", "my-link.json"] {
      let result = try Modelctl.shell("modelctl hash Orders@v1 --format json=\(place)", in: workspace)
      #expect(result.status == 2 && result.standardError.contains("belongs to the user nobody"), "\(place): \(result)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: mine) == ["kept.json"])
    #expect(try String(contentsOfFile: "\(mine)/kept.json", encoding: .utf8) == "mine")
    try #require(symlink("mine/kept.json", workspace.folder.path("my-other-link.json")) == 0)
    let followed = try Modelctl.shell("modelctl hash Orders@v1 --format json=my-other-link.json", in: workspace)
    #expect(followed.status == 0, "\(followed)")
    #expect(try String(contentsOfFile: "\(mine)/kept.json", encoding: .utf8) != "mine")
  }
}
