import Foundation
import StoreFleets
import StoreMigration
import Testing

@Suite("Parts of many stores")
struct ShardTests {
  @Test("A part is written I/N", arguments: ["1/1", "2/8", "8/8"])
  func text(_ text: String) { #expect(Shard(text)?.description == text) }

  @Test(
    "Any other text is not a shard",
    arguments: [
      "", "/", "1", "0/4", "5/4", "-1/4", "+1/4", "1/-4", "1/4/4", "a/b", "1/0", " 1/4", "1/99999999999999999999",
    ]
  )
  func noPart(_ text: String) { #expect(Shard(text) == nil) }

  @Test("The hash is SHA-256 of the path, the first 15 digits modulo N, so that a shell computes it too")
  func shell() throws {
    let paths = [
      "shop.sqlite", "a/b/shop.sqlite", "Größe/日本.sqlite", "it's 100 %?.sqlite", String(repeating: "x", count: 300),
    ]
    for path in paths {
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [
        "-c",
        """
        if command -v sha256sum >/dev/null; then hash=sha256sum; else hash='shasum -a 256'; fi
        echo $(( 0x$(printf %s "$1" | $hash | cut -c1-15) % 7 + 1 ))
        """, "sh", path,
      ]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let index = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Shard(index: index, of: 7)?.contains(path) == true, "\(path)")
    }
  }

  @Test("The parts are the same in every version of the program")
  func fixed() {
    let paths = ["a.sqlite", "b.sqlite", "h.sqlite", "2024/e.sqlite", "2024/f.sqlite"]
    let parts = (1...3).map { index in paths.filter { Shard(index: index, of: 3)?.contains($0) == true } }
    #expect(parts == [["a.sqlite", "2024/f.sqlite"], ["h.sqlite"], ["b.sqlite", "2024/e.sqlite"]])
  }

  @Test("Every store is in exactly one part, and the parts are about equal", arguments: [1, 2, 3, 8])
  func sharing(_ count: Int) {
    let shards = (1...count).compactMap { Shard(index: $0, of: count) }
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<1_000 {
      let path = "tenants/\(number % 97)/store-\(number).sqlite"
      let parts = shards.filter { $0.contains(path) }
      #expect(parts.count == 1)
      sizes[parts[0].index - 1] += 1
    }
    let share = 1_000 / count
    #expect(sizes.allSatisfy { abs($0 - share) < 4 * Int(Double(share).squareRoot()) + 4 }, "\(sizes)")
  }

  static let environments: [([String: String], String)] = [
    (["JOB_COMPLETION_INDEX": "0", "MODELCTL_SHARDS": "4"], "1/4"),
    (["JOB_COMPLETION_INDEX": "3", "MODELCTL_SHARDS": "4"], "4/4"),
    (["PARALLEL_SEQ": "1", "MODELCTL_SHARDS": "2"], "1/2"),
    (["PARALLEL_SEQ": "2", "MODELCTL_SHARDS": "2"], "2/2"),
    (slurm(5, from: 5, to: 9, count: 5), "1/5"),
    (slurm(9, from: 5, to: 9, count: 5), "5/5"),
    (slurm(0, from: 0, to: 0, count: 1), "1/1"),
    (slurm(2, from: 1, to: 3, count: 3).merging(["MODELCTL_SHARDS": "3"]) { $1 }, "2/3"),
  ]

  @Test("Kubernetes, Slurm and GNU parallel assign a part to each process", arguments: environments)
  func environment(_ environment: [String: String], _ part: String) throws {
    #expect(try Shard.detected(in: environment).description == part)
  }

  static let faults: [([String: String], ShardError)] = [
    ([:], .none),
    (["MODELCTL_SHARDS": "4"], .none),
    (
      ["PARALLEL_SEQ": "1", "SLURM_ARRAY_TASK_ID": "1", "MODELCTL_SHARDS": "2"],
      .several(["SLURM_ARRAY_TASK_ID", "PARALLEL_SEQ"])
    ),
    (
      ["JOB_COMPLETION_INDEX": "0"],
      .value(variable: "MODELCTL_SHARDS", text: nil, expected: "the number of shards")
    ),
    (
      ["JOB_COMPLETION_INDEX": "0", "MODELCTL_SHARDS": "four"],
      .value(variable: "MODELCTL_SHARDS", text: "four", expected: "the number of shards")
    ),
    (
      ["JOB_COMPLETION_INDEX": "", "MODELCTL_SHARDS": "4"],
      .value(variable: "JOB_COMPLETION_INDEX", text: "", expected: "a number from 0")
    ),
    (
      ["JOB_COMPLETION_INDEX": "4", "MODELCTL_SHARDS": "4"],
      .contradiction("JOB_COMPLETION_INDEX is 4 and MODELCTL_SHARDS is 4; the index must be from 0 to 3")
    ),
    (
      ["PARALLEL_SEQ": "0", "MODELCTL_SHARDS": "4"],
      .contradiction("PARALLEL_SEQ is 0 and MODELCTL_SHARDS is 4; the index must be from 1 to 4")
    ),
    (
      slurm(3, from: 1, to: 7, count: 3),
      .gaps(count: 3, first: 1, last: 7)
    ),
    (
      slurm(9, from: 0, to: 3, count: 4),
      .contradiction("SLURM_ARRAY_TASK_ID is 9, and the array is from 0 to 3")
    ),
    (
      slurm(1, from: 0, to: 3, count: 4).merging(["MODELCTL_SHARDS": "8"]) { $1 },
      .contradiction("MODELCTL_SHARDS is 8 and SLURM_ARRAY_TASK_COUNT is 4")
    ),
    (
      ["SLURM_ARRAY_TASK_ID": "1"],
      .value(variable: "SLURM_ARRAY_TASK_COUNT", text: nil, expected: "the number of tasks")
    ),
  ]

  @Test("A wrong or contradictory environment names no part", arguments: faults)
  func fault(_ environment: [String: String], _ error: ShardError) {
    #expect(throws: error) { try Shard.detected(in: environment) }
  }

  private static func slurm(_ index: Int, from first: Int, to last: Int, count: Int) -> [String: String] {
    [
      "SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_MAX": "\(last)",
      "SLURM_ARRAY_TASK_COUNT": "\(count)",
    ]
  }
}
