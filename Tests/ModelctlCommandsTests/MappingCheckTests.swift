import Foundation
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
}
