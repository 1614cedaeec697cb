import Foundation
import GRDB
import ModelKit
import PersistentStores
import TestSupport
import Testing

@Suite("A store that two processes use")
struct TwoProcessesTests {
  let workspace: SampleFolder
  private var path: String { workspace.folder.path("shop.sqlite") }

  init() throws { workspace = try SampleFolder() }

  private func open(_ options: OpeningOptions = OpeningOptions()) throws -> ObjectStore {
    let bundle = workspace.url.appendingPathComponent("Models/Orders.xcdatamodeld").path
    return try ObjectStore.open(path, model: Workspace(at: bundle).load(), options: options)
  }

  @Test("If two tasks open an older store together, one migrates it, and the other waits for the result")
  func opening() throws {
    try workspace.makeStore(rows: 3000)
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    var options = OpeningOptions()
    options.busyTimeout = 120
    var openings: Set<String> = []
    let errors = workspace.url.appendingPathComponent("errors.txt")
    for delay in [0, 0.05, 0.1, 0.2, 0.4, 0.8] {
      for suffix in ["", "-wal", "-shm", ".v1.backup"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try original.write(to: URL(fileURLWithPath: path))
      let other = try Modelctl.start(
        ["migrate", "shop.sqlite", "--busy-timeout", "120"], in: workspace, errors: "errors.txt")
      Thread.sleep(forTimeInterval: delay)
      let store = try open(options)
      switch store.opening {
      case .migrated(let from, let to, _): openings.insert("\(from) to \(to)")
      default: openings.insert("\(store.opening)")
      }
      #expect(try store.read { try $0.count(RecordRequest("Customer")) } == 3000)
      try store.close()
      other.waitUntilExit()
      let problem = try String(contentsOf: errors, encoding: .utf8)
      #expect(other.terminationStatus == 0, "\(problem)")
    }
    #expect(openings.isSubset(of: ["opened", "v1 to v6"]) && openings.contains("opened"), "\(openings)")
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("If two programs open an older store together, one migrates it, the other opens it, and both read the same")
  func openedTogether() throws {
    let original = workspace.folder.path("album.sqlite")
    let store = try ObjectStore.open(original, model: PhotoAlbum.model)
    try store.write { transaction in
      for number in 1...1000 {
        let data = Data([UInt8(truncatingIfNeeded: number)])
        try transaction.insert(
          "Photo", ["number": .attribute(.integer(Int64(number))), "data": .attribute(.binary(data))])
      }
    }
    try store.close()
    let program = try #require(BuildFolder.url).appendingPathComponent("ObjectSaver")
    for round in 1...4 {
      let path = workspace.folder.path("album \(round).sqlite")
      try FileManager.default.copyItem(atPath: original, toPath: path)
      let outputs = (1...2).map { workspace.url.appendingPathComponent("output \(round) \($0).txt") }
      let programs = try outputs.map { output in
        try Data().write(to: output)
        let process = Process()
        process.executableURL = program
        process.arguments = [path, "migrate"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        return process
      }
      for program in programs { program.waitUntilExit() }
      #expect(programs.map(\.terminationStatus) == [0, 0], "round \(round)")
      let texts = try outputs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
      let lines = texts.map { $0.split(separator: "\n").map(String.init) }
      #expect(lines.compactMap(\.first).sorted() == ["migrated v1 to v2", "opened"], "round \(round)")
      #expect(lines.map(\.count) == [1001, 1001] && lines[0].dropFirst() == lines[1].dropFirst(), "round \(round)")
    }
  }

  @Test("A reader that waits for a writer does not keep the store open, for which the writer would wait")
  func waitingReader() throws {
    try workspace.makeStore(version: "Orders@v6", rows: 1)
    let writer = try StoreWriter(path: path, busyTimeout: 20)
    defer { writer.discard() }
    // Beside a rollback journal, which there is for a moment before the file is replaced, a reader needs SQLite's lock.
    try writer.access { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    let reader = try writer.transaction { database in
      try database.execute(sql: "UPDATE ZCUSTOMER SET Z_OPT = Z_OPT")
      let reader = try Modelctl.start(["query", "shop.sqlite", "Customer", "--busy-timeout", "60"], in: workspace)
      Thread.sleep(forTimeInterval: 1)
      #expect(throws: Never.self) { try writer.waitUntilAlone() }
      #expect(reader.isRunning)
      return reader
    }
    try writer.finish()
    reader.waitUntilExit()
    #expect(reader.terminationStatus == 0)
  }

  /// A customer as two processes read it, after the other one has saved another number and name to search by.
  private func stale(in store: ObjectStore) throws -> ObjectRecord {
    let id = try store.write { transaction in
      try transaction.insert(
        "Customer", ["fullName": "Anna", "number": 1, "registrationDate": .attribute(.date(0)), "searchName": "anna"])
    }
    var mine = try #require(try store.read { try $0.object(id) })
    let other = try workspace.modelctl(
      "update", "shop.sqlite", "Customer", "--all", "--set", "searchName=emma", "--set", "number=2")
    #expect(other.status == 0, "\(other.standardError)")
    (mine.values["fullName"], mine.values["number"]) = ("Bert", 7)
    return mine
  }

  @Test("An object that another process saved is not saved without a policy")
  func conflict() throws {
    try workspace.makeStore(version: "Orders@v6", rows: 0)
    let store = try open()
    let mine = try stale(in: store)
    let error = #expect(throws: SaveError.self) { try store.write { try $0.update(mine) } }
    #expect(error?.blockers.map(\.code) == [133_020])
    #expect(try store.read { try $0.object(mine.id) }?["fullName"] == "Anna")
    try store.close()
  }

  @Test(
    "A policy decides which properties of an object that another process saved are kept",
    arguments: [
      (.propertiesOfMine, ["Bert", 7, "emma"]), (.propertiesOfStore, ["Bert", 2, "emma"]),
      (.overwrite, ["Bert", 7, "anna"]), (.rollback, ["Anna", 2, "emma"]),
    ] as [(MergePolicy, [RecordValue])])
  func policies(_ policy: MergePolicy, _ expected: [RecordValue]) throws {
    try workspace.makeStore(version: "Orders@v6", rows: 0)
    let store = try open()
    let mine = try stale(in: store)
    try store.write(merging: policy) { try $0.update(mine) }
    let found = try #require(try store.read { try $0.object(mine.id) })
    #expect(["fullName", "number", "searchName"].map { found[$0] } == expected)
    try store.close()
  }

  @Test(
    "A new object becomes the object with its unique value that another process loaded, according to the policy",
    arguments: [
      (.propertiesOfMine, ["Bert", "bert", false]), (.propertiesOfStore, ["Emma", "emma", false]),
      (.overwrite, ["Bert", "bert", true]), (.rollback, ["Emma", "emma", false]),
    ] as [(MergePolicy, [RecordValue])])
  func upsert(_ policy: MergePolicy, _ expected: [RecordValue]) throws {
    try workspace.makeStore(version: "Orders@v6", rows: 0)
    let store = try open()
    try workspace.write(
      """
      {"entity": "Customer", "id": 1, "fullName": "Emma", "number": 1, "registrationDate": "2001-01-01T00:00:00Z", \
      "searchName": "emma", "isActive": false}
      """, to: "more.jsonl")
    let other = try workspace.modelctl("load", "more.jsonl", "--output", "shop.sqlite", "--version", "Orders@v6")
    #expect(other.status == 0, "\(other.standardError)")
    let new: [String: RecordValue] = [
      "fullName": "Bert", "number": 1, "registrationDate": .attribute(.date(0)), "searchName": "bert",
    ]
    let error = #expect(throws: SaveError.self) { try store.write { try $0.insert("Customer", new) } }
    #expect(error?.blockers.map(\.code) == [133_021])
    #expect(error.map { "\($0)" } == "a new Customer has the same number as Customer 1, which must be unique")
    try store.write(merging: policy) { try $0.insert("Customer", new) }
    let found = try store.read { try $0.fetch(RecordRequest("Customer")) }
    #expect(found.map(\.id.key) == [1])
    #expect(["fullName", "searchName", "isActive"].map { found.first?[$0] } == expected)
    try store.close()
  }
}
