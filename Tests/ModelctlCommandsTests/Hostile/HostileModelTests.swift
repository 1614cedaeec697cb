import Foundation
import TestSupport
import Testing

/// Models made to cost time or memory end in a result or an error within limits that are measured.
@Suite("Hostile models end soon", .serialized) struct HostileModelTests {
  private static let commands = [
    ["hash", "v2", "--model", "Bomb.xcdatamodeld"], ["check", "Bomb.xcdatamodeld"],
    ["diff", "v1", "v2", "--model", "Bomb.xcdatamodeld"],
    ["mapping", "new", "v1", "v2", "--model", "Bomb.xcdatamodeld"], ["show", "v2", "--model", "Bomb.xcdatamodeld"],
    ["diagram", "v1", "v2", "--model", "Bomb.xcdatamodeld"],
    ["diagram", "v1", "v2", "--model", "Bomb.xcdatamodeld", "--format", "dbml"],
  ]

  @Test("A model that is small to write and large to look at", arguments: CorpusSample.of(ModelBomb.all, atMost: 5))
  func bomb(_ bomb: ModelBomb) throws {
    let workspace = try SampleFolder()
    let text = bomb.text()
    for version in ["v1", "v2"] { try workspace.write(text, to: "Bomb.xcdatamodeld/\(version).xcdatamodel/contents") }
    let commands = bomb.refusal == nil ? Self.commands : Array(Self.commands.prefix(2))
    for command in commands {
      let run = try MeasuredRun.bounded(command, in: workspace)
      guard let refusal = bomb.refusal, command[0] != "check" else { continue }
      #expect(run.status == 2)
      #expect(run.output.contains(refusal), "\(run.output.prefix(500))")
    }
  }

  @Test("Four hundred removed attributes of one entity, before and after their loss is recorded")
  func losses() throws {
    let workspace = try SampleFolder(emptyNamed: "Empty")
    let lines = (["keep"] + (0..<400).map { "a\($0)" }).map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>\n"
    }
    for (version, lines) in [("v1", lines), ("v2", Array(lines.prefix(1)))] {
      try workspace.write(
        "<model><entity name=\"Big\">\n\(lines.joined())</entity></model>\n",
        to: "Big.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>\n",
      to: "Big.xcdatamodeld/.xccurrentversion")
    #expect(try MeasuredRun.bounded(["lock", "Big@v1"], in: workspace).status == 0)
    let refused = try MeasuredRun.bounded(["check"], in: workspace)
    #expect(refused.status == 1)
    #expect(refused.output.components(separatedBy: "[data-loss]").count == 401)
    let draft = ["lock", "--draft", "Big@v2"]
    #expect(try MeasuredRun.bounded(draft + ["--write-losses", "losses.txt"], in: workspace).status == 0)
    #expect(try MeasuredRun.bounded(draft + ["--allow-data-loss", "@losses.txt"], in: workspace).status == 0)
    #expect(try MeasuredRun.bounded(["check"], in: workspace).status == 0)
  }

  @Test(
    "Files of our own: nested, long, of many values",
    arguments: [
      ("[", "deep"), ("{\"a\":", "deep"), ("[0,", "values"), ("{\"version\":1,\"versions\":{\"", "end"),
    ])
  func settings(_ piece: String, _ kind: String) throws {
    let workspace = try SampleFolder()
    let count = kind == "values" ? 0 : kind == "end" ? 1 : 100_000
    let text =
      kind == "values"
      ? "[" + String(repeating: "0,", count: 1_000_000) + "0]" : String(repeating: piece, count: count)
    try workspace.write(text, to: "Models/Todo.lock.json")
    try workspace.write(text, to: ".modelctl.json")
    #expect(try MeasuredRun.bounded(["check", "Models/Todo.xcdatamodeld"], in: workspace).status == 2)
  }

  @Test(
    "Mapping files: nested elements, conditions nested a hundred thousand deep, and long ones",
    arguments: [
      String(repeating: "(", count: 100_000) + "1 == 1" + String(repeating: ")", count: 100_000),
      String(repeating: "NOT ", count: 50_000) + "name == nil",
      (0..<5000).map { "name == 'n\($0)'" }.joined(separator: " OR "),
      (0..<900).map { "name == 'n\($0)'" }.joined(separator: " OR "),
      "name MATCHES '(a+)+$'", "name LIKE '" + String(repeating: "*a", count: 5000) + "'",
      String(repeating: "-", count: 90_000) + "1 == 1", "name == '" + String(repeating: "x", count: 1_000_000) + "'",
    ])
  func mappings(_ filter: String) throws {
    let workspace = try SampleFolder()
    try workspace.makeStore()
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <mappingModel source="v1" destination="v2">
        <entityMapping source="Customer" destination="Customer" where="\(filter)"/>
      </mappingModel>
      """
    let mapping = "Migrations/Orders/v1-v2.xml"
    try workspace.write(text, to: mapping)
    for command in [
      ["mapping", "show", mapping], ["mapping", "check", mapping], ["migrate", "shop.sqlite", "--to", "Orders@v2"],
    ] { _ = try MeasuredRun.bounded(command, in: workspace) }
  }
}
