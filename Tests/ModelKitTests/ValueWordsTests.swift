import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("Values of a model, as they are")
struct ValueWordsTests {
  private func model(_ attributes: String) -> String { "<model><entity name=\"A\">\(attributes)</entity></model>" }

  @Test(
    "A date has exactly the digits that distinguish it from every other date",
    arguments: [
      ("0", "2001-01-01T00:00:00Z"), ("0.5", "2001-01-01T00:00:00.5Z"), ("-0.25", "2000-12-31T23:59:59.75Z"),
      ("-1", "2000-12-31T23:59:59Z"), ("700000000.125", "2023-03-08T20:26:40.125Z"),
      ("700000000.1250001", "2023-03-08T20:26:40.1250001Z"), ("-0.0625", "2000-12-31T23:59:59.9375Z"),
      ("0.007", "2001-01-01T00:00:00.007Z"), ("1e-20", "1e-20 seconds after 2001-01-01"),
      ("200000000000", "200000000000.0 seconds after 2001-01-01"),
    ])
  func dates(_ seconds: String, _ words: String) throws {
    let workspace = try SampleFolder()
    let date = "<attribute name=\"d\" attributeType=\"Date\" defaultDateTimeInterval=\"\(seconds)\"/>"
    try workspace.write(model(date), to: "new")
    try workspace.write(model(date.replacing(seconds + "\"", with: "9\"")), to: "old")
    #expect(try workspace.modelctl("show", "new").standardOutput.contains("\n    default \(words).\n"))
    let json = try workspace.modelctl("show", "new", "--format", "json").standardOutput
    #expect(json.contains("\"\(words)\""), "\(json)")
    let difference = try workspace.modelctl("diff", "old", "new", "--plain").standardOutput
    #expect(difference.contains("A.d: default value changes from 2001-01-01T00:00:09Z to \(words).\n"))
  }

  @Test("Signs in values are kept, and the program's own signs are replaced by words")
  func signs() throws {
    let workspace = try SampleFolder()
    let text = { (value: String) in
      model("<attribute name=\"t\" attributeType=\"String\" defaultValueString=\"\(value)\"/>")
    }
    try workspace.write(text("Loading…"), to: "old")
    try workspace.write(text("“a” → b, …"), to: "new")
    #expect(
      try workspace.modelctl("diff", "old", "new", "--plain").standardOutput.contains(
        "A.t: default value changes from \"Loading…\" to \"“a” → b, …\".\n"))
    try workspace.write(
      "<model><entity name=\"A\"><relationship name=\"b\" destinationEntity=\"Max’s…\"/></entity></model>",
      to: "M.xcdatamodel/contents")
    let findings = try workspace.modelctl("check", "M.xcdatamodel", "--plain").standardOutput
    #expect(findings.contains("error: the destination \"Max’s…\" of relationship A.b is not in the model.\n"))
  }

  @Test("JSON names the entity of an inverse where the model does")
  func inverse() throws {
    let workspace = try SampleFolder()
    try workspace.write(ShowTests.contents, to: "contents")
    let json = try workspace.modelctl("show", "contents", "--format", "json").standardOutput
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
    let relationships = document["entities"]?.elements.flatMap { $0["relationships"]?.elements ?? [] } ?? []
    #expect(relationships.map { $0["name"]?.text } == ["guide", "visits", "place"])
    #expect(relationships.map { $0["inverseEntity"]?.text } == [nil, "Visit", "Place"])
  }

  @Test("A list of names is complete, and a size has its unit in words")
  func lists() {
    let names = (1...9).map { "v\($0)" }
    TextWidth.$isSpoken.withValue(true) {
      #expect(NameList.text(names) == names.joined(separator: ", "))
      #expect(Quantity.bytes(2048) == "2 kibibytes")
    }
    #expect(NameList.text(names) == "v1, v2, v3, v4, v5 and 4 more" && Quantity.bytes(2048) == "2 KiB")
  }
}
