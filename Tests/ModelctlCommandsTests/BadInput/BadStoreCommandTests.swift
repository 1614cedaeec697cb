import Foundation
import TestSupport
import Testing

@Suite("Every command refuses a bad store and leaves it unchanged")
struct BadStoreCommandTests {
  static let commands = ["status", "plan", "migrate", "verify", "hash"]

  @Test("A file that is not a valid store", arguments: CorpusSample.of(BadStore.all, atMost: 4))
  func badFile(_ bad: BadStore) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    try bad.make(workspace.url.appendingPathComponent("shop.sqlite"))
    for command in Self.commands {
      var words = command == "hash" ? bad.wordsAsModel : nil
      // A text may be that of an error.
      if command == "status", bad.testDescription == "text" { words = ["the text has no version hashes of a store"] }
      try Refusal.expect(
        [command, "shop.sqlite"], says: words ?? ["error: shop.sqlite: \(bad.cause)", "\n  ", bad.advice], in: workspace
      )
    }
  }

  @Test("A missing file, and a folder", arguments: commands)
  func noFile(_ command: String) throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
    try Refusal.expect([command, "gone.sqlite"], says: ["gone.sqlite", "there is no such file"], in: workspace)
    // Of a folder, these take the stores in it: FleetTests, TrialTests.
    if ["migrate", "status", "verify"].contains(command) { return }
    try Refusal.expect(
      [command, "folder"],
      says: command == "hash"
        ? ["error: folder: this folder and its subfolders contain no model bundle"]
        : ["folder: this is a folder", "path of the store's file inside it"],
      in: workspace)
  }

  @Test("A path that ends with a slash is none of a file to make, whether the folder is there or not")
  func folderForFile() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let lines = [
      "create sub/ --version Orders@v1", "convert shop.sqlite sub/", "convert shop.sqlite sub.json/",
      "extract shop.sqlite --entity Order --output sub/", "anonymize shop.sqlite --output sub/",
      "dump shop.sqlite --output sub/", "load orders.jsonl --output sub/ --version Orders@v1",
    ]
    for isThere in [false, true] {
      if isThere { try workspace.shell("mkdir sub") }
      for line in lines {
        try Refusal.expect(
          line.split(separator: " ").map(String.init),
          says: ["error: sub", "/: a path that ends with a slash is a folder\n", "such as sub"], in: workspace)
      }
    }
    let tables = try workspace.modelctl("dump", "shop.sqlite", "--format", "csv", "--output", "tables/")
    #expect(tables.status == 0, "\(tables)")
  }

  @Test("A corrupt page deep in the store is found by verify")
  func corruptPage() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 500)
    let store = workspace.url.appendingPathComponent("shop.sqlite")
    var bytes = try Data(contentsOf: store)
    let page = bytes.count / 2 / 4096 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: store)
    let before = try workspace.contents()
    let result = try workspace.modelctl("verify", "shop.sqlite")
    #expect([1, 2].contains(result.status))
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--copy").status == 2)
    #expect(try workspace.contents() == before)
  }

  @Test("A store that another process holds")
  func held() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let path = workspace.url.appendingPathComponent("shop.sqlite").path
    let holder = try OtherProcess(holding: path, sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;")
    let name = "process \(holder.identifier) (StoreOccupant)"
    try Refusal.expect(
      ["migrate", "shop.sqlite", "--busy-timeout", "0.1"],
      says: ["error: shop.sqlite: another process has the store open: \(name)", "--busy-timeout 60"], in: workspace)
    for command in ["status", "plan", "verify"] {
      #expect(try workspace.modelctl(command, "shop.sqlite").status == 0, "nothing was written that could be torn")
    }
    holder.end()
    #expect(try workspace.modelctl("migrate", "shop.sqlite").status == 0)
  }

  @Test("A store in another process's transaction is waited for, then refused, also for reading")
  func torn() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let path = workspace.url.appendingPathComponent("shop.sqlite").path
    let writer = try OtherProcess(
      holding: path,
      sql: """
        PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN EXCLUSIVE; CREATE TABLE much (t);
        INSERT INTO much SELECT randomblob(4000) FROM ZORDER, ZORDER; DELETE FROM ZORDER
        """)
    for command in ["status", "plan", "verify", "migrate"] {
      try Refusal.expect(
        [command, "shop.sqlite", "--busy-timeout", "0.1"],
        says: ["error: shop.sqlite: another process has the store open: process \(writer.identifier)"], in: workspace)
    }
    writer.end()
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("Two migrations of one store: one does it, the other finds it done")
  func twoMigrations() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 4_000)
    let processes = try (0..<2).map { _ in
      try Modelctl.start(["migrate", "shop.sqlite", "--copy", "--busy-timeout", "300"], in: workspace)
    }
    processes.forEach { $0.waitUntilExit() }
    #expect(processes.map(\.terminationStatus) == [0, 0])
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.url.path)
    #expect(names.filter { $0.contains("sqlite") }.sorted() == ["shop.sqlite", "shop.sqlite.v1.backup"])
    #expect(try workspace.modelctl("verify", "shop.sqlite", "shop.sqlite.v1.backup").status == 0)
  }

  @Test(
    "A read-only folder can be looked at, not migrated or changed",
    .enabled(if: ProtectedFolder.isPossible, "needs chattr, or a user who is not root"))
  func readOnly() throws {
    let workspace = try SampleFolder()
    let folder = workspace.url.appendingPathComponent("protected")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try workspace.makeStore("protected/shop.sqlite")
    let protection = ProtectedFolder(folder)
    defer { protection.lift() }
    for command in ["status", "verify", "hash", "plan"] {
      let before = try workspace.contents()
      #expect(try workspace.modelctl(command, "protected/shop.sqlite").status == 0)
      #expect(try workspace.contents() == before)
    }
    for strategy in ["--in-place", "--copy"] {
      try Refusal.expect(
        ["migrate", "protected/shop.sqlite", strategy],
        says: ["error: protected/shop.sqlite: ", "is not writable", "chmod u+w"], in: workspace)
    }
    try Refusal.expect(
      ["update", "protected/shop.sqlite", "Order", "--all", "--set", "number=8"],
      says: ["error: protected/shop.sqlite: the folder of the store is not writable", "chmod u+w protected"],
      in: workspace)
    for kind in ["json", "xml", "binary"] {
      try Refusal.expect(
        ["convert", "protected/shop.sqlite", "protected/copy.\(kind)"],
        says: ["error: protected/copy.\(kind): the folder is not writable", "chmod u+w protected"], in: workspace)
    }
    let creation = try workspace.modelctl("create", "protected/new.sqlite", "--version", "Orders@v1")
    #expect(creation.status == 2)
  }

  @Test("A full disk", .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func fullDisk() throws {
    let workspace = try SampleFolder()
    let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
    defer { disk.unmount() }
    try workspace.makeStore("disk/shop.sqlite", rows: 300)
    try disk.fill(leaving: 20_000)
    try Refusal.expect(
      ["migrate", "disk/shop.sqlite", "--copy"], says: ["error: disk/shop.sqlite: ", "free"], in: workspace)
    try Refusal.expect(
      ["migrate", "disk/shop.sqlite", "--in-place"],
      says: ["error: disk/shop.sqlite: ", "are free; it was not started", "Free some space"], in: workspace)
    let plan = try workspace.modelctl("plan", "disk/shop.sqlite", "--copy")
    #expect(plan.status == 0)
    #expect(plan.standardOutput.contains("are free, so migrate"))
    #expect(try workspace.modelctl("status", "disk/shop.sqlite").status == 0)
    #expect(try workspace.modelctl("verify", "disk/shop.sqlite").status == 0)
    try Refusal.expect(
      ["create", "disk/other.sqlite", "--version", "Orders@v1", "--rows", "2000"], says: ["disk/other.sqlite"],
      in: workspace)
  }

  @Test(
    "A full disk on which something is to be made, or a store of another kind is to change",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func fullDiskOfOutputs() throws {
    let workspace = try SampleFolder()
    let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
    defer { disk.unmount() }
    try workspace.makeStore(version: "Orders@v4", rows: 300)
    for command in ["convert shop.sqlite disk/shop.json", "dump shop.sqlite --output shop.jsonl"] {
      #expect(try Modelctl.shell("modelctl \(command)", in: workspace).status == 0)
    }
    try disk.fill(leaving: 20_000)
    let load = "load shop.jsonl --version Orders@v4 --output"
    let runs =
      [
        ("create OUTPUT --version Orders@v4 --rows 300", "new.json"), ("\(load) OUTPUT", "new.sqlite"),
        ("\(load) OUTPUT", "new.xml"), ("convert shop.sqlite OUTPUT", "new.sqlite"),
        ("convert shop.sqlite OUTPUT", "new.json"), ("convert shop.sqlite OUTPUT", "new.binary"),
        ("extract shop.sqlite --entity Order --output OUTPUT", "new.sqlite"),
        ("extract shop.sqlite --entity Order --output OUTPUT", "new.binary"),
        ("anonymize shop.sqlite --output OUTPUT", "new.sqlite"), ("anonymize shop.sqlite --output OUTPUT", "new.xml"),
        ("dump shop.sqlite --output OUTPUT", "new.json"), ("dump shop.sqlite --output OUTPUT", "new.jsonl"),
        ("dump shop.sqlite --format csv --output OUTPUT", "new"),
        ("dump shop.sqlite --format postgresql --output OUTPUT", "new.sql"),
        ("update OUTPUT Order --all --set number=8", "shop.json"), ("delete OUTPUT RowOfOrder --all", "shop.json"),
        ("migrate OUTPUT", "shop.json"),
      ] as [(String, String)]
    for (command, output) in CorpusSample.of(runs, atMost: 4) {
      let arguments = command.replacing("OUTPUT", with: "disk/\(output)").split(separator: " ").map(String.init)
      try Refusal.expect(arguments, says: ["error: disk/\(output)", " full"], in: workspace)
    }
    let kept = try workspace.modelctl(
      "rehearse", "--model", "Models/Orders.xcdatamodeld", "--from", "v1", "--rows", "100", "--keep", "disk/kept")
    #expect(kept.status == 2, "\(kept)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("disk/kept")).isEmpty)
  }

  @Test(
    "A folder for temporary files that fills up at any moment is named, and the store is unchanged",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func temporaryFilesThatFillUp() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.json", version: "Orders@v4", rows: 60)
    try workspace.shell("cp shop.json sound.json")
    for bytes in CorpusSample.of(Array(stride(from: 40_000, through: 520_000, by: 60_000)), atMost: 2) {
      let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
      defer { disk.unmount() }
      try disk.fill(leaving: bytes)
      for command in [
        "update shop.json Order --all --set number=8", "delete shop.json RowOfOrder --all", "convert shop.json new.xml",
        "extract shop.json --entity Order --output new.xml", "anonymize shop.json --output new.json",
        "migrate shop.json --no-backup",
      ] {
        let before = try workspace.contents()
        let result = try Modelctl.shell("TMPDIR=$PWD/disk modelctl \(command)", in: workspace)
        let message = result.standardError
        if result.status == 0 {
          try workspace.shell("cp sound.json shop.json; rm -f new.xml new.json")
          continue
        }
        #expect(message.components(separatedBy: "error: ").count == 2, "\(bytes) \(command): \(message)")
        #expect(message.contains("/disk: the folder for temporary files is full"), "\(bytes) \(command): \(message)")
        #expect(message.contains("TMPDIR") && !message.contains("modelctl-files-"), "\(bytes) \(command): \(message)")
        #expect(try workspace.contents() == before, "\(bytes) \(command)")
      }
    }
  }

  @Test(
    "A disk with the store and temporary files that fills up at any moment leaves the store as it was",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func storeBesideTemporaryFiles() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.json", version: "Orders@v4", rows: 60)
    let place = workspace.url.appendingPathComponent("disk/shop.json")
    let sound = try Data(contentsOf: workspace.url.appendingPathComponent("shop.json"))
    for bytes in CorpusSample.of(Array(stride(from: 40_000, through: 640_000, by: 20_000)), atMost: 6) {
      let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
      defer { disk.unmount() }
      try sound.write(to: place)
      try disk.fill(leaving: bytes)
      let result = try Modelctl.shell(
        "TMPDIR=$PWD/disk modelctl update disk/shop.json Order --all --set number=8", in: workspace)
      guard result.status != 0 else { continue }
      #expect(result.standardError.contains(" full"), "\(bytes): \(result)")
      #expect(try Data(contentsOf: place) == sound, "\(bytes): \(result)")
      let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("disk"))
      #expect(names.allSatisfy { !$0.hasSuffix(".partial") }, "\(bytes): \(names)")
    }
  }

  @Test(
    "A store made on a disk that has no room for the last of its pages is not made",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func storesOnFullDisk() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.json", version: "Orders@v4", rows: 60)
    for bytes in CorpusSample.of(Array(stride(from: 40_000, through: 520_000, by: 60_000)), atMost: 2) {
      let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
      defer { disk.unmount() }
      try disk.fill(leaving: bytes)
      for command in [
        "convert shop.json disk/new.sqlite", "extract shop.json --entity Order --output disk/new.sqlite",
      ] {
        let result = try Modelctl.shell("modelctl \(command)", in: workspace)
        if result.status == 0 {
          try workspace.shell("modelctl verify disk/new.sqlite && rm -r disk/new.sqlite*")
        } else {
          #expect(result.standardError.contains("error: disk/new.sqlite"), "\(bytes) \(command): \(result)")
          #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("disk")) == ["ballast"])
        }
      }
    }
  }

  @Test("A page of the source that cannot be read is the source's, also while a store of another kind is made")
  func unreadableSource() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(rows: 20)
    try Damage.tear(workspace.url.appendingPathComponent("shop.sqlite").path)
    for command in ["extract shop.sqlite --entity Customer --output", "anonymize shop.sqlite --output"] {
      for output in ["new.json", "new.sqlite"] {
        let arguments = "\(command) \(output)".split(separator: " ").map(String.init)
        try Refusal.expect(arguments, says: ["error: shop.sqlite: the store is corrupt"], in: workspace)
      }
    }
  }

  @Test(
    "A full disk at the temporary SQLite store of a store of another type, and not at that store",
    .enabled(if: SmallDisk.isPossible, "needs the right to mount a file system in memory"))
  func fullDiskOfTemporaryFiles() throws {
    let workspace = try SampleFolder()
    let disk = try SmallDisk(at: workspace.url.appendingPathComponent("disk"))
    defer { disk.unmount() }
    for kind in ["json", "xml", "binary"] {
      try workspace.makeStore("shop.\(kind)", version: "Orders@v4", rows: 60)
    }
    try workspace.makeStore(version: "Orders@v4", rows: 60)
    try disk.fill(leaving: 20_000)
    let before = try workspace.contents()
    for command in [
      "update shop.json Order --all --set number=8", "delete shop.xml RowOfOrder --all", "migrate shop.xml",
      "migrate shop.binary", "migrate shop.json --no-backup", "create new.json --version Orders@v4 --rows 60",
      "extract shop.sqlite --entity Order --output new.xml", "anonymize shop.sqlite --output new.json",
    ] {
      let result = try Modelctl.shell("TMPDIR=$PWD/disk modelctl \(command)", in: workspace)
      #expect(result.status == 2 && result.standardOutput.isEmpty, "\(command): \(result)")
      let message = result.standardError
      #expect(message.components(separatedBy: "error: ").count == 2, "\(command): \(message)")
      #expect(message.contains("/disk: the folder for temporary files is full"), "\(command): \(message)")
      #expect(message.contains("TMPDIR") && !message.contains("modelctl-files-"), "\(command): \(message)")
      #expect(try workspace.contents() == before, "\(command)")
    }
  }
}
