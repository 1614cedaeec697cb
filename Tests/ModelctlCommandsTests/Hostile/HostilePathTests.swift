import Foundation
import TestSupport
import Testing

/// What paths and folders can do to a program that writes: names that mean something to a shell or to SQLite, links,
/// things that are no files.
@Suite("Paths have the meaning of the system") struct HostilePathTests {
  static let names = [
    "a b.sqlite", "q'\"x.sqlite", "50%41.sqlite", "a#b?mode=memory.sqlite", "new\nline.sqlite", "ünï🚲.sqlite",
    "file:x?mode=memory", "file:y.sqlite", ":memory:", "*.sqlite", "$(touch hit)`touch hit`;.sqlite", "-v",
    "back\\slash.sqlite",
  ]

  @Test(
    "A store of any name is read, migrated and backed up under that name", arguments: CorpusSample.of(names, atMost: 6))
  func name(_ name: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("plain", version: "Todo@v1")
    try FileManager.default.moveItem(atPath: workspace.folder.path("plain"), toPath: workspace.folder.path(name))
    let files = { try FileManager.default.contentsOfDirectory(atPath: workspace.url.path).sorted() }
    let before = try files()
    for command in ["status", "verify", "plan"] {
      let result = try workspace.modelctl(command, "./\(name)")
      #expect(result.status == 0, "\(command): \(result.standardError)")
    }
    #expect(try files() == before)
    let result = try workspace.modelctl("migrate", "./\(name)", "--copy")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try files() == (before + ["\(name).v1.backup"]).sorted())
    #expect(try workspace.modelctl("verify", "--", name).status == 0)
  }

  @Test("A store is made under any name", arguments: names)
  func creation(_ name: String) throws {
    let workspace = try SampleFolder()
    let result = try workspace.modelctl("create", "./\(name)", "--version", "Todo@v1", "--rows", "2")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try workspace.contents().keys.filter { !$0.hasPrefix("Mod") && !$0.hasPrefix("Mig") } == [name])
    #expect(try workspace.modelctl("verify", "./\(name)").status == 0)
  }

  @Test("A link to a store is followed and kept; the copy and the backup are next to the store")
  func link() throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(atPath: workspace.folder.path("data"), withIntermediateDirectories: false)
    try workspace.makeStore("data/todo.sqlite", version: "Todo@v1")
    try workspace.link("link.sqlite", to: "data/todo.sqlite")
    #expect(try workspace.modelctl("migrate", "link.sqlite", "--copy").status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: workspace.folder.path("link.sqlite"))
        == "data/todo.sqlite")
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("data")).sorted()
    #expect(names == ["todo.sqlite", "todo.sqlite.v1.backup"])
  }

  @Test("The way up from a link is the one of the folder it leads to")
  func upwards() throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(atPath: workspace.folder.path("a/b"), withIntermediateDirectories: true)
    try workspace.link("l", to: "a/b")
    try workspace.makeStore("a/todo.sqlite", version: "Todo@v1")
    try workspace.makeStore("todo.sqlite", version: "Todo@v2")
    let result = try workspace.modelctl("status", "l/../todo.sqlite")
    #expect(result.standardOutput.contains("written by version v1"), "\(result.standardOutput)")
  }

  @Test("Links that lead nowhere, or round in a circle", arguments: [("nowhere", "gone"), ("circle", "circle")])
  func brokenLink(_ name: String, _ destination: String) throws {
    let workspace = try SampleFolder()
    try workspace.link(name, to: destination)
    for command in ["status", "verify", "plan", "migrate"] {
      let result = try workspace.modelctl(command, name)
      #expect(result.status == 2)
      #expect(
        result.standardError.contains("\(name): this is a link to a file that does not exist"),
        "\(result.standardError)")
    }
    let result = try workspace.modelctl("create", name, "--version", "Todo@v1")
    #expect(result.status == 2 && result.standardError.contains("already exists"))
  }

  @Test("A link where SQLite keeps a file of the store is not followed", arguments: ["-wal", "-shm", "-journal"])
  func companion(_ suffix: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    try workspace.write("keep me", to: "precious")
    try workspace.link("todo.sqlite\(suffix)", to: "precious")
    for command in [["status"], ["verify"], ["plan"], ["migrate", "--copy"], ["migrate", "--in-place"]] {
      try Refusal.expect(
        command + ["todo.sqlite"], says: ["todo.sqlite\(suffix) has the name of a file that SQLite"], in: workspace)
    }
  }

  @Test("Links to folders among models are not walked, so that a circle of them ends")
  func circleOfFolders() throws {
    let workspace = try SampleFolder()
    try workspace.link("Models/loop", to: "../Models")
    #expect(try workspace.modelctl("check", "--format", "json=/dev/null").status <= 1)
    #expect(try workspace.modelctl("hash", "Todo@v1").status == 0)
  }

  @Test("A link under the name of the backup is not written through")
  func backup() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    try workspace.write("keep me", to: "precious")
    try workspace.link("todo.sqlite.v1.backup", to: "precious")
    try workspace.link("todo.sqlite.v1.backup-2", to: "gone")
    let result = try workspace.modelctl("migrate", "todo.sqlite", "--copy")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try workspace.modelctl("status", "todo.sqlite.v1.backup-3").standardOutput.contains("version v1"))
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("precious")) == Data("keep me".utf8))
    #expect(!FileManager.default.fileExists(atPath: workspace.folder.path("gone")))
    let link = workspace.folder.path("todo.sqlite.v1.backup")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "precious")
  }
}

@Suite("A path that is not a file is not read and not replaced") struct NoFileTests {
  @Test("A pipe is refused at once by every command that reads a file")
  func pipe() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    #expect(mkfifo(workspace.folder.path("pipe"), 0o600) == 0)
    for arguments in [
      ["status", "pipe"], ["verify", "pipe"], ["plan", "pipe"], ["migrate", "pipe"], ["show", "pipe"],
      ["hash", "pipe"], ["show", "--textconv", "pipe"], ["merge", "pipe", "pipe", "pipe"], ["check", "pipe"],
      ["diff", "pipe", "Todo@v1"], ["mapping", "show", "pipe"], ["migrate", "todo.sqlite", "--mapping", "pipe"],
    ] {
      let run = try MeasuredRun(arguments, in: workspace)
      #expect(run.status == 2, "\(arguments): \(run.output)")
      #expect(run.output.contains("pipe"), "\(arguments): \(run.output)")
    }
  }

  @Test("A device without an end is refused", arguments: ["status", "show", "hash", "check", "verify"])
  func device(_ command: String) throws {
    let run = try MeasuredRun([command, "/dev/zero"], in: SampleFolder())
    #expect(run.status == 2, "\(run.output)")
  }

  @Test("Results for a pipe or a link do not replace it")
  func results() throws {
    let workspace = try SampleFolder()
    try workspace.write("{}", to: "real.json")
    try workspace.link("link.json", to: "real.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.folder.path("real.json"))
    #expect(try workspace.modelctl("hash", "Todo@v1", "--format", "json=link.json").status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: workspace.folder.path("link.json")) == "real.json")
    #expect(try String(contentsOfFile: workspace.folder.path("real.json"), encoding: .utf8).contains("Todo"))
    #expect(try workspace.mode("real.json") == 0o640)
    #expect(mkfifo(workspace.folder.path("pipe"), 0o600) == 0)
    let result = try Modelctl.shell("modelctl hash Todo@v1 --format json=pipe & cat pipe; wait", in: workspace)
    #expect(result.standardOutput.contains("\"Todo\""), "\(result)")
    #expect(try Modelctl.shell("test -p pipe", in: workspace).status == 0)
  }

  @Test("A lock file that is a link stays a link, and keeps its mode")
  func lockFile() throws {
    let workspace = try SampleFolder()
    try FileManager.default.moveItem(
      atPath: workspace.folder.path("Models/Todo.lock.json"), toPath: workspace.folder.path("real.json"))
    try workspace.link("Models/Todo.lock.json", to: "../real.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: workspace.folder.path("real.json"))
    try Data("{\"version\": 1, \"versions\": {}}\n".utf8)
      .write(to: workspace.url.appendingPathComponent("real.json"))
    let result = try workspace.modelctl("lock", "--draft", "Todo@v2")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try String(contentsOfFile: workspace.folder.path("real.json"), encoding: .utf8).contains("\"v2\""))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: workspace.folder.path("Models/Todo.lock.json"))
        == "../real.json")
    #expect(try workspace.mode("real.json") == 0o640)
  }
}

@Suite("Files that are made in folders of others") struct SharedFolderTests {
  @Test("A migrated store keeps its mode, with any file mode mask", arguments: ["--copy", "--in-place"])
  func mode(_ strategy: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    for mode in [0o600, 0o640, 0o664] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: workspace.folder.path("todo.sqlite"))
      let result = try Modelctl.shell(
        "umask 0; cp -p todo.sqlite again.sqlite && modelctl migrate again.sqlite \(strategy) --backup", in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
      #expect(try workspace.mode("again.sqlite") == mode)
      #expect(try workspace.mode("again.sqlite.v1.backup") == mode)
      for name in ["again.sqlite", "again.sqlite.v1.backup"] {
        try FileManager.default.removeItem(atPath: workspace.folder.path(name))
      }
    }
  }

  @Test(
    "A migrated store and its backup keep the owner", .enabled(if: getuid() == 0, "only root can give files away"),
    arguments: ["--copy", "--in-place"])
  func owner(_ strategy: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("todo.sqlite", version: "Todo@v1")
    #expect(chown(workspace.folder.path("todo.sqlite"), 12, 34) == 0)
    #expect(try workspace.modelctl("migrate", "todo.sqlite", strategy, "--backup").status == 0)
    for name in ["todo.sqlite", "todo.sqlite.v1.backup"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: workspace.folder.path(name))
      #expect(attributes[.ownerAccountID] as? Int == 12, "\(name)")
      #expect(attributes[.groupOwnerAccountID] as? Int == 34, "\(name)")
    }
  }

  @Test("A store in a sticky folder that all may write is migrated, and nothing is left")
  func sticky() throws {
    let workspace = try SampleFolder()
    let folder = workspace.folder.path("shared")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder)
    try workspace.makeStore("shared/todo.sqlite", version: "Todo@v1")
    #expect(try workspace.modelctl("migrate", "shared/todo.sqlite", "--copy").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["todo.sqlite", "todo.sqlite.v1.backup"])
  }
}

extension SampleFolder {
  fileprivate func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: destination)
  }

  fileprivate func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }
}
