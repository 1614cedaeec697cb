import Foundation
import TestSupport
import Testing

@Suite("Equal objects that only a SQLite store refuses")
struct EqualObjectTests {
  private static let options = "--model U.xcdatamodeld"

  /// Two versions with a uniqueness constraint, and a store of the first with two objects that break it.
  private func workspace(_ kind: String) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "U.xcdatamodeld")
    let attribute = { (name: String) in #"<attribute name="\#(name)" optional="YES" attributeType="String"/>"# }
    for (version, names) in [("v1", ["k"]), ("v2", ["k", "n"])] {
      try workspace.write(
        #"""
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A">\#(names.map(attribute).joined())
        <uniquenessConstraints><uniquenessConstraint><constraint value="k"/></uniquenessConstraint></uniquenessConstraints>
        </entity></model>
        """#, to: "U.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(#"{"entity":"A","k":"x"}"# + "\n" + #"{"entity":"A","k":"other"}"# + "\n", to: "u.jsonl")
    try workspace.shell("modelctl load u.jsonl -o u.json --version v1 \(Self.options)")
    try workspace.edit("u.json", "\"other\"", "\"x\"")
    if kind != "json" { try workspace.shell("modelctl convert u.json u.\(kind) \(Self.options)") }
    return workspace
  }

  private func check(_ result: Modelctl.Result, status: Int32, says words: String...) {
    let output = result.standardOutput + result.standardError
    #expect(result.status == status, "\(output)")
    for word in words { #expect(output.contains(word), "\(output)") }
    for word in ["SQLite error", "modelctl-files", "index"] { #expect(!output.contains(word), "\(output)") }
  }

  @Test("They are read, and found by verify alone", arguments: ["json", "xml", "binary"])
  func reading(kind: String) throws {
    let workspace = try workspace(kind)
    let status = try Modelctl.shell("modelctl status u.\(kind) \(Self.options)", in: workspace)
    #expect(status.standardOutput.contains("written by version v1"), "\(status)")
    #expect(try workspace.shell("modelctl query u.\(kind) A \(Self.options)").contains("2 objects of A"))
    let lines = try workspace.shell("modelctl dump u.\(kind) --format jsonl \(Self.options)").split(separator: "\n")
    #expect(lines.filter { $0.contains("\"x\"") }.count == 2)
    let verified = try Modelctl.shell("modelctl verify u.\(kind) \(Self.options)", in: workspace)
    check(verified, status: 1, says: "A.k: rows share values", "[duplicate]")
    #expect(!verified.standardOutput.contains("[schema]"), "\(verified)")
  }

  @Test("No SQLite store is made of them, and no save makes more of them", arguments: ["json", "xml"])
  func writing(kind: String) throws {
    let workspace = try workspace(kind)
    let converted = try Modelctl.shell("modelctl convert u.\(kind) new.sqlite \(Self.options)", in: workspace)
    check(converted, status: 2, says: "A 1 and A 2 have the same k “x”, which must be unique")
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("new.sqlite").path))
    let extracted = try Modelctl.shell(
      "modelctl extract u.\(kind) --entity A --output part.sqlite \(Self.options)", in: workspace)
    check(extracted, status: 2, says: "A 1 and A 2 have the same k “x”")
    let part = try Modelctl.shell(
      "modelctl extract u.\(kind) --entity A --output part.json \(Self.options)", in: workspace)
    #expect(part.status == 0, "\(part)")
    let updated = try Modelctl.shell("modelctl update u.\(kind) A --all --set k=z \(Self.options)", in: workspace)
    check(updated, status: 2, says: "A 2 has the same k as A 1, which must be unique")
  }

  @Test("A migration requires the choice of the object to keep", arguments: ["json", "xml"])
  func migration(kind: String) throws {
    let workspace = try workspace(kind)
    let refused = try Modelctl.shell("modelctl migrate u.\(kind) --to v2 \(Self.options)", in: workspace)
    check(refused, status: 2, says: "2 rows, Z_PK 1, 2: A is unique by k", "--dedupe A=keep-newest")
    try workspace.shell("modelctl migrate u.\(kind) --to v2 --dedupe A=keep-oldest \(Self.options)")
    try workspace.shell("modelctl verify u.\(kind) \(Self.options)")
    #expect(try workspace.shell("modelctl query u.\(kind) A \(Self.options)").contains("1 object of A"))
  }
}
