import Foundation
import GRDB
import PersistentStores
import TestSupport
import Testing

/// Replaces files while a command works on them, with a preloaded library.
enum PlaceAttack {
  /// A replacement of a file.
  enum Replacement: String, CaseIterable, Sendable {
    /// A link to an empty file outside, into which SQLite would write.
    case link
    /// A dangling link outside.
    case brokenLink
    case pipe
    case file
  }

  /// The library, made once by the system's compiler; nil where there is none, or no `LD_PRELOAD`.
  static let library: String? = {
    #if os(Linux)
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../AttackAt/attack_at.c").path
      let place = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-attack-\(getpid()).so").path
      for compiler in ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"]
      where FileManager.default.isExecutableFile(atPath: compiler) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: compiler)
        process.arguments = ["-shared", "-fPIC", "-O1", "-o", place, source, "-ldl"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { continue }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return place }
      }
    #endif
    return nil
  }()
}

@Suite(
  "If a file is replaced while a command works, nothing outside is changed and nothing waits",
  .enabled(if: PlaceAttack.library != nil, "it needs LD_PRELOAD and a C compiler"))
struct PlaceAttackTests {
  private static let commands = [
    "migrate old.sqlite --to v4", "migrate old.sqlite --to v4 --copy --backup",
    "migrate old.sqlite --to v4 --in-place --backup", "migrate old.json --to v4", "verify --repair bad.sqlite",
    "update shop.sqlite Order --all --set number=8", "update shop.json Order --all --set number=8",
    "delete shop.sqlite RowOfOrder --all", "delete shop.json RowOfOrder --all",
    "load changes.jsonl --output shop.sqlite --version Orders@v4 --upsert",
    "load changes.jsonl --output shop.json --version Orders@v4 --upsert", "merge base.json shop.json theirs.json",
    "create out.sqlite --version Orders@v4 --rows 5", "create out.json --version Orders@v4 --rows 5",
    "load shop.jsonl --version Orders@v4 --output out.sqlite", "load shop.jsonl --version Orders@v4 --output out.xml",
    "convert shop.sqlite out.json", "convert shop.json out.sqlite",
    "extract shop.sqlite --entity Order --output out.sqlite", "anonymize shop.sqlite --seed 7 --output out.sqlite",
    "dump shop.sqlite --format jsonl --output out.jsonl", "dump shop.sqlite --format csv --output out",
  ]

  /// A folder with what the commands read.
  private static func template() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v4", rows: 5)
    try workspace.makeStore("old.sqlite", version: "Orders@v1", rows: 5)
    try workspace.makeStore("old.json", version: "Orders@v1", rows: 5)
    try workspace.makeStore("bad.sqlite", version: "Orders@v4", rows: 5)
    let bad = try DatabaseQueue(path: workspace.folder.path("bad.sqlite"))
    try bad.write { try $0.execute(sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1") }
    try bad.close()
    try workspace.write("{\"entity\": \"Order\", \"id\": 1, \"number\": 8}\n", to: "changes.jsonl")
    for command in ["convert shop.sqlite shop.json", "dump shop.sqlite --format jsonl --output shop.jsonl"] {
      let result = try Modelctl.shell("modelctl \(command)", in: workspace)
      try #require(result.status == 0, "\(result.standardError)")
    }
    for copy in ["base.json", "theirs.json"] {
      try FileManager.default.copyItem(
        at: workspace.url.appendingPathComponent("shop.json"), to: workspace.url.appendingPathComponent(copy))
    }
    return workspace
  }

  /// A run of a command in which something takes the place of a file.
  private struct Trial {
    let template: SampleFolder
    let command: String

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - operation: the operation before which it happens; 0 for none.
    ///   - replacement: what takes the place of the file.
    /// - Returns: the operations, each with its file.
    func run(_ operation: Int, _ replacement: PlaceAttack.Replacement) throws -> [Substring] {
      let workspace = try SampleFolder(copying: template)
      let (outside, temporary) = (try TemporaryFolder(), try TemporaryFolder())
      let target = outside.path("empty")
      try Data().write(to: URL(fileURLWithPath: target))
      chmod(target, 0o600)
      let before = try Self.status(of: outside)
      let log = temporary.path("log")
      let environment = [
        "LD_PRELOAD": try #require(PlaceAttack.library), "MODELCTL_ATTACK_AT": "\(operation)",
        "MODELCTL_ATTACK_KIND": replacement == .brokenLink ? "link" : replacement.rawValue,
        "MODELCTL_ATTACK_TARGET": replacement == .brokenLink ? outside.path("new") : target,
        "MODELCTL_ATTACK_FOLDER": try #require(realpath(workspace.url.path, nil).map { String(cString: $0) }),
        "MODELCTL_ATTACK_LOG": log, "TMPDIR": temporary.url.path,
      ]
      let arguments = command.split(separator: " ").map(String.init)
      let process = try Modelctl.start(arguments, environment: environment, in: workspace)
      // Longer than any lock is waited for.
      let isEnded = (0..<6000).contains { _ in
        if !process.isRunning { return true }
        usleep(5_000)
        return false
      }
      if !isEnded { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      let lines = String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: log))) ?? Data(), as: UTF8.self)
        .split(separator: "\n")
      let place = operation > 0 && operation <= lines.count ? lines[operation - 1] : ""
      #expect(isEnded, "\(command), \(replacement) at \(operation), \(place): waits")
      #expect(process.terminationReason == .exit && process.terminationStatus <= 2, "\(replacement) at \(place)")
      #expect(try Self.status(of: outside) == before, "\(command), \(replacement) at \(operation), \(place)")
      if operation == 0 { #expect(process.terminationStatus == 0, "\(command)") }
      return lines
    }

    /// Each file of a folder with all signs of a change.
    private static func status(of folder: TemporaryFolder) throws -> [String: String] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      var all: [String: String] = [:]
      for name in names {
        guard let status = OtherUser.status(folder.path(name)) else { continue }
        all[name] =
          "\(status.st_mode) \(status.st_uid) \(status.st_ino) \(status.st_size) \(FileStatus(status).modified)"
      }
      return all
    }
  }

  @Test(
    "At each operation on a file",
    arguments: KillMoments.isFull ? commands : CorpusSample.of(commands, atMost: 4))
  func walk(_ command: String) throws {
    let trial = Trial(template: try Self.template(), command: command)
    // Models are read only; the sample is of what is written.
    let operations = try trial.run(0, .file)
    let places = operations.indices.filter { KillMoments.isFull || !operations[$0].contains("/Models/") }
    let points = places.flatMap { place in PlaceAttack.Replacement.allCases.map { (place + 1, $0) } }
    try #require(!points.isEmpty)
    let chosen = KillMoments.isFull ? points : CorpusSample.of(points, atMost: 6)
    for (operation, replacement) in chosen { _ = try trial.run(operation, replacement) }
    print("attacks, \(command): \(chosen.count) at \(operations.count) operations")
  }
}
