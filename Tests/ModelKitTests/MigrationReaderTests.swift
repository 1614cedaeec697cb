import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("The reader of a migration: Core Data in the app, or modelctl")
struct MigrationReaderTests {
  private static let file = "Migrations/Shop/v1-v2.xml"
  private static let height = #"<attribute name="height" optional="YES" attributeType="TYPE"/>"#
  private static let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
  private static let place = #"<attribute name="place" optional="YES" attributeType="String"/>"#

  private static func height(_ type: String) -> String { height.replacingOccurrences(of: "TYPE", with: type) }

  /// A bundle with versions v1, v2 and so on, the last of them current, and the first so many recorded as released.
  private func workspace(_ versions: String..., released: Int = 1) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    for (number, attributes) in versions.enumerated() {
      let name = "v\(number + 1)"
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Plant">
            \(attributes)
          </entity>
        </model>
        """, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
        """, to: "Shop.xcdatamodeld/.xccurrentversion")
      if number + 1 == released { try workspace.shell("modelctl lock --all") }
    }
    return workspace
  }

  /// Writes a mapping file with this content for the entity.
  private func map(
    _ attributes: String, from source: String = "v1", to destination: String = "v2", in workspace: SampleFolder
  ) throws {
    try workspace.write(
      """
      <mappingModel source="\(source)" destination="\(destination)">
        <entityMapping source="Plant" destination="Plant">
          \(attributes)
        </entityMapping>
      </mappingModel>
      """, to: "Migrations/Shop/\(source)-\(destination).xml")
  }

  private func decide(_ reader: String, in workspace: SampleFolder) throws {
    try workspace.write("{ \"migratedBy\": \"\(reader)\" }\n", to: ".modelctl.json")
  }

  @Test(
    "The advice of check does not hide that Core Data cannot open an app's stores", arguments: [true, false])
  func mappingFileOnly(isSaid: Bool) throws {
    let workspace = try workspace(Self.height("String"), Self.height("Double"))
    if isSaid { try decide("coreData", in: workspace) }
    let before = try workspace.modelctl("check")
    #expect(before.status == 1 && before.standardOutput.contains("[unreachable-version]"), "\(before)")
    let words = before.standardOutput
    let (xcode, setting) = (
      words.range(
        of: "for Xcode: modelctl mapping new v1 v2 --model Shop.xcdatamodeld --output v1-v2.xcmappingmodel"),
      words.range(of: "“migratedBy”")
    )
    #expect(try #require(xcode).lowerBound < #require(setting).lowerBound, "\(before)")
    try map(#"<attribute name="height" default="yes"/>"#, in: workspace)
    for arguments in [["check"], ["check", "--release"]] {
      let draft = try Modelctl.run(arguments, in: workspace)
      #expect(draft.status == 1 && draft.standardOutput.contains(": error: Core Data does not read"), "\(draft)")
      #expect(draft.standardOutput.contains("v1-v2.xml:1:1: error: "), "\(draft)")
    }
    try workspace.shell("modelctl lock --allow-data-loss Plant.height")
    for arguments in [["check"], ["check", "--release"]] {
      let released = try Modelctl.run(arguments, in: workspace)
      #expect(released.status == 1 && released.standardOutput.contains("[mapping-file-only]"), "\(released)")
      #expect(
        released.standardError.hasSuffix(
          """
          1 of 1 released version of Shop: path not proved (1 needs a mapping file, which Core Data does not read); \
          see: modelctl matrix Shop.xcdatamodeld

          """), "\(released)")
    }
    try decide("modelctl", in: workspace)
    let own = try workspace.modelctl("check", "--release")
    #expect(own.status == 0 && own.standardOutput == "", "\(own)")
    #expect(own.standardError.hasSuffix(": no findings; passed\n"), "\(own)")
  }

  @Test("A mapping file that differs from inference is also an error, and an equal mapping file is a note")
  func inferredInstead() throws {
    let workspace = try workspace(Self.note, Self.note + Self.place)
    try map(#"<attribute name="place" value="$source.note"/>"#, in: workspace)
    let filled = try workspace.modelctl("check")
    #expect(filled.status == 1, "\(filled)")
    #expect(
      filled.standardOutput.contains(
        "error: Core Data does not read this mapping file and infers v1 → v2 for stores of v1; only the file fills "
          + "Plant.place [mapping-file-only]"), "\(filled)")
    try map("", in: workspace)
    let same = try workspace.modelctl("check")
    #expect(
      same.status == 0 && same.standardOutput.contains("note: Core Data does not read this mapping file"), "\(same)")
  }

  @Test("The step that breaks is blamed, never one that has a mapping model", arguments: ["coreData", "modelctl"])
  func blame(reader: String) throws {
    let workspace = try workspace(
      Self.height("String"), Self.height("Double"), Self.height("Double") + Self.note, Self.height("Date") + Self.note,
      released: 3)
    try map(#"<attribute name="height" default="yes"/>"#, in: workspace)
    try decide(reader, in: workspace)
    let result = try workspace.modelctl("check")
    let lost = result.standardOutput.split(separator: "\n").filter { $0.hasSuffix("[unreachable-version]") }
    #expect(lost.count == 1 && lost[0].contains("v4 cannot be reached from v1, v2, v3: v3 → v4 fails: "), "\(result)")
    #expect(result.standardOutput.contains("[mapping-file-only]") == (reader == "coreData"), "\(result)")
    let matrix = try workspace.modelctl("matrix")
    #expect(matrix.standardOutput.contains("1. from v3 to v4: "), "\(matrix)")
    #expect(!matrix.standardOutput.contains("2. v"), "\(matrix)")
  }

  @Test("matrix, plan and status name the steps that only modelctl runs")
  func named() throws {
    let workspace = try workspace(Self.height("String"), Self.height("Double"), Self.height("Double") + Self.note)
    try map(#"<attribute name="height" default="yes"/>"#, in: workspace)
    try workspace.shell("modelctl create s.sqlite --version v1 --rows 2")
    let matrix = try workspace.modelctl("matrix")
    #expect(
      matrix.standardOutput.hasSuffix(
        """
        from v1
          mapped: v2, v3; mapping model 1
        from v2
          lightweight: v3
        mapping models
          1. from v1 to v2 by Migrations/Shop/v1-v2.xml; only modelctl runs it

        """), "\(matrix)")
    let plan = try workspace.modelctl("plan", "s.sqlite")
    #expect(
      plan.standardOutput.replacing("\n--   ", with: " ").contains(
        "-- stage 1 of 2: from v1 to v2, by \(Self.file); only modelctl runs it\n"),
      "\(plan)")
    let status = try workspace.modelctl("status", "s.sqlite")
    #expect(status.status == 0, "\(status)")
    #expect(
      status.standardOutput.contains(
        """
          needs migration to v3: modelctl migrate s.sqlite
            only modelctl runs the step from v1 to v2, by \(Self.file)
            rows are not checked; to try the migration on a copy, add --dry-run

        """), "\(status)")
    for command in [["matrix"], ["plan", "s.sqlite"], ["status", "s.sqlite"]] {
      let json = try Modelctl.run(command + ["--format", "json"], in: workspace)
      #expect(json.standardOutput.contains("\"readers\" : [\n"), "\(json)")
    }
  }

  @Test("An unknown reader is refused with its place", arguments: ["coredata", ""])
  func unknown(reader: String) throws {
    let workspace = try workspace(Self.note)
    try decide(reader, in: workspace)
    for command in ["check", "init"] {
      let result = try workspace.modelctl(command)
      #expect(result.status == 2, "\(result)")
      #expect(
        result.standardError
          == "error: .modelctl.json:1:17: “\(reader)” does not migrate stores; write “coreData” or “modelctl”\n",
        "\(result)"
      )
    }
  }

  @Test("init writes who migrates where that is modelctl, or where there is a configuration")
  func setUp() throws {
    let new = try workspace(Self.note)
    try new.shell("modelctl init --migrated-by coreData")
    #expect(!FileManager.default.fileExists(atPath: new.url.appendingPathComponent(".modelctl.json").path))
    try new.shell("modelctl init --migrated-by modelctl")
    let path = new.url.appendingPathComponent(".modelctl.json")
    #expect(try String(contentsOf: path, encoding: .utf8) == "{\n  \"migratedBy\": \"modelctl\"\n}\n")
    let again = try new.modelctl("init", "--migrated-by", "coreData")
    #expect(again.standardOutput.contains("according to .modelctl.json, modelctl migrates the stores"), "\(again)")
    #expect(try String(contentsOf: path, encoding: .utf8) == "{\n  \"migratedBy\": \"modelctl\"\n}\n")
    for (text, changed) in [
      ("{}", "{\n  \"migratedBy\": \"coreData\"\n}"),
      ("{\n  \"rules\": {}\n}\n", "{\n  \"migratedBy\": \"coreData\",\n  \"rules\": {}\n}\n"),
    ] {
      try new.write(text, to: ".modelctl.json")
      let shown = try new.modelctl("init", "--migrated-by", "coreData", "--dry-run")
      #expect(shown.standardOutput.contains("  +   \"migratedBy\": \"coreData\""), "\(shown)")
      #expect(try String(contentsOf: path, encoding: .utf8) == text)
      try new.shell("modelctl init --migrated-by coreData")
      #expect(try String(contentsOf: path, encoding: .utf8) == changed)
    }
    let wrong = try new.modelctl("init", "--migrated-by", "nobody")
    #expect(wrong.status == 64, "\(wrong)")
  }

  @Test("A mapping file between versions of two bundles is reported with its place, and no migration takes it")
  func twoBundles() throws {
    let workspace = try workspace(Self.note)
    try workspace.shell(
      "mkdir Other.xcdatamodeld && cp -R Shop.xcdatamodeld/v1.xcdatamodel Other.xcdatamodeld/w1.xcdatamodel")
    let path = "Migrations/Other + Shop/m.xml"
    try workspace.write(
      """
      <mappingModel source="v1" destination="w1">
        <entityMapping source="Plant" destination="Plant"/>
      </mappingModel>
      """, to: path)
    for command in [["mapping", "check", path], ["check"]] {
      let result = try Modelctl.run(command, in: workspace)
      let words = result.standardError
      #expect(words.contains("\(path):1:1: its two versions are not in one bundle"), "\(result)")
      #expect(words.contains("ame a source and a destination that are versions of the same bundle"), "\(result)")
    }
  }
}
