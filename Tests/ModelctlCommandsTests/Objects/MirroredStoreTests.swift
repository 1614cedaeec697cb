import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A store that CloudKit mirrors is written when that is asked for")
struct MirroredStoreTests {
  @Test("update, delete and load name the option, and change nothing without it")
  func option() throws {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    try workspace.write(
      #"<model><entity name="A"><attribute name="a" optional="YES" attributeType="String"/></entity></model>"#,
      to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write(#"{"entity":"A","a":"one"}"# + "\n", to: "a.jsonl")
    try workspace.shell("modelctl load a.jsonl --output a.sqlite")
    try DatabaseQueue(path: workspace.url.appendingPathComponent("a.sqlite").path).writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE ANSCKEXPORTEDOBJECT (Z_PK INTEGER PRIMARY KEY)")
    }
    let lines = ["update a.sqlite A --all --set a=two", "load a.jsonl --output a.sqlite", "delete a.sqlite A --all"]
    for line in lines {
      let refused = try Modelctl.shell("modelctl \(line)", in: workspace)
      #expect(refused.status == 2 && refused.standardError.contains("--allow-cloudkit"), "\(refused)")
    }
    #expect(try workspace.shell("modelctl query a.sqlite A --where \"a == 'one'\" --count") == "1")
    for line in lines { try workspace.shell("modelctl \(line) --allow-cloudkit") }
    #expect(try workspace.shell("modelctl query a.sqlite A --count") == "0")
  }
}
