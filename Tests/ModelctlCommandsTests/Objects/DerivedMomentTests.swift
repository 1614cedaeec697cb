import Foundation
import TestSupport
import Testing

@Suite("The moment of the last save in stores of other kinds, by the commands")
struct DerivedMomentTests {
  private let workspace: SampleFolder

  /// A SQLite store of two notes that were saved at the first moment of 2001.
  init() throws {
    workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Note">\
      <attribute name="text" optional="YES" attributeType="String"/>\
      <attribute name="modified" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>\
      </entity></model>
      """, to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write(
      """
      {"entity": "Note", "id": 1, "text": "a"}
      {"entity": "Note", "id": 2, "text": "b"}

      """, to: "n.jsonl")
    try workspace.shell("modelctl load n.jsonl --output s.sqlite --uuid-seed 7")
  }

  private func notes(_ store: String) throws -> [String] {
    let rows = try workspace.shell("modelctl query \(store) Note --format csv")
    return rows.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
  }

  @Test("It is read as stored, and changes only if an object is saved", arguments: OtherKindTests.kinds)
  func kinds(_ kind: String) throws {
    let saved = ["Note,1,2001-01-01T00:00:00.000Z,a", "Note,2,2001-01-01T00:00:00.000Z,b"]
    #expect(try notes("s.sqlite") == saved)
    try workspace.shell("modelctl convert s.sqlite s.\(kind) && modelctl convert s.\(kind) back.sqlite")
    #expect(try notes("s.\(kind)") == saved)
    for store in ["s.\(kind)", "back.sqlite"] {
      let difference = try workspace.shell("modelctl diff --data s.sqlite \(store)")
      #expect(difference.hasSuffix(": the same objects"), "\(difference)")
    }
    try workspace.shell("modelctl dump s.sqlite --output one && modelctl dump s.\(kind) --output other")
    try workspace.shell("diff one other")

    try workspace.shell("modelctl update s.\(kind) Note --where 'text == \"a\"' --set text=c")
    let updated = try notes("s.\(kind)")
    #expect(updated.last == "Note,2,2001-01-01T00:00:00.000Z,b")
    #expect(updated.first?.hasSuffix(",c") == true && updated.first?.contains(",2001-") == false, "\(updated)")
  }

  @Test("A merge of two edits of a JSON store keeps it")
  func merge() throws {
    try workspace.shell("modelctl convert s.sqlite base.json")
    try workspace.shell("sed 's/\"text\": \"a\"/\"text\": \"c\"/' base.json > ours.json")
    try workspace.shell("sed 's/\"text\": \"b\"/\"text\": \"d\"/' base.json > theirs.json")
    try workspace.shell("modelctl merge base.json ours.json theirs.json")
    let text = try String(contentsOf: workspace.url.appendingPathComponent("ours.json"), encoding: .utf8)
    #expect(
      text.hasSuffix(
        """
           {"id": 1, "modified": "2001-01-01T00:00:00Z", "text": "c"},
           {"id": 2, "modified": "2001-01-01T00:00:00Z", "text": "d"}]}}

        """), "\(text)")
  }
}
