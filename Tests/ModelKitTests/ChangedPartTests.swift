import Foundation
import ModelFiles
import ModelKit
import TestSupport
import Testing

@Suite("The part of a picture that changed")
struct ChangedPartTests {
  private static func difference(_ former: String, _ latter: String) throws -> Diagram {
    let models = try [former, latter].map {
      try EntityHierarchy(try ContentsReader.read(Data($0.utf8), path: "contents").model)
    }
    return Diagram(from: "v1", to: "v2", ModelStep(from: models[0], to: models[1]))
  }

  private static func attribute(_ name: String, _ type: String = "String") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\"/>"
  }

  private static func link(_ name: String, to entity: String) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"\(entity)\"/>"
  }

  private static func model(_ type: String) -> String {
    """
    <model>
      <entity name="A">\(attribute("a"))\(attribute("b", type))\(link("toB", to: "B"))</entity>
      <entity name="B">\(attribute("c"))\(attribute("d"))\(link("toC", to: "C"))</entity>
      <entity name="C">\(attribute("e"))</entity>
      <entity name="D" parentEntity="A">\(attribute("f"))</entity>
    </model>
    """
  }

  @Test("Changed entities keep their changed rows, and neighbours keep their names; other entities are left out")
  func cut() throws {
    let diagram = try Self.difference(Self.model("Integer 16"), Self.model("Integer 32"))
    let part = diagram.changedPart
    #expect(
      part.outline.parts == [
        Outline(
          "entity A, changed",
          facts: [
            "b, Integer 32, optional: type changes from Integer 16 to Integer 32", "1 more attribute",
            "relationship toB to B, 0 or 1",
          ]),
        Outline("entity B", facts: ["2 attributes"]),
        Outline("entity D", facts: ["1 attribute", "inherits from A"]),
      ])
    #expect(diagram.nodes.count == 4)
    #expect(part.changedPart == part)
    #expect(DOTDiagram(part).text.contains("<I>1 more attribute</I>"))
    #expect(MermaidDiagram(part).text.contains("<<2 attributes>>"))
    #expect(DBMLDiagram(part).text.contains("Note: '2 attributes'"))
  }

  @Test("New entities and removed entities keep all rows")
  func whole() throws {
    let part = try Self.difference(
      "<model><entity name=\"Old\">\(Self.attribute("a"))</entity></model>",
      "<model><entity name=\"New\">\(Self.attribute("b"))\(Self.attribute("c"))</entity></model>"
    ).changedPart
    #expect(part.nodes.map(\.name) == ["New", "Old"])
    #expect(part.nodes.map(\.rows.count) == [2, 1])
  }

  @Test("Without changes the diagram is empty")
  func none() throws {
    let part = try Self.difference(Self.model("Date"), Self.model("Date")).changedPart
    #expect(part.nodes.isEmpty && part.edges.isEmpty)
  }

  @Test("The command draws the part, of two models only")
  func command() throws {
    let workspace = try SampleFolder()
    let all = try workspace.modelctl("diagram", "Orders@v3", "Orders@v4").standardOutput
    let part = try workspace.modelctl("diagram", "Orders@v3", "Orders@v4", "--changed").standardOutput
    #expect(all.contains("Service") && !part.contains("Service"))
    #expect(part.contains("Order") && part.contains("Payment"))
    #expect(try workspace.modelctl("diagram", "Orders@v3", "--changed").status == 64)
  }
}
