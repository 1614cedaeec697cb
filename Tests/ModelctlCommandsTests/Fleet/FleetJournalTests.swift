import Foundation
import GRDB
import TestSupport
import Testing

@Suite("The journal of many stores")
struct FleetJournalTests {
  let workspace: SampleFolder
  let fleet: FleetFolder

  init() throws {
    workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(3, of: ["Todo@v1", "Orders@v1", "Todo@v2"])
    self.fleet = fleet
  }

  private static let command = ["migrate", "Stores", "--model", "Models", "--journal", "journal"]

  private func rows(_ sql: String, in journal: String = "journal") throws -> [String] {
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent(journal).path)
    defer { try? queue.close() }
    return try queue.read { database in
      try Row.fetchAll(database, sql: sql).map { row in row.map { "\($1)" }.joined(separator: " ") }
    }
  }

  @Test("It holds a row a store, with paths from its own folder, so that both can be moved together")
  func content() throws {
    #expect(try workspace.modelctl("migrate", "Stores", "--model", "Models").status == 0)
    #expect(
      try rows(
        "SELECT path, given, state, attempts, outcome, source, destination, uuid FROM store",
        in: "Stores/.modelctl-journal.sqlite") == [
          #""0/tenant-0.sqlite" "Stores/0/tenant-0.sqlite" "done" 1 "migrated" "v1" "v2" "\#(FleetFolder.uuid(0))""#,
          #""0/tenant-1.sqlite" "Stores/0/tenant-1.sqlite" "done" 1 "migrated" "v1" "v6" "\#(FleetFolder.uuid(1))""#,
          #""0/tenant-2.sqlite" "Stores/0/tenant-2.sqlite" "done" 1 "already-current" "v2" "v2" "\#(FleetFolder.uuid(2))""#,
        ])
    try FileManager.default.moveItem(
      at: workspace.url.appendingPathComponent("Stores"), to: workspace.url.appendingPathComponent("Moved"))
    let result = try workspace.modelctl("migrate", "Moved", "--model", "Models")
    #expect(result.standardOutput.contains("finished before   3\n"), "\(result.standardOutput)")
  }

  @Test("A file that is not a journal is left alone", arguments: ["text", "store", "folder", "link"])
  func foreign(_ kind: String) throws {
    let place = workspace.url.appendingPathComponent("journal")
    switch kind {
    case "text": try Data("Dear diary,\n".utf8).write(to: place)
    case "store":
      try FileManager.default.copyItem(at: workspace.url.appendingPathComponent("seed-Todo@v1.sqlite"), to: place)
    case "folder": try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    default: try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "seed-Todo@v1.sqlite")
    }
    try Refusal.expect(
      Self.command, says: ["error: journal: this file is not a journal", "--journal FILE"], in: workspace)
  }

  @Test("The next run removes the draft of a killed run, and no file with a similar name")
  func draft() throws {
    let draft = "..modelctl-journal.sqlite.3F2504E0-4F89-41D3-9A0C-0305E82C3301.partial"
    let others = [".modelctl-journal.sqlite-20261127", "..modelctl-journal.sqlite.mine.partial"]
    for name in [draft] + others { try workspace.write("draft", to: "Stores/\(name)") }
    #expect(try workspace.modelctl("migrate", "Stores", "--model", "Models").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("Stores"))
    #expect(names.filter { $0.contains("journal") }.sorted() == ([".modelctl-journal.sqlite"] + others).sorted())
    // A run that is stopped while it makes its journal leaves none, and no draft.
    try FileManager.default.removeItem(atPath: workspace.folder.path("Stores/.modelctl-journal.sqlite"))
    let result = try Modelctl.shell("ulimit -f 8; exec modelctl migrate Stores --model Models", in: workspace)
    #expect(result.status == 2, "\(result.standardError)")
    let left = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path("Stores"))
    #expect(left.filter { $0.contains("journal") }.sorted() == others.sorted())
  }

  @Test("A damaged journal is one clear error")
  func damaged() throws {
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    let place = workspace.url.appendingPathComponent("journal")
    var bytes = try Data(contentsOf: place)
    bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 100))
    try bytes.write(to: place)
    let before = try workspace.contents().filter { $0.key.hasPrefix("Stores") }
    let result = try Modelctl.run(Self.command, in: workspace)
    #expect(result.status == 2 && result.standardOutput.isEmpty)
    #expect(result.standardError.hasPrefix("error: journal: the journal is damaged"), "\(result.standardError)")
    #expect(result.standardError.contains("Delete it; modelctl then examines every store again"))
    #expect(try workspace.contents().filter { $0.key.hasPrefix("Stores") } == before)
  }

  @Test("Values of wrong types in a journal are one clear error, or a second look")
  func senseless() throws {
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    let place = workspace.url.appendingPathComponent("journal").path
    for (change, status) in [
      ("size = 'x', goal = x'00', state = 'done'", Int32(0)), ("device = NULL, uuid = 7", 0),
      ("attempts = 'many', size = 0", 2),
    ] {
      let queue = try DatabaseQueue(path: place)
      try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE store SET \(change)") }
      try queue.close()
      let result = try Modelctl.run(Self.command, in: workspace)
      #expect(result.status == status, "\(result.standardError)")
      #expect(status == 0 || result.standardError.hasPrefix("error: journal: the journal is damaged"))
    }
  }

  @Test("A journal of a later version, and a place that is not there")
  func unusable() throws {
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent("journal").path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA user_version = 2") }
    try queue.close()
    let later = try Modelctl.run(Self.command, in: workspace)
    #expect(later.status == 2 && later.standardError.contains("journal: the journal has version 2"))
    try Refusal.expect(
      ["migrate", "Stores", "--model", "Models", "--journal", "gone/journal"],
      says: ["error: gone/journal: the journal cannot be used", "--journal FILE"], in: workspace)
  }

  @Test("Two runs never use one journal at once")
  func inUse() throws {
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    let holder = try OtherProcess(
      holding: workspace.url.appendingPathComponent("journal").path,
      sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
    let result = try Modelctl.run(Self.command, in: workspace)
    #expect(result.status == 2 && result.standardOutput.isEmpty)
    #expect(
      result.standardError.contains("error: journal: another run is using this journal"), "\(result.standardError)")
    holder.end()
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
  }

  @Test("Stores that a dead process was at are tried again")
  func dead() throws {
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent("journal").path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE store SET state = 'running' WHERE path LIKE '%tenant-1%'")
    }
    try queue.close()
    #expect(try Modelctl.run(Self.command, in: workspace).status == 0)
    #expect(
      try rows("SELECT state, outcome, attempts FROM store") == [
        #""done" "migrated" 1"#, #""done" "already-current" 2"#, #""done" "already-current" 1"#,
      ])
  }
}
