import Foundation
import TestSupport
import Testing

@Suite("The manifests in docs/fleet share a fleet out")
struct FleetManifestTests {
  static let folder = Transcript.project
    .appendingPathComponent("docs/fleet")
  static let hasParallel = ["/usr/bin/parallel", "/usr/local/bin/parallel", "/opt/homebrew/bin/parallel"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  @Test("Kubernetes: the command of the Job, once for each index")
  func kubernetes() throws {
    let file = Self.folder.appendingPathComponent("kubernetes-job.yaml")
    let manifest = JobManifest(String(decoding: try Data(contentsOf: file), as: UTF8.self))
    let count = try #require(Int(manifest.values["completions"] ?? ""))
    #expect(manifest.values["completionMode"] == "Indexed")
    #expect(manifest.values["parallelism"] == manifest.values["completions"])
    #expect(manifest.environment == ["MODELCTL_SHARDS": "\(count)"])
    #expect(manifest.command.first == "modelctl")
    #expect(manifest.values["mountPath"] == manifest.command[2])

    let workspace = try SampleFolder()
    var fleet = try FleetFolder("stores", in: workspace)
    try fleet.add(24)
    let places = ["/stores": "stores", "/models": "Models"]
    let results = try (0..<count).map { index in
      try Modelctl.shell(
        manifest.command.map { places[$0] ?? $0 }.joined(separator: " "),
        environment: manifest.environment.merging(["JOB_COMPLETION_INDEX": "\(index)"]) { $1 }, in: workspace)
    }
    try expectEachOnce(fleet, results.map(\.standardOutput))
    #expect(results.allSatisfy { $0.status == 0 })
  }

  @Test("Slurm: the script, once for each task of its array")
  func slurm() throws {
    let file = Self.folder.appendingPathComponent("slurm.sbatch")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let option = try #require(text.split(separator: "\n").first { $0.hasPrefix("#SBATCH --array=") })
    let ends = option.split(separator: "=")[1].split(separator: "-").compactMap { Int($0) }
    let workspace = try SampleFolder()
    var fleet = try FleetFolder("Many stores", in: workspace)
    try fleet.add(24)
    for task in ends[0]...ends[1] {
      let result = try Modelctl.shell(
        "sh '\(file.path)'",
        environment: [
          "STORES": "Many stores", "MODELS": "Models", "SLURM_ARRAY_TASK_ID": "\(task)",
          "SLURM_ARRAY_TASK_MIN": "\(ends[0])", "SLURM_ARRAY_TASK_MAX": "\(ends[1])",
          "SLURM_ARRAY_TASK_COUNT": "\(ends[1] - ends[0] + 1)", "SLURM_CPUS_PER_TASK": "2",
        ], in: workspace)
      #expect(result.status == 0, "\(result.standardError)")
    }
    try expectEachOnce(fleet, try outputs(in: fleet, of: Array(ends[0]...ends[1])))
  }

  @Test("GNU parallel: the script", .enabled(if: hasParallel, "needs GNU parallel"))
  func parallel() throws { try share(path: nil) }

  @Test("The same without GNU parallel, by xargs")
  func xargs() throws {
    let tools = try TemporaryFolder()
    for tool in ["sh", "seq", "xargs", "grep"] {
      let place = ["/bin/\(tool)", "/usr/bin/\(tool)"].first { FileManager.default.isExecutableFile(atPath: $0) }
      try FileManager.default.createSymbolicLink(
        atPath: tools.path(tool), withDestinationPath: try #require(place))
    }
    try share(path: "\(try #require(Modelctl.folder).path):\(tools.url.path)")
  }

  private func share(path: String?) throws {
    let workspace = try SampleFolder()
    var fleet = try FleetFolder("Many stores", in: workspace)
    try fleet.add(24)
    let result = try Modelctl.shell(
      "'\(Self.folder.appendingPathComponent("parallel.sh").path)' 'Many stores' Models 3",
      environment: path.map { ["PATH": $0] } ?? [:], in: workspace)
    #expect(result.status == 0, "\(result.standardError)")
    try expectEachOnce(fleet, try outputs(in: fleet, of: [1, 2, 3]))
  }

  private func outputs(in fleet: FleetFolder, of parts: [Int]) throws -> [String] {
    try parts.map {
      String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: fleet.path("\(fleet.name)/migrated-\($0).jsonl"))),
        as: UTF8.self)
    }
  }

  private func expectEachOnce(_ fleet: FleetFolder, _ outputs: [String]) throws {
    let paths = try outputs.flatMap { output in
      let lines = try FleetLines(output)
      #expect(lines.count("stores") == lines.stores.count)
      return lines.paths("migrated") + lines.paths("already-current")
    }
    #expect(
      paths.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.sorted()
        == fleet.stores.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.sorted())
    #expect(outputs.count > 1)
  }
}

/// As much of YAML as the manifest of the Job uses.
private struct JobManifest {
  /// The values of keys, those of lists left out.
  private(set) var values: [String: String] = [:]
  private(set) var command: [String] = []
  private(set) var environment: [String: String] = [:]
  private var block = ""
  private var variable = ""

  init(_ text: String) {
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.hasPrefix("#")
    {
      read(line)
    }
  }

  private mutating func read(_ line: String) {
    let item = line.hasPrefix("- ") ? String(line.dropFirst(2)) : line
    guard let colon = item.range(of: ":"), !item.hasPrefix("\"") else {
      if block == "command" { command.append(item.trimmingCharacters(in: ["\""])) }
      return
    }
    let key = String(item[..<colon.lowerBound])
    let value = item[colon.upperBound...].trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["\""])
    if value.isEmpty {
      block = key
    } else if block == "env", key == "name" {
      variable = value
    } else if block == "env", key == "value" {
      environment[variable] = value
    } else {
      values[key] = value
    }
  }
}
