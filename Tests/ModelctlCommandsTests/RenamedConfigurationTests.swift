import Foundation
import TestSupport
import Testing

@Suite("A store of a configuration that the current version does not have")
struct RenamedConfigurationTests {
  /// A bundle whose second version calls the configuration of entity A otherwise, and a store of the first.
  private static func workspace(renamedTo name: String = "Device", of entity: String = "A") throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    for (version, configuration, member, attribute) in [
      ("v1", "Local", "A", ""),
      ("v2", name, entity, "<attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/>"),
    ] {
      try workspace.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="A">\(attribute)<attribute name="x" optional="YES" attributeType="String"/></entity>
            <entity name="B"><attribute name="y" optional="YES" attributeType="String"/></entity>
            <configuration name="\(configuration)"><memberEntity name="\(member)"/></configuration>
        </model>
        """, to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try workspace.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
    let made = try workspace.modelctl(
      "create", "l.sqlite", "--version", "v1", "--configuration", "Local", "--rows", "2")
    try #require(made.status == 0, "\(made)")
    return workspace
  }

  @Test("status and migrate report it in the same way, with the command that migrates it")
  func renamed() throws {
    let workspace = try Self.workspace()
    let status = try workspace.modelctl("status", "l.sqlite")
    #expect(status.status == 1, "\(status)")
    #expect(status.standardOutput.contains("cannot be migrated to v2 as it is"), "\(status)")
    #expect(status.standardOutput.contains("v2 has no configuration “Local”; it has Device"), "\(status)")
    let refused = try workspace.modelctl("migrate", "l.sqlite")
    #expect(refused.status == 2, "\(refused)")
    #expect(refused.standardError.contains("v2 has no configuration “Local”; it has Device"), "\(refused)")
    #expect(refused.standardError.contains("--configuration Device"), "\(refused)")
    #expect(!refused.standardError.contains("hashes"), "\(refused)")
    let migrated = try workspace.modelctl("migrate", "l.sqlite", "--configuration", "Device")
    #expect(migrated.status == 0, "\(migrated)")
    let done = try workspace.modelctl("status", "l.sqlite")
    #expect(done.status == 0, "\(done)")
    #expect(done.standardOutput.contains("version v2 of M.xcdatamodeld, configuration Device"), "\(done)")
  }

  @Test("If no configuration has the store's entities, none is named")
  func removed() throws {
    let workspace = try Self.workspace(renamedTo: "Cloud", of: "B")
    for command in ["status", "migrate"] {
      let result = try workspace.modelctl(command, "l.sqlite")
      let text = result.standardOutput + result.standardError
      #expect(text.contains("v2 has no configuration “Local”; it has Cloud\n"), "\(result)")
      #expect(!text.contains("--configuration"), "\(result)")
    }
  }

  @Test("The old name is refused as an old name")
  func oldName() throws {
    let workspace = try Self.workspace()
    let status = try workspace.modelctl("status", "l.sqlite", "--configuration", "Local")
    #expect(status.status == 1, "\(status)")
    #expect(status.standardOutput.contains("v2 has no configuration “Local”"), "\(status)")
    for arguments in [[], ["--to", "v2"]] {
      let refused = try Modelctl.run(
        ["migrate", "l.sqlite", "--configuration", "Local"] + arguments, in: workspace)
      #expect(refused.standardError.contains("(v2) has no configuration “Local”; it has Device"), "\(refused)")
    }
  }
}
