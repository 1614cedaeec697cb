import Foundation
import TestSupport
import Testing

/// Takes minutes, so that it only runs with `MODELCTL_CORPUS_ALL=1`.
@Suite(
  "The memory that changes of a store of another kind than SQLite take",
  .enabled(if: CorpusSample.isWhole && !SlowBuild.isOn))
struct DocumentMemoryTests {
  /// The memory of the program itself, in KiB, which it needs for a small store too.
  private static let base = 48 << 10

  /// The factor is how many times the size of the file it may have, counted by what is asked for.
  @Test(
    "A change of a few objects needs only a few times the file's size in memory",
    arguments: [("json", 4), ("xml", 4), ("binary", 6)])
  func change(_ kind: String, factor: Int) throws {
    let workspace = try SampleFolder()
    let lines = (1...80_000).map {
      #"{"entity": "Todo", "id": \#($0), "title": "text \#($0)", "createdAt": "2026-01-02T03:04:05Z"}"# + "\n"
    }
    try workspace.write(lines.joined(), to: "a.jsonl")
    let loaded = try workspace.modelctl("load", "a.jsonl", "--output", "q.\(kind)", "--version", "Todo@v2")
    #expect(loaded.status == 0, "\(loaded)")
    let size = try workspace.url.appendingPathComponent("q.\(kind)").resourceValues(forKeys: [.fileSizeKey]).fileSize
    let limit = Self.base + factor * (try #require(size) >> 10)
    try workspace.write(#"{"entity": "Todo", "id": 7, "title": "seventh"}"#, to: "seventh.jsonl")
    let changes = [
      "update q.\(kind) Todo --where 'title ENDSWITH \" 5\"' --set title=fifth",
      "delete q.\(kind) Todo --where 'title ENDSWITH \" 6\"'",
      "load seventh.jsonl --output q.\(kind) --version Todo@v2 --upsert",
    ]
    for change in changes {
      let result = try Modelctl.shell("ulimit -d \(limit); modelctl \(change)", in: workspace)
      #expect(result.status == 0, "\(change): \(result)")
    }
  }
}
