import Foundation
import TestSupport
import Testing

@Suite("The code of a staged migration")
struct StagedPlanTests {
  @Test("A type that returns as another type ends the run, and the code names the reason and the loss")
  func cut() throws {
    let workspace = try SampleFolder(emptyNamed: "Model.xcdatamodeld")
    let text = "<attribute name=\"amount\" optional=\"YES\" attributeType=\"String\"/>"
    let number = "<attribute name=\"amount\" optional=\"YES\" attributeType=\"Integer 32\"/>"
    let note = "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\"/>"
    for (position, attributes) in [text, "", number, number + note].enumerated() {
      try workspace.write(
        "<model type=\"com.apple.IDECoreDataModeler.DataModel\"><entity name=\"Order\">\(attributes)</entity></model>",
        to: "Model.xcdatamodeld/V\(position + 1).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>V4.xcdatamodel</string></dict></plist>
      """, to: "Model.xcdatamodeld/.xccurrentversion")
    let plan = try workspace.modelctl("plan", "--emit", "staged")
    #expect(plan.status == 0, "\(plan)")
    let code = plan.standardOutput
    #expect(code.contains("// V1: inferred.") && code.contains("// V4: inferred."), "\(code)")
    #expect(code.contains("// V2 to V3: an empty stage, because V1 to V3 cannot be inferred:"), "\(code)")
    #expect(code.contains("Source and destination attribute types are incompatible"), "\(code)")
    #expect(code.contains("developer.apple.com/forums/thread/804902"), "\(code)")
    #expect(code.contains("migratingFrom: version2_V2, to: version3_V3)"), "\(code)")
    #expect(code.contains("/// - V1 to V2: the attribute Order.amount and all its values are deleted."), "\(code)")
    #expect(code.components(separatedBy: "NSLightweightMigrationStage").count == 3, "\(code)")
  }
}
