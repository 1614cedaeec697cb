import Foundation
import TestSupport
import Testing

@Suite("Paths of many steps in the matrix")
struct LongPathTests {
  /// Fifteen versions, a mapping file between each two.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations/Shop")
    for version in 1...15 {
      let attributes = (1...version).map {
        "<attribute name=\"value\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Order">\(attributes.joined())</entity>
        </model>
        """, to: "Shop.xcdatamodeld/v\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0"?><plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>v15.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
    try workspace.shell(
      "for n in $(seq 14); do modelctl mapping new v$n v$((n + 1)) > Migrations/Shop/v$n-v$((n + 1)).xml || exit 1; done"
    )
    return workspace
  }

  @Test("Mapping models are listed once, a path names them by their numbers, and JSON has all steps")
  func counted() throws {
    let workspace = try workspace()
    let text = try workspace.modelctl("matrix").standardOutput
    let paragraph = try #require(
      text.components(separatedBy: "\nfrom v1\n").last?.components(separatedBy: "\nfrom ").first)
    let lines = paragraph.split(separator: "\n").map(String.init)
    #expect(lines.last == "  mapped: v15; mapping models 1 to 14")
    #expect(paragraph.contains("  mapped: v2; mapping model 1\n  mapped: v3; mapping models 1, 2\n"))
    #expect(text.hasSuffix("  14. from v14 to v15 by Migrations/Shop/v14-v15.xml; only modelctl runs it\n"))
    #expect(text.contains("\nfrom v14\n  mapped: v15; mapping model 14\n"))

    let markdown = try workspace.modelctl("matrix", "--format", "markdown").standardOutput
    #expect(markdown.contains("- from v1: mapped: v15; mapping models 1 to 14\n"))
    #expect(markdown.hasSuffix("14. from v14 to v15 by Migrations/Shop/v14-v15.xml; only modelctl runs it\n"))

    let json = try workspace.modelctl("matrix", "--format", "json").standardOutput
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let bundle = try #require((document["bundles"] as? [[String: Any]])?.first)
    let pairs = try #require(bundle["pairs"] as? [[String: Any]])
    let longest = try #require(pairs.first { $0["from"] as? String == "v1" && $0["to"] as? String == "v15" })
    #expect((longest["steps"] as? [Any])?.count == 14)
  }
}
