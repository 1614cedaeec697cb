import Foundation
import TestSupport
import Testing

@Suite("A migration of a store of another type copies each attribute value exactly")
struct ExactMigrationTests {
  private static let kinds = ["json", "xml", "binary"]
  private static let money = #"<attribute name="a" optional="YES" attributeType="Decimal"/>"#
  private static let other = money.replacing(#""a""#, with: #""b""#)
  private static let loose = #"<attribute name="any" optional="YES" attributeType="Undefined"/>"#
  private static let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
  /// Two numbers of one double.
  private static let near = ("0.12345678901234567891", "0.12345678901234567892")
  private static let long = "12345678901234567890.123456789012345678"

  private static func entity(_ name: String, _ parts: String...) -> String {
    "<entity name=\"\(name)\">\(parts.joined())</entity>"
  }

  /// A folder with two versions, a mapping file between them, and a store of the first with the objects of some lines.
  private func workspace(
    _ kind: String, from first: String, to second: String, mapping: String? = nil, objects: [String],
    editing edits: [(String, String)] = []
  ) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.migrateByModelctl()
    for (name, model) in [("v1", first), ("v2", second)] {
      try workspace.write(
        #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\#(model)</model>"#,
        to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    if let mapping {
      try workspace.write(
        "<mappingModel source=\"v1\" destination=\"v2\">\(mapping)</mappingModel>", to: "Migrations/M/v1-v2.xml")
    }
    try workspace.write(objects.joined(separator: "\n") + "\n", to: "objects.jsonl")
    try workspace.shell("modelctl load objects.jsonl --output first.json --version v1")
    for (old, new) in edits { try workspace.edit("first.json", old, new) }
    try workspace.shell("modelctl convert first.json store --store-type \(kind)")
    return workspace
  }

  /// The text of the store as a JSON store has it.
  private func migrated(_ workspace: SampleFolder) throws -> String {
    try workspace.shell("modelctl migrate store --to v2 && modelctl convert store second.json")
    return try workspace.shell("cat second.json")
  }

  @Test("Two attributes with near numbers trade them", arguments: kinds)
  func traded(_ kind: String) throws {
    let (first, second) = Self.near
    let workspace = try workspace(
      kind, from: Self.entity("A", Self.money, Self.other), to: Self.entity("A", Self.money, Self.other, Self.note),
      mapping: """
        <entityMapping source="A" destination="A"><attribute name="a" value="$source.b"/>\
        <attribute name="b" value="$source.a"/></entityMapping>
        """, objects: [#"{"entity":"A","id":1,"a":"\#(first)","b":"\#(second)"}"#])
    let text = try migrated(workspace)
    #expect(text.contains(#""a": "\#(second)", "b": "\#(first)""#), "\(text)")
  }

  @Test("Two renamed attributes trade their names", arguments: kinds)
  func renamed(_ kind: String) throws {
    let (first, second) = Self.near
    let names = [("a", "b"), ("b", "a")].map { name, old in
      #"<attribute name="\#(name)" optional="YES" attributeType="Decimal" elementID="\#(old)"/>"#
    }
    let workspace = try workspace(
      kind, from: Self.entity("A", Self.money, Self.other), to: Self.entity("A", names.joined(), Self.note),
      objects: [#"{"entity":"A","id":1,"a":"\#(first)","b":"\#(second)"}"#])
    let text = try migrated(workspace)
    #expect(text.contains(#""a": "\#(second)", "b": "\#(first)""#), "\(text)")
  }

  @Test("A number is copied to two attributes, and to an object of another entity", arguments: kinds)
  func copied(_ kind: String) throws {
    let workspace = try workspace(
      kind, from: Self.entity("A", Self.money),
      to: Self.entity("A", Self.money, Self.other) + Self.entity("B", Self.other),
      mapping: """
        <entityMapping source="A" destination="A"><attribute name="b" value="$source.a"/></entityMapping>
        <entityMapping source="A" destination="B" where="a > 1"><attribute name="b" value="$source.a"/></entityMapping>
        """, objects: [(1, "0.5"), (2, Self.long)].map { #"{"entity":"A","id":\#($0),"a":"\#($1)"}"# })
    let text = try migrated(workspace)
    #expect(text.contains(#""id": 2, "a": "\#(Self.long)", "b": "\#(Self.long)""#), "\(text)")
    #expect(text.components(separatedBy: Self.long).count == 4, "\(text)")
  }

  @Test("An entity is renamed, and its attribute moves to its parent", arguments: kinds)
  func moved(_ kind: String) throws {
    let child = #"<entity name="Child" parentEntity="Base">"#
    let workspace = try workspace(
      kind, from: Self.entity("Base", Self.note) + child + Self.money + "</entity>",
      to: Self.entity("Base", Self.note, Self.money)
        + #"<entity name="Young" parentEntity="Base" elementID="Child"/>"#,
      objects: (1...3).map { #"{"entity":"Child","id":\#($0),"a":"\#(Self.long.dropLast())\#($0)"}"# })
    let text = try migrated(workspace)
    for digit in 1...3 { #expect(text.contains("\(Self.long.dropLast())\(digit)"), "\(text)") }
    #expect(text.contains(#""Young""#))
  }

  @Test("A number that an expression computes is the computed one, however near to the old one", arguments: kinds)
  func computed(_ kind: String) throws {
    let workspace = try workspace(
      kind, from: Self.entity("A", Self.money), to: Self.entity("A", Self.money, Self.note),
      mapping: """
        <entityMapping source="A" destination="A"><attribute name="a" value="$source.a * 1.0"/></entityMapping>
        """, objects: [#"{"entity":"A","id":1,"a":"\#(Self.near.0)"}"#])
    let text = try migrated(workspace)
    #expect(text.contains(#""a": "0.12345678901234568""#), "\(text)")
  }

  @Test(
    "Values without a type are kept under another name of their attribute, and as a mapping copies them",
    arguments: kinds)
  func untyped(_ kind: String) throws {
    let renamed = Self.loose.replacing(#""any""#, with: #""free" elementID="any""#)
    let written = """
      <entityMapping source="A" destination="C"><attribute name="free" value="$source.any"/></entityMapping>
      """
    for mapping in [nil, written] {
      let workspace = try workspace(
        kind, from: Self.entity("A", Self.loose, Self.note),
        to: #"<entity name="C" elementID="A">\#(renamed)\#(Self.note)</entity>"#, mapping: mapping,
        objects: [#"{"entity":"A","id":1,"note":"x"}"#], editing: [(#""note""#, #""any": {"int64": 7}, "note""#)])
      let text = try migrated(workspace)
      #expect(text.contains(#""free": {"int64": 7}"#), "\(text)")
    }
  }

  @Test("A save leaves the digits of other objects, and a new object gets none of a deleted one", arguments: kinds)
  func saved(_ kind: String) throws {
    let model = Self.entity("A", Self.money, Self.note)
    let numbers = (1...3).map { "\(Self.long.dropLast())\($0)" }
    let workspace = try workspace(
      kind, from: model, to: Self.entity("A", Self.money, Self.other, Self.note),
      objects: zip(["x", "y", "z"], numbers).map { #"{"entity":"A","a":"\#($1)","note":"\#($0)"}"# })
    try workspace.shell("modelctl update store A --where 'note == \"x\"' --set a=1.5")
    try workspace.shell("modelctl update store A --where 'note == \"y\"' --set note=w")
    try workspace.shell("modelctl delete store A --where 'note == \"z\"'")
    try workspace.write(#"{"entity":"A","id":3,"note":"new"}"# + "\n", to: "more.jsonl")
    try workspace.shell("modelctl load more.jsonl --output store --upsert --version v1")
    let text = try migrated(workspace)
    #expect(numbers.map(text.contains) == [false, true, false], "\(text)")
    let shown = try workspace.shell("modelctl query store A --where 'note == \"w\"'")
    #expect(shown.contains(numbers[1]), "\(shown)")
  }
}
