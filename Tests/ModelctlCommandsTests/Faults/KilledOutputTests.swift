import Foundation
import TestSupport
import Testing

@Suite("A killed command leaves its complete result, or nothing permanent", .serialized)
struct KilledOutputTests {
  /// A command, and the file or folder that it makes.
  struct Making: CustomTestStringConvertible, Sendable {
    let command: String
    let output: String
    /// The other files that it makes.
    let folder: String?
    var testDescription: String { command }

    init(_ command: String, makes output: String, and folder: String? = nil) {
      (self.command, self.output, self.folder) = (command, output, folder)
    }
  }

  /// All of them, or those whose command begins as `MODELCTL_KILL_COMMAND` says.
  private static let makings = all.filter {
    $0.command.hasPrefix(ProcessInfo.processInfo.environment["MODELCTL_KILL_COMMAND"] ?? "")
  }

  private static let all = [
    Making("create out.sqlite --version Orders@v4 --rows ROWS --seed 7", makes: "out.sqlite"),
    Making("create out.json --version Orders@v4 --rows ROWS --seed 7", makes: "out.json"),
    Making("load shop.jsonl --version Orders@v4 --uuid-seed 7 --output out.sqlite", makes: "out.sqlite"),
    Making("load shop.jsonl --version Orders@v4 --uuid-seed 7 --output out.xml", makes: "out.xml"),
    Making("convert shop.sqlite out.json", makes: "out.json"),
    Making("convert shop.json out.sqlite", makes: "out.sqlite"),
    Making("extract shop.sqlite --entity Order --output out.sqlite", makes: "out.sqlite"),
    Making("anonymize shop.sqlite --seed 7 --output out.sqlite", makes: "out.sqlite"),
    Making("dump shop.sqlite --format jsonl --output out.jsonl", makes: "out.jsonl"),
    Making("dump shop.sqlite --format csv --output out", makes: "out"),
    Making("load shop.jsonl --version Orders@v4 --uuid-seed 7 --output out.binary", makes: "out.binary"),
    Making("extract shop.json --entity Order --output out.binary", makes: "out.binary"),
    Making("anonymize shop.sqlite --seed 7 --output out.binary", makes: "out.binary"),
    Making("dump shop.sqlite --format postgresql --output out.sql", makes: "out.sql"),
    Making("rescue plants.sqlite --output out.sqlite", makes: "out.sqlite", and: ".out_SUPPORT"),
  ]

  /// A folder with what the commands read, and what each makes when nobody kills it.
  private struct Subject {
    let template: SampleFolder
    let making: Making
    let arguments: [String]
    let whole: [String: Data]
    let duration: Double

    init(_ making: Making, rows: Int) throws {
      (template, self.making) = (try SampleFolder(), making)
      arguments = making.command.replacing("ROWS", with: "\(rows)").split(separator: " ").map(String.init)
      try template.makeStore(version: "Orders@v4", rows: rows)
      for command in ["convert shop.sqlite shop.json", "dump shop.sqlite --format jsonl --output shop.jsonl"] {
        let result = try Modelctl.shell("modelctl \(command)", in: template)
        try #require(result.status == 0, "\(result.standardError)")
      }
      try Self.makePlants(in: template)
      try FileManager.default.createDirectory(
        at: template.url.appendingPathComponent("tmp"), withIntermediateDirectories: false)
      let clean = try SampleFolder(copying: template)
      let start = Date()
      let process = try Modelctl.start(arguments, in: clean, temporaryFolder: "tmp")
      process.waitUntilExit()
      duration = Date().timeIntervalSince(start)
      try #require(process.terminationStatus == 0)
      whole = try Self.output(of: making, in: clean)
      try #require(!whole.isEmpty)
    }

    /// Makes a store with files of external data, and takes its header.
    private static func makePlants(in workspace: SampleFolder) throws {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Plant"><attribute name="name" attributeType="String"/>
        <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/></entity>
        </model>
        """, to: "Models/Plants.xcdatamodeld/v1.xcdatamodel/contents")
      let lines = (1...3).map { number in
        let photo = Data(repeating: UInt8(number), count: 200_000).base64EncodedString()
        return "{\"entity\": \"Plant\", \"id\": \(number), \"name\": \"p\(number)\", \"photo\": \"\(photo)\"}\n"
      }
      try workspace.write(lines.joined(), to: "plants.jsonl")
      let result = try workspace.modelctl("load", "plants.jsonl", "--output", "plants.sqlite", "--version", "Plants@v1")
      try #require(result.status == 0, "\(result)")
      try Damage.behead(workspace.folder.path("plants.sqlite"))
    }

    /// The content of an output: the objects of a store, the bytes of a dump.
    private static func output(of making: Making, in workspace: SampleFolder) throws -> [String: Data] {
      let name = making.output
      if making.command.hasPrefix("dump") { return try workspace.contents().filter { $0.key.hasPrefix(name) } }
      guard FileManager.default.fileExists(atPath: workspace.folder.path(name)) else { return [:] }
      let verified = try workspace.modelctl("verify", name)
      #expect(verified.status == 0, "\(verified.standardOutput)")
      let dump = try workspace.modelctl("dump", name, "--format", "jsonl")
      #expect(dump.status == 0, "\(dump.standardError)")
      return [name: Data(dump.standardOutput.utf8)]
    }

    /// Kills a run, looks at what is left, and lets another one finish; true when the first had made everything.
    func check(_ moment: String, _ environment: [String: String], _ kill: (Process) -> Void) throws -> Bool {
      let workspace = try SampleFolder(copying: template)
      let before = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path))
      let process = try Modelctl.start(arguments, environment: environment, in: workspace, temporaryFolder: "tmp")
      kill(process)
      process.waitUntilExit()
      let found = try Self.output(of: making, in: workspace)
      #expect(found.isEmpty || found == whole, "\(moment): a part is left")
      if found.isEmpty {
        let again = try Modelctl.start(arguments, in: workspace, temporaryFolder: "tmp")
        again.waitUntilExit()
        #expect(again.terminationStatus == 0, "\(moment)")
        #expect(try Self.output(of: making, in: workspace) == whole, "\(moment)")
        let left = try Set(FileManager.default.contentsOfDirectory(atPath: workspace.url.path)).subtracting(before)
        let made = Set([making.output, making.folder].compactMap { $0 })
        #expect(left.subtracting(["out.sqlite-wal", "out.sqlite-shm"]) == made, "\(moment)")
        let temporary = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("tmp"))
        #expect(temporary == [], "\(moment)")
      }
      return !found.isEmpty
    }
  }

  @Test(
    "kill -9 at a random moment",
    arguments: KillMoments.isFull ? makings : CorpusSample.of(makings, atMost: 2))
  func randomMoments(_ making: Making) throws {
    let subject = try Subject(making, rows: KillMoments.isFull ? 300 : 200)
    try KillMoments.random(making.command, duration: subject.duration, seed: 5, subject.check)
  }

  @Test(
    "kill -9 at each operation on a file",
    .enabled(if: KillMoments.library != nil, "scripts/torture builds the library that does it"),
    arguments: makings)
  func everyOperation(_ making: Making) throws {
    let subject = try Subject(making, rows: 5)
    let counter = subject.template.folder.path("count")
    let found = try KillMoments.everyOperation(making.command, counter: counter, subject.check)
    #expect(found.operations >= 5 && found.done < found.operations)
  }

  @Test("The next run removes temporary files of a killed program, and keeps files that another process uses")
  func temporaryFiles() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("shop.json", version: "Orders@v4")
    for name in ["left", "used"] { try workspace.write("text", to: "tmp/modelctl-files-\(name)/shop.json") }
    let used = open(workspace.folder.path("tmp/modelctl-files-used"), O_RDONLY)
    defer { close(used) }
    #expect(flock(used, LOCK_EX) == 0)
    #expect(try Modelctl.shell("TMPDIR=$PWD/tmp modelctl status shop.json", in: workspace).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("tmp")) == ["modelctl-files-used"])
  }

  @Test(
    "The next run removes data that a killed program left next to a store, and no other data",
    arguments: [true, false])
  func support(_ isLeft: Bool) throws {
    let workspace = try SampleFolder()
    try workspace.write("data", to: ".new_SUPPORT/_EXTERNAL_DATA/data")
    if isLeft { try workspace.write("", to: ".new.sqlite.modelctl.partial/placing") }
    // As the program makes it.
    let partial = workspace.folder.path(".new.sqlite.modelctl.partial")
    if isLeft { try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: partial) }
    let result = try workspace.modelctl("create", "new.sqlite", "--version", "Orders@v1")
    #expect((result.status == 0) == isLeft, "\(result)")
    #expect(FileManager.default.fileExists(atPath: workspace.folder.path(".new_SUPPORT")) != isLeft)
    #expect(!FileManager.default.fileExists(atPath: partial))
  }

  @Test("A folder in which a store is created is never a store of a fleet")
  func fleet() throws {
    let workspace = try SampleFolder()
    let half = "Documents/.new.sqlite.modelctl.partial/new.sqlite"
    try workspace.write("", to: half)
    try FileManager.default.removeItem(at: workspace.url.appendingPathComponent(half))
    try workspace.makeStore(half, version: "Orders@v1")
    try workspace.makeStore("Documents/shop.sqlite", version: "Orders@v1")
    let result = try workspace.modelctl("migrate", "Documents", "--to", "Orders@v2", "--format", "json")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try FleetLines(result.standardOutput).paths("migrated") == ["Documents/shop.sqlite"])
  }
}
