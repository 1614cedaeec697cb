import Foundation
import TestSupport
import Testing

@Suite("mapping check finds everything at once")
struct MappingCheckTests {
  @Test("What nobody has decided does not hide what is wrong elsewhere, and 0 is no divisor")
  func undecided() throws {
    let workspace = try SampleFolder()
    try workspace.edit(
      "Models/Orders.xcdatamodeld/v5.xcdatamodel/contents", "name=\"note\" optional=\"YES\" attributeType=\"String\"",
      "name=\"note\" optional=\"YES\" attributeType=\"Date\"")
    try workspace.write(
      """
      <mappingModel source="v4" destination="v5">
        <entityMapping source="Order" destination="Order">
          <attribute name="number" value="$source.number / 0"/>
        </entityMapping>
      </mappingModel>
      """, to: "Twice.xml")
    let result = try workspace.modelctl("mapping", "check", "Twice.xml", "--model", "Models/Orders.xcdatamodeld")
    #expect(result.status == 1, "\(result.standardError)")
    #expect(
      result.standardOutput.contains(
        "Twice.xml:2:3: error: Order.note changes from String to Date, which is not inferred [mapping-undecided]\n"))
    #expect(
      result.standardOutput.contains(
        "Twice.xml:3:5: error: $source.number / 0: it divides by zero [mapping-expression]\n"))
    #expect(!result.standardOutput.contains("fix: \n"))
  }

  @Test("A new mapping file that cannot be written says why, and what to do")
  func unwritable() throws {
    let workspace = try SampleFolder()
    let command = ["mapping", "new", "Todo@v1", "Todo@v2", "--write"]
    let file = "error: Migrations/Todo/v1-v2.xml: cannot be written: "
    try workspace.shell("rm -r Migrations && touch Migrations")
    try Refusal.expect(
      command, says: ["\(file)“Migrations” is no folder; give that file another name", "leave --write out"],
      in: workspace)
    guard ProtectedFolder.isPossible else { return }
    try workspace.shell("rm Migrations && mkdir Migrations")
    let protection = ProtectedFolder(workspace.url.appendingPathComponent("Migrations"))
    defer { protection.lift() }
    try Refusal.expect(
      command,
      says: ["\(file)the folder “Migrations” may not be written to", "chmod u+w Migrations, or leave --write"],
      in: workspace)
  }
}
