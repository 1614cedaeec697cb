import Foundation
import TestSupport
import Testing

@Suite("Programs that write a store of another kind than SQLite take turns")
struct DocumentTurnTests {
  private let workspace: SampleFolder

  init() throws { workspace = try SampleFolder() }

  private func text(_ kind: String) throws -> String {
    String(decoding: try Data(contentsOf: workspace.url.appendingPathComponent("q.\(kind)")), as: UTF8.self)
  }

  @Test("Updates at once are all made, one after the other", arguments: ["json", "xml"])
  func turns(_ kind: String) throws {
    let lines = (1...12).map {
      #"{"entity": "Todo", "id": \#($0), "title": "t\#($0)", "createdAt": "2026-01-02T03:04:05Z"}"# + "\n"
    }
    try workspace.write(lines.joined(), to: "a.jsonl")
    let loaded = try workspace.modelctl("load", "a.jsonl", "--output", "q.\(kind)", "--version", "Todo@v2")
    #expect(loaded.status == 0, "\(loaded)")
    let runs = try (1...12).map { number in
      try Modelctl.start(
        [
          "update", "q.\(kind)", "Todo", "--where", "title == \"t\(number)\"", "--set", "title=turn\(number)x",
          "--busy-timeout", "60",
        ], in: workspace, errors: "errors\(number)")
    }
    for (number, run) in runs.enumerated() {
      run.waitUntilExit()
      let problem = try String(contentsOf: workspace.url.appendingPathComponent("errors\(number + 1)"), encoding: .utf8)
      #expect(run.terminationStatus == 0, "\(problem)")
    }
    let found = try text(kind)
    for number in 1...12 { #expect(found.contains("turn\(number)x"), "\(number)") }
  }

  @Test("A locked folder is waited for only as long as requested, and its holder is named")
  func held() throws {
    try workspace.makeStore("q.json", version: "Todo@v2", rows: 3)
    let former = try text("json")
    let result = try Modelctl.shell(
      """
      flock --no-fork . sleep 30 & holder=$!; sleep 0.3
      modelctl update q.json Todo --all --set title=zz --busy-timeout 1; status=$?
      modelctl migrate q.json --busy-timeout 1 > /dev/null; other=$?
      kill -KILL $holder; exit $((status * 10 + other))
      """, in: workspace)
    #expect(result.status == 20 || result.status == 22, "\(result)")
    #expect(result.standardError.contains("sleep") && result.standardError.contains("q.json"), "\(result)")
    #expect(try text("json") == former)
  }

  @Test("Ctrl-C ends the wait, and nothing is written")
  func interrupted() throws {
    try workspace.makeStore("q.json", version: "Todo@v2", rows: 3)
    let former = try text("json")
    let result = try Modelctl.shell(
      """
      flock --no-fork . sleep 30 & holder=$!; sleep 0.3
      timeout --signal=INT 1 modelctl update q.json Todo --all --set title=zz --busy-timeout 60; status=$?
      kill -KILL $holder; exit $status
      """, in: workspace)
    #expect([124, 130].contains(result.status), "\(result)")
    #expect(try text("json") == former)
  }
}
