import Foundation
import TestSupport
import Testing

@Suite("check reports all blockers of a step together")
struct BlockedStepTests {
  private static let number = #"<attribute name="number" attributeType="Integer 32" defaultValueString="0"/>"#

  private func attribute(_ name: String, _ type: String, isOptional: Bool = true) -> String {
    "<attribute name=\"\(name)\"\(isOptional ? " optional=\"YES\"" : "") attributeType=\"\(type)\"/>"
  }

  /// A bundle whose version v1 is released, and v2 as it is given.
  private func workspace(_ first: [String], _ second: [String], elsewhere: String = "") throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    for (name, attributes) in [("v1", first), ("v2", second)] {
      let model = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order">
            \(([Self.number] + attributes).joined(separator: "\n    "))
          </entity>
          \(name == "v1" ? elsewhere : "")
        </model>
        """
      try workspace.write(model, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
        """, to: "Shop.xcdatamodeld/.xccurrentversion")
      if name == "v1" { try workspace.shell("modelctl lock") }
    }
    return workspace
  }

  /// The elements and rules of the errors of `check`.
  private func errors(_ workspace: SampleFolder) throws -> [String] {
    let result = try Modelctl.run(["check"], in: workspace)
    #expect(result.status == 1, "\(result)")
    let lines = result.standardOutput.split(separator: "\n").filter { $0.contains(": error: ") }
    return lines.map { line in
      let rule = line.split(separator: "[").last.map { $0.dropLast() } ?? ""
      let element = line.firstMatch(of: /Order\.(\w+)|Customer/).map { String($0.output.0) } ?? ""
      return "\(rule) \(element)"
    }.sorted()
  }

  @Test("Types that cannot be inferred, losses, and requirements, each at its own location")
  func all() throws {
    let workspace = try workspace(
      [attribute("a", "String"), attribute("b", "String"), attribute("gone", "Binary")],
      [attribute("a", "Integer 64"), attribute("b", "Date"), attribute("must", "Date", isOptional: false)],
      elsewhere: "<entity name=\"Customer\"/>")
    #expect(
      try errors(workspace) == [
        "data-loss Customer", "data-loss Order.gone", "required-without-default Order.must",
        "unreachable-version Order.a", "unreachable-version Order.b",
      ])
    // Consent to the losses brings up nothing that was there before, and takes nothing of the rest away.
    try workspace.shell("modelctl lock --draft --allow-data-loss Order.gone --allow-data-loss Customer")
    #expect(
      try errors(workspace) == [
        "required-without-default Order.must", "unreachable-version Order.a", "unreachable-version Order.b",
      ])
    // Who mends the types has nothing new either.
    try workspace.edit("Shop.xcdatamodeld/v2.xcdatamodel/contents", "Integer 64", "String")
    try workspace.edit(
      "Shop.xcdatamodeld/v2.xcdatamodel/contents", #"name="b" optional="YES" attributeType="Date""#,
      #"name="b" optional="YES" attributeType="String""#)
    #expect(try errors(workspace) == ["required-without-default Order.must"])
  }

  @Test("A value that cannot be converted is not also a loss, and neither is an ambiguous value")
  func causes() throws {
    let workspace = try workspace([attribute("a", "String")], [attribute("a", "Integer 16", isOptional: false)])
    #expect(try errors(workspace) == ["unreachable-version Order.a"])
    let twins = ["x", "y"].map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\" elementID=\"a\"/>"
    }
    #expect(try errors(self.workspace([attribute("a", "String")], twins)) == ["unreachable-version Order.x"])
  }
}
