import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A store beside which a killed program left its log")
struct LeftLogTests {
  @Test(
    "Every command that reads objects sees rows that only the log has",
    arguments: [
      ["query", "shop.sqlite", "Customer"], ["dump", "shop.sqlite"], ["diff", "--data", "other.sqlite", "shop.sqlite"],
      ["convert", "shop.sqlite", "made.json"], ["convert", "shop.sqlite", "made.sqlite"],
      ["extract", "shop.sqlite", "--entity", "Customer", "--output", "made.json"],
    ])
  func reading(_ command: [String]) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore(version: "Orders@v4")
    try workspace.shell("cp shop.sqlite other.sqlite")
    let queue = try DatabaseQueue(path: workspace.folder.path("shop.sqlite"))
    try queue.write { try $0.execute(sql: "UPDATE ZCUSTOMER SET ZFULLNAME = 'in the log' WHERE Z_PK = 1") }
    try workspace.shell("mkdir left; cp shop.sqlite shop.sqlite-wal left")
    try queue.close()
    try workspace.shell("mv left/* .; rmdir left")
    let text = Data("in the log".utf8)
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("shop.sqlite")).range(of: text) == nil)
    let result = try Modelctl.run(command, in: workspace)
    #expect(result.status == 0, "\(result)")
    let made = try workspace.contents().filter { $0.key.hasPrefix("made.") }.values
    #expect(result.standardOutput.contains("in the log") || made.contains { $0.range(of: text) != nil }, "\(result)")
  }
}
