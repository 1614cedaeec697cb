import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Links that an object left behind where no inverse followed its delete")
struct LinksToNothingTests {
  private static let left = "3 links to objects that do not exist are left out, such as A 1: one"

  /// A SQLite store; three of its links lead to objects whose `n` is 1, two of these to one of an entity below another.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    let ends = [("one", "B"), ("other", "C")].map { name, destination in
      "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
        + "destinationEntity=\"\(destination)\"/>"
    }
    let number = #"<attribute name="n" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>"#
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="A">\(ends.joined())\
      </entity><entity name="B">\(number)</entity><entity name="C" parentEntity="B"/></model>
      """, to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write(
      """
      {"entity": "A", "id": 1, "one": 1, "other": 3}
      {"entity": "A", "id": 2, "one": {"C": 3}}
      {"entity": "A", "id": 3, "one": 2}
      {"entity": "B", "id": 1, "n": 1}
      {"entity": "B", "id": 2, "n": 2}
      {"entity": "C", "id": 3, "n": 1}

      """, to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output s.sqlite")
    return workspace
  }

  private func delete(in store: String, _ options: String..., of workspace: SampleFolder) throws -> Modelctl.Result {
    try Modelctl.shell("modelctl delete \(store) B --where 'n == 1' \(options.joined())", in: workspace)
  }

  @Test(
    "A store of another type drops them when it is saved or created, with a message",
    arguments: OtherKindTests.kinds)
  func kinds(_ kind: String) throws {
    let workspace = try workspace()
    try workspace.shell("modelctl convert s.sqlite saved.\(kind)")
    let before = try Data(contentsOf: workspace.url.appendingPathComponent("saved.\(kind)"))
    let planned = try delete(in: "saved.\(kind)", "--dry-run", of: workspace)
    #expect(planned.status == 0 && planned.standardOutput.hasSuffix("\nnote: \(Self.left)\n"), "\(planned)")
    #expect(try Data(contentsOf: workspace.url.appendingPathComponent("saved.\(kind)")) == before)
    let saved = try delete(in: "saved.\(kind)", of: workspace)
    #expect(saved.status == 0 && saved.standardOutput.hasSuffix("\nnote: \(Self.left)\n"), "\(saved)")
    let again = try workspace.modelctl("update", "saved.\(kind)", "B", "--all", "--set", "n=2")
    #expect(again.status == 0 && !again.standardOutput.contains("note:"), "\(again)")

    let kept = try delete(in: "s.sqlite", of: workspace)
    #expect(kept.status == 0 && !kept.standardOutput.contains("note:"), "\(kept)")
    #expect(try workspace.modelctl("verify", "s.sqlite").standardOutput.contains("[dangling-reference]"))
    let made = try workspace.modelctl("convert", "s.sqlite", "made.\(kind)")
    #expect(made.status == 0 && made.standardOutput.hasSuffix("\nnote: \(Self.left)\n"), "\(made)")
    let report = try workspace.modelctl("convert", "s.sqlite", "report.\(kind)", "--format", "json")
    #expect(report.standardOutput.matches(of: /"property" : "(one|other)"/).count == 3, "\(report)")
    let difference = try workspace.modelctl("diff", "--data", "saved.\(kind)", "made.\(kind)")
    #expect(difference.standardOutput.hasSuffix(": the same objects\n"), "\(difference)")
    let back = try workspace.modelctl("convert", "made.\(kind)", "back.sqlite")
    #expect(back.status == 0 && !back.standardOutput.contains("note:"), "\(back)")
    #expect(try !workspace.modelctl("verify", "back.sqlite").standardOutput.contains("warning"))
  }

  @Test("A link with a stale entity number still points to its object", arguments: ["NULL", "2", "77"])
  func staleNumber(_ number: String) throws {
    let workspace = try workspace()
    try workspace.shell("modelctl convert s.sqlite before.json")
    let queue = try DatabaseQueue(path: workspace.url.appendingPathComponent("s.sqlite").path)
    try queue.write { database in
      let columns = try database.columns(in: "ZA").map(\.name)
      let column = try #require(columns.first { $0.hasSuffix("_ONE") })
      try database.execute(sql: "UPDATE ZA SET \"\(column)\" = \(number) WHERE Z_PK = 2")
    }
    try queue.close()
    let made = try workspace.modelctl("convert", "s.sqlite", "made.json")
    #expect(made.status == 0 && !made.standardOutput.contains("note:"), "\(made)")
    let dumped = try workspace.modelctl("dump", "s.sqlite", "--output", "dumped.json")
    #expect(dumped.status == 0 && dumped.standardError == "", "\(dumped)")
    try workspace.shell("cmp before.json made.json && cmp before.json dumped.json")
  }

  @Test("A dump drops and reports them, and can be loaded", arguments: ["json", "jsonl", "csv"])
  func dumps(_ form: String) throws {
    let workspace = try workspace()
    #expect(try delete(in: "s.sqlite", of: workspace).status == 0)
    try workspace.shell("modelctl convert s.sqlite made.json")
    let dumped = try workspace.modelctl("dump", "s.sqlite", "--output", "dumped.\(form)")
    #expect(dumped.status == 0 && dumped.standardError == "note: \(Self.left)\n", "\(dumped)")
    if form == "json" { try workspace.shell("cmp dumped.json made.json") }
    let loaded = try workspace.modelctl("load", "dumped.\(form)", "--output", "loaded.sqlite")
    #expect(loaded.status == 0, "\(loaded)")
    let difference = try workspace.modelctl("diff", "--data", "made.json", "loaded.sqlite")
    #expect(difference.standardOutput.hasSuffix(": the same objects\n"), "\(difference)")
    let part = try workspace.modelctl("dump", "s.sqlite", "--entity", "A", "--format", "jsonl")
    #expect(
      part.standardError.contains(
        "note: \(Self.left)\nnote: 1 link points to objects that are not in the dump; modelctl extract "),
      "\(part)")
  }

  @Test("One link is one in the note")
  func one() throws {
    let workspace = try workspace()
    try workspace.shell("modelctl delete s.sqlite B --where 'n == 2'")
    let made = try workspace.modelctl("convert", "s.sqlite", "made.json")
    let words = "\nnote: 1 link to an object that does not exist is left out: A 3: one\n"
    #expect(made.standardOutput.hasSuffix(words), "\(made)")
  }
}
