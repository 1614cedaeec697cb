import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Many stores")
struct FleetTests {
  let workspace: SampleFolder

  init() throws { workspace = try SampleFolder() }

  private func migrate(_ arguments: String...) throws -> (result: Modelctl.Result, lines: FleetLines) {
    let result = try Modelctl.run(
      ["migrate", "--model", "Models", "--format", "json"] + arguments, in: workspace)
    return (result, try FleetLines(result.standardOutput))
  }

  private func path(_ name: String) -> String { workspace.url.appendingPathComponent(name).path }

  @Test("Stores are found by their content; files that only look like a store, or belong to one, are ignored")
  func discovery() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(2, of: ["Todo@v1", "Orders@v1"])
    for name in ["a/b c/it's 100 %?.data", "no-extension", ".hidden/x.sqlite", "Größe.sqlite"] {
      try workspace.write("", to: "Stores/\(name)")
      try FileManager.default.removeItem(atPath: path("Stores/\(name)"))
      try FileManager.default.copyItem(atPath: path("seed-Todo@v1.sqlite"), toPath: path("Stores/\(name)"))
    }
    for name in ["no-extension.v1.backup", "no-extension.v1.backup-2", ".tenant_SUPPORT/_EXTERNAL_DATA/file"] {
      try workspace.write("", to: "Stores/\(name)")
      try FileManager.default.removeItem(atPath: path("Stores/\(name)"))
      try FileManager.default.copyItem(atPath: path("seed-Todo@v1.sqlite"), toPath: path("Stores/\(name)"))
    }
    try FileManager.default.copyItem(
      atPath: path("seed-Todo@v1.sqlite"), toPath: path("Stores/.no-extension.modelctl-00001f00de84f3fd")
    )
    try workspace.write("no store\n", to: "Stores/notes.sqlite")
    try workspace.write("", to: "Stores/empty.sqlite")
    try FileManager.default.copyItem(atPath: path("seed-Todo@v1.sqlite"), toPath: path("Stores/other.sqlite"))
    try fleet.run("DROP TABLE Z_METADATA", on: "Stores/other.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: path("Stores/link.sqlite"), withDestinationPath: path("seed-Todo@v1.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: path("Stores/loop"), withDestinationPath: path("Stores"))
    let before = try workspace.contents()

    let (result, lines) = try migrate("Stores")
    #expect(result.status == 0, "\(result.standardError)")
    let found = ["Größe.sqlite", "a/b c/it's 100 %?.data", "no-extension", ".hidden/x.sqlite"].map { "Stores/\($0)" }
    #expect(lines.paths("migrated") == (found + fleet.stores).sorted())
    #expect(lines.count("stores") == 6)
    #expect(
      lines.summary?["passedOver"] == .object(["files": .integer(3), "backups": .integer(2), "links": .integer(2)]))
    let after = try workspace.contents()
    #expect(after["Stores/.no-extension.modelctl-00001f00de84f3fd"] == nil)
    for name in before.keys where !lines.paths("migrated").contains(name) && !name.contains(".modelctl-") {
      #expect(after[name] == before[name], "\(name)")
    }
  }

  @Test("One failure never stops the others, and the message is one line", arguments: [1, 4])
  func failures(jobs: Int) throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(6, of: ["Todo@v1"])
    try fleet.addStrange("Stores/strange.sqlite")
    try Data(contentsOf: URL(fileURLWithPath: path(fleet.stores[2]))).prefix(9000)
      .write(to: URL(fileURLWithPath: path(fleet.stores[2])))
    let before = try workspace.contents()
    let (result, lines) = try migrate("Stores", "--jobs", "\(jobs)")
    #expect(result.status == 2)
    #expect(lines.paths("migrated").count == 5)
    #expect(lines.paths("failed") == [fleet.stores[2], "Stores/strange.sqlite"].sorted())
    let messages = result.standardError.split(separator: "\n")
    #expect(messages.count == 2 && messages.allSatisfy { $0.hasPrefix("error: Stores/") }, "\(result.standardError)")
    #expect(messages.contains { $0.contains("strange.sqlite: no model here has an entity of this store") })
    #expect(messages.contains { $0.contains("is truncated") })
    let after = try workspace.contents()
    for name in lines.paths("failed") { #expect(after[name] == before[name]) }
    let text = try workspace.modelctl("migrate", "Stores", "--model", "Models")
    #expect(text.status == 2)
    #expect(text.standardOutput.contains("finished before   5\nfailed            2\n"), "\(text.standardOutput)")
    #expect(text.standardOutput.contains("WHERE state = 'failed'"))
  }

  @Test("A finished store is not opened again until its file changes or another version is wanted")
  func resume() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(3, of: ["Todo@v1"])
    #expect(try migrate("Stores").lines.count("migrated") == 3)
    #expect(try migrate("Stores").lines.count("finishedBefore") == 3)

    let store = path(fleet.stores[1])
    let good = try Data(contentsOf: URL(fileURLWithPath: store))
    #expect(
      run(
        "/bin/sh", "-c",
        "touch -r \"$1\" stamp && printf XXXX | dd of=\"$1\" bs=1 seek=0 conv=notrunc 2>&1 && touch -r stamp \"$1\"",
        "sh", store) == 0)
    let trusting = try migrate("Stores")
    #expect(trusting.result.status == 0 && trusting.lines.count("finishedBefore") == 3)
    #expect(run("/usr/bin/env", "touch", store) == 0)
    let (result, lines) = try migrate("Stores")
    #expect(lines.count("finishedBefore") == 2 && lines.count("failed") == 0)
    #expect(result.status == 0)
    #expect(lines.summary?["passedOver"]?["files"] == .integer(1))

    try good.write(to: URL(fileURLWithPath: store))
    #expect(try migrate("Stores").lines.count("alreadyCurrent") == 1)
    #expect(
      try migrate("Stores", "--to", "Todo@v1", "--allow-data-loss", "Todo.dueDate").lines.count("finishedBefore") == 0)
  }

  @Test("Failed stores are tried again")
  func retry() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(2, of: ["Family@v2"])
    let first = try migrate("Stores", "--to", "Family@v1")
    #expect(first.result.status == 2 && first.lines.paths("refused") == fleet.stores)
    let second = try migrate("Stores", "--to", "Family@v1", "--allow-data-loss", "User.children")
    #expect(second.result.status == 0 && second.lines.paths("migrated") == fleet.stores)
    #expect(second.lines.stores.allSatisfy { $0["attempt"] == .integer(2) })
  }

  @Test("A rehearsal changes nothing and remembers nothing")
  func rehearsal() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(4)
    let before = try workspace.contents()
    let (result, lines) = try migrate("Stores", "--dry-run")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(lines.count("rehearsed") == 3 && lines.count("alreadyCurrent") == 1)
    #expect(lines.summary?["journal"] == .null)
    #expect(try workspace.contents() == before)
  }

  @Test("Stores that are named are many, too, when jobs are; each counts once, however often it is named")
  func named() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(3, of: ["Todo@v1"])
    let (result, lines) = try migrate(
      "--jobs", "2", fleet.stores[0], fleet.stores[1], "./\(fleet.stores[0])", "gone.sqlite")
    #expect(result.status == 2)
    #expect(lines.paths("migrated") == Array(fleet.stores.prefix(2)))
    #expect(lines.paths("failed") == ["gone.sqlite"])
    #expect(lines.summary?["journal"] == .null)
    let mixed = try migrate(fleet.stores[0], "Stores", "Stores/0", "Stores/")
    #expect(mixed.lines.count("stores") == 3 && mixed.lines.count("migrated") == 1)
  }

  @Test("Two names of one file are never worked on at once")
  func hardLinks() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(1, of: ["Todo@v1"])
    for number in 0..<6 {
      try FileManager.default.linkItem(atPath: path(fleet.stores[0]), toPath: path("Stores/name-\(number)"))
    }
    let (result, lines) = try migrate("Stores", "--jobs", "7", "--in-place")
    #expect(result.status == 0, "\(result.standardError)")
    #expect(lines.count("migrated") == 1 && lines.count("alreadyCurrent") == 6)
  }

  @Test("A folder without a store is reported, and has no journal afterwards")
  func nothing() throws {
    try workspace.write("hello", to: "Stores/readme.txt")
    let before = try workspace.contents()
    let result = try workspace.modelctl("migrate", "Stores", "--model", "Models")
    #expect(result.status == 0)
    #expect(result.standardError == "warning: there is no Core Data store under Stores\n")
    #expect(try workspace.contents() == before)
  }

  @Test("Names that are wrong for every store are reported once, before any store is changed")
  func wrongNames() throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(3, of: ["Todo@v1"])
    for (option, value) in [("--allow-data-loss", "Order.nothing"), ("--model", "gone")] {
      try Refusal.expect(["migrate", "Stores", option, value], says: [value], in: workspace)
    }
    try Refusal.expect(
      ["migrate", "Stores", "--model", "Models/Todo.xcdatamodeld", "--fill", "Todo.nothing=1"],
      says: ["Todo.nothing"], in: workspace)
    try Refusal.expect(
      ["migrate", "Stores", "--model", "Models/Orders.xcdatamodeld", "--fill", "Order.customer=1"],
      says: ["--fill Order.customer=1: Order.customer is not an attribute, and only attributes have values"],
      in: workspace)
    try Refusal.expect(
      ["migrate", "Stores", "--model", "Models/Todo.xcdatamodeld", "--to", "v9"], says: ["v9"], in: workspace)
  }

  @Test("Several processes share one folder: each store is migrated exactly once", arguments: [2, 5])
  func shards(_ count: Int) throws {
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(40)
    let processes = try (1...count).map { index in
      try Modelctl.start(
        ["migrate", "Stores", "--model", "Models", "--shard", "\(index)/\(count)", "--format", "json=part-\(index)"],
        in: workspace)
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let parts = try (1...count).map {
      try FleetLines(
        String(decoding: Data(contentsOf: workspace.url.appendingPathComponent("part-\($0)")), as: UTF8.self))
    }
    let paths = parts.flatMap { $0.paths("migrated") + $0.paths("already-current") }
    #expect(paths.sorted() == fleet.stores.sorted())
    #expect(parts.allSatisfy { $0.stores.count < 40 })
    #expect(Set(parts.compactMap { $0.summary?["journal"]?.text }).count == count)
    print("sharding: \(count) processes, \(paths.count) stores, each once: \(Set(paths).count == paths.count)")
    #expect(try migrate("Stores").lines.count("alreadyCurrent") == 40)
  }

  private func run(_ program: String, _ arguments: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = workspace.url
    process.standardOutput = FileHandle.nullDevice
    do { try process.run() } catch { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
