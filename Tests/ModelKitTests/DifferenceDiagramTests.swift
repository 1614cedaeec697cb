import Foundation
import ModelFiles
import ModelKit
import Testing

@Suite("Pictures of changed relationships")
struct DifferenceDiagramTests {
  private static func hierarchy(_ contents: String) throws -> EntityHierarchy {
    try EntityHierarchy(try ContentsReader.read(Data(contents.utf8), path: "contents").model)
  }

  private static func difference(_ former: String, _ latter: String) throws -> Diagram {
    let (old, new) = (try hierarchy(former), try hierarchy(latter))
    return Diagram(from: "v1", to: "v2", ModelStep(from: old, to: new))
  }

  @Test("An entity with the name of a removed entity is shown next to it")
  func takenName() throws {
    let diagram = try Self.difference(
      """
      <model>
        <entity name="A"><attribute name="a" attributeType="String"/></entity>
        <entity name="B"><attribute name="b" attributeType="Date"/></entity>
      </model>
      """,
      """
      <model><entity name="A" elementID="B"><attribute name="b" attributeType="Date"/></entity></model>
      """)
    #expect(
      diagram.outline.parts == [
        Outline("entity A, renamed from B", facts: ["b, Date, required"]),
        Outline("entity A (former), removed", facts: ["a, String, required"]),
      ])
  }

  @Test("A relationship with a new destination also shows its removed end")
  func retargeted() throws {
    func model(_ destination: String) -> String {
      let others = ["B", "C"].map { name in
        let inverse =
          "<relationship name=\"a\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\" inverseName=\"b\"/>"
        return "<entity name=\"\(name)\">\(name == destination ? inverse : "")</entity>"
      }
      return """
        <model>
          <entity name="A">
            <relationship name="b" optional="YES" maxCount="1" destinationEntity="\(destination)" inverseName="a"/>
          </entity>
          \(others.joined())
        </model>
        """
    }
    let diagram = try Self.difference(model("B"), model("C"))
    #expect(
      diagram.outline.parts == [
        Outline("entity A, changed", facts: ["relationship b to C, 0 or 1: destination changes from B to C"]),
        Outline("entity B, changed", facts: ["relationship a to A, 0 or 1: removed"]),
        Outline("entity C, changed", facts: ["relationship a to A, 0 or 1: added"]),
      ])
    let lines = MermaidDiagram(diagram).text.split(separator: "\n").filter { $0.hasPrefix("  e") }
    #expect(
      lines == [
        "  e1 \"0..1\" .. \"0..1\" e3 : changed b #40;destination changes from B to C#41; / a #40;added#41;",
        "  e2 ..> \"0..1\" e1 : removed a",
      ])
    let page = DiagramPage(
      diagram, report: try report(model("B"), model("C")), picture: .missing(CaughtError(CancellationError()))
    ).text
    #expect(page.contains("<li>relationship a to A, 0 or 1: removed</li>"))
  }

  private func report(_ former: String, _ latter: String) throws -> DifferenceReport {
    let (old, new) = (try Self.hierarchy(former), try Self.hierarchy(latter))
    return DifferenceReport(
      from: "v1", to: "v2", ModelStep(from: old, to: new))
  }

  @Test("A relationship that lost its inverse alone is there once, and the inverse is drawn as removed")
  func lostInverse() throws {
    let diagram = try Self.difference(
      """
      <model>
        <entity name="A"><relationship name="b" optional="YES" toMany="YES" destinationEntity="B" inverseName="a"/></entity>
        <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b"/></entity>
      </model>
      """,
      """
      <model>
        <entity name="A"><relationship name="b" optional="YES" toMany="YES" destinationEntity="B"/></entity>
        <entity name="B"/>
      </model>
      """)
    #expect(
      diagram.outline.parts.map(\.facts) == [
        ["relationship b to B, any number: inverse changes from a to none"],
        ["relationship a to A, 0 or 1: removed"],
      ])
  }

  @Test("Changed delete rules and counts are shown at their end")
  func endNotes() throws {
    func model(_ settings: String) -> String {
      "<model><entity name=\"A\"><relationship name=\"b\" toMany=\"YES\" optional=\"YES\" destinationEntity=\"A\" "
        + "\(settings)/></entity></model>"
    }
    let diagram = try Self.difference(
      model("deletionRule=\"Nullify\" maxCount=\"3\""), model("deletionRule=\"Cascade\" maxCount=\"5\""))
    #expect(
      diagram.outline.parts.first?.facts == [
        "relationship b to A, 0 to 5: max count changes from 3 to 5; delete rule changes from Nullify to Cascade"
      ])
  }

  @Test("A property that became a line has no row any more, and a property that became a row has no line")
  func kinds() throws {
    func model(_ property: String) -> String { "<model><entity name=\"A\">\(property)</entity></model>" }
    let attribute = model("<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>")
    let relationship = model(
      "<relationship name=\"b\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\"/>")
    #expect(
      try Self.difference(attribute, relationship).outline.parts.first?.facts.first == "b, String, optional: removed")
    #expect(
      try Self.difference(relationship, attribute).outline.parts.first?.facts.last
        == "relationship b to A, 0 or 1: removed")
  }
}
