import Foundation
import TestSupport
import Testing

/// `MODELCTL_FLEET_STORES` says how many stores there are; `scripts/torture-fleet` takes 10,000.
@Suite("Many stores, stopped half-way", .serialized)
struct FleetTortureTests {
  static let count = ProcessInfo.processInfo.environment["MODELCTL_FLEET_STORES"].flatMap(Int.init) ?? 60

  @Test("Killed half-way and run again: every store ends as if it had been migrated alone")
  func killed() throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(Self.count)
    let bad = try spoil(&fleet)
    let command = ["migrate", "Stores", "--model", "Models", "--format"]

    let begin = Usage()
    let process = try Modelctl.start(command + ["json=first"], in: workspace)
    let first = workspace.url.appendingPathComponent("first")
    while process.isRunning, lineCount(first) < Self.count / 2 { usleep(2000) }
    #expect(kill(process.processIdentifier, SIGKILL) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    let told = lineCount(first)
    report("killed", told, since: begin)

    let middle = Usage()
    let second = try Modelctl.run(command + ["json"], in: workspace)
    let lines = try FleetLines(second.standardOutput)
    #expect(second.status == 2, "\(second.standardError)")
    report("resumed", lines.stores.count, since: middle)
    let (migrated, current) = (lines.count("migrated") ?? 0, lines.count("alreadyCurrent") ?? 0)
    let finishedBefore = lines.count("finishedBefore") ?? 0
    #expect(migrated + current + finishedBefore == fleet.stores.count)
    #expect(lines.count("failed") == bad.count)
    #expect(finishedBefore > 0 && finishedBefore <= told && migrated > 0)
    #expect(lines.paths("failed") == bad)

    let end = Usage()
    let third = try FleetLines(Modelctl.run(command + ["json"], in: workspace).standardOutput)
    // One that was killed after its commit keeps its log until somebody opens it for writing.
    let again = third.count("alreadyCurrent") ?? 0
    #expect((third.count("finishedBefore") ?? 0) + again == fleet.stores.count && third.count("failed") == bad.count)
    #expect(again <= (third.count("jobs") ?? 0))
    report("skipped", fleet.stores.count, since: end)

    try verify(fleet)
    print("fleet: \(fleet.stores.count) stores verified, \(bad.count) failed as they must, 0 lost")
  }

  @Test("Ctrl-C half-way: exit 130, a correct journal, and the same command continues", arguments: [SIGINT, SIGTERM])
  func interrupted(_ signal: Int32) throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder(in: workspace)
    try fleet.add(min(Self.count, 1000))
    let command = ["migrate", "Stores", "--model", "Models", "--format"]
    let process = try Modelctl.start(command + ["json=first"], in: workspace)
    let first = workspace.url.appendingPathComponent("first")
    while process.isRunning, lineCount(first) < fleet.stores.count / 3 { usleep(2000) }
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    let lines = try FleetLines(String(decoding: Data(contentsOf: first), as: UTF8.self))
    let remaining = try #require(lines.count("remaining"))
    #expect(remaining > 0 && lines.summary?["interrupted"] == .boolean(true))
    #expect(lines.stores.count + remaining == fleet.stores.count)
    let result = try Modelctl.run(command + ["json"], in: workspace)
    #expect(result.status == 0, "\(result.standardError)")
    let second = try FleetLines(result.standardOutput)
    #expect(second.count("finishedBefore") == lines.stores.count)
    #expect(
      second.stores.count == remaining
        && second.stores.allSatisfy { $0["attempt"] == .integer(1) || $0["attempt"] == .integer(2) })
    try verify(fleet)
  }

  /// Makes one store in fifty one that cannot be migrated.
  private func spoil(_ fleet: inout FleetFolder) throws -> [String] {
    let strange = "Stores/strange.sqlite"
    try fleet.addStrange(strange)
    let cut = "Stores/cut.sqlite"
    try Data(contentsOf: URL(fileURLWithPath: fleet.path(FleetFolder.seed("Orders@v1")))).prefix(20_000)
      .write(to: URL(fileURLWithPath: fleet.path(cut)))
    var bad = [strange, cut]
    for number in 1...max(1, Self.count / 100) {
      let copy = "Stores/strange-\(number).sqlite"
      try FileManager.default.copyItem(atPath: fleet.path(strange), toPath: fleet.path(copy))
      bad.append(copy)
    }
    return bad.sorted()
  }

  /// Every store has its identity, passes `verify`, and holds what its seed holds when that is migrated alone.
  private func verify(_ fleet: FleetFolder) throws {
    var expected: [String: [String]] = [:]
    for seed in Set(fleet.seeds.values) {
      let result = try fleet.workspace.modelctl("migrate", seed, "--model", "Models")
      #expect(result.status == 0, "\(result.standardError)")
      expected[seed] = try fleet.content(of: seed)
    }
    let names = FileManager.default.enumerator(atPath: fleet.path(fleet.name))?.allObjects as? [String] ?? []
    #expect(names.filter { $0.contains(".modelctl-") && !$0.contains("journal") } == [])
    for (number, store) in fleet.stores.enumerated() {
      #expect(try fleet.uuid(of: store) == FleetFolder.uuid(number))
      let isSame = try fleet.content(of: store) == expected[fleet.seeds[store] ?? ""]
      #expect(isSame, "\(store) is not what its seed becomes")
    }
    for start in stride(from: 0, to: fleet.stores.count, by: 500) {
      let batch = Array(fleet.stores[start..<min(start + 500, fleet.stores.count)])
      let result = try Modelctl.run(["verify", "--model", "Models"] + batch, in: fleet.workspace)
      #expect(result.status == 0)
      #expect(result.standardOutput.components(separatedBy: ": sound (").count - 1 == batch.count)
    }
  }

  private func lineCount(_ file: URL) -> Int {
    (try? Data(contentsOf: file))?.count { $0 == UInt8(ascii: "\n") } ?? 0
  }

  private func report(_ name: String, _ count: Int, since former: Usage) {
    let (wall, processor) = Usage().since(former)
    let rate = Int(Double(count) / max(wall, 0.001))
    let cores = (processor / max(wall, 0.001) * 100).rounded() / 100
    print(
      "fleet: \(name) after \(count) stores: \(wall) s, \(rate) stores a second, CPU \(processor) s = \(cores) cores")
  }
}

/// The time that ended child processes have taken, and the clock's.
private struct Usage {
  private let wall = Date()
  private let processor: Double

  init() {
    var usage = rusage()
    // RUSAGE_CHILDREN, whose type differs between the platforms.
    getrusage(-1, &usage)
    processor =
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }

  func since(_ former: Usage) -> (wall: Double, processor: Double) {
    let round = { (seconds: Double) in (seconds * 1000).rounded() / 1000 }
    return (round(wall.timeIntervalSince(former.wall)), round(processor - former.processor))
  }
}
