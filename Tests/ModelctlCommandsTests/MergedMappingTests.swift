import Foundation
import Testing

@Suite("A mapping model between merged models is found by its names in any order")
struct MergedMappingTests {
  private static let models = ["--model", "Aa.xcdatamodeld", "--model", "Bb.xcdatamodeld"]
  private static let swapped = ["--model", "Bb.xcdatamodeld", "--model", "Aa.xcdatamodeld"]

  /// Two bundles that share an entity, which changes in a way that is not inferred, and a store of both.
  private static func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Aa.xcdatamodeld")
    for (bundle, version, type) in [
      ("Aa", "v1", "String"), ("Aa", "v2", "Integer 32"), ("Bb", "w1", "String"), ("Bb", "w2", "Integer 32"),
    ] {
      try workspace.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="E\(bundle)"><attribute name="a" optional="YES" attributeType="String"/></entity>
            <entity name="Shared"><attribute name="k" optional="YES" attributeType="\(type)"/></entity>
        </model>
        """, to: "\(bundle).xcdatamodeld/\(version).xcdatamodel/contents")
      try workspace.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>
        """, to: "\(bundle).xcdatamodeld/.xccurrentversion")
    }
    let made = try workspace.modelctl("create", "s.sqlite", "--version", "Aa@v1 + Bb@w1", "--rows", "3")
    try #require(made.status == 0, "\(made)")
    return workspace
  }

  /// Writes a mapping file between the merged versions.
  private static func writeMapping(to path: String, in workspace: SampleFolder) throws {
    try workspace.write(
      """
      <mappingModel source="Aa@v1 + Bb@w1" destination="Aa@v2 + Bb@w2">
        <entityMapping source="Shared" destination="Shared">
          <attribute name="k" default="yes"/>
        </entityMapping>
      </mappingModel>
      """, to: path)
  }

  @Test("The order of --model decides nothing", arguments: [models, swapped])
  func order(models: [String]) throws {
    let workspace = try Self.workspace()
    try Self.writeMapping(to: "m.xml", in: workspace)
    let named = try Modelctl.run(["plan", "s.sqlite", "--mapping", "m.xml"] + models, in: workspace)
    #expect(named.standardOutput.contains("a mapping model makes every row anew"), "\(named)")
    #expect(!named.standardError.contains("there is no version"), "\(named)")
    try Self.writeMapping(to: "Migrations/Aa + Bb/m.xml", in: workspace)
    let found = try Modelctl.run(["plan", "s.sqlite"] + models, in: workspace)
    #expect(found.standardOutput.contains("a mapping model makes every row anew"), "\(found)")
    let matrix = try Modelctl.run(["matrix", "--exit-code"] + models, in: workspace)
    #expect(matrix.status == 0 && matrix.standardOutput.contains("mapped: "), "\(matrix)")
    let rehearsed = try Modelctl.run(
      ["rehearse", "--rows", "3", "--from", "Aa@v1 + Bb@w1"] + models, in: workspace)
    #expect(rehearsed.status == 0, "\(rehearsed)")
    let migrated = try Modelctl.run(
      ["migrate", "s.sqlite", "--allow-data-loss", "Shared.k"] + models, in: workspace)
    #expect(migrated.status == 0, "\(migrated)")
    let done = try Modelctl.run(["plan", "s.sqlite"] + models, in: workspace)
    #expect(done.status == 0, "\(done)")
  }

  @Test("A folder may name its bundles in another order, and a current store is no matter of the files there")
  func folderOrder() throws {
    let workspace = try Self.workspace()
    try Self.writeMapping(to: "Migrations/Bb + Aa/m.xml", in: workspace)
    let migrated = try workspace.modelctl("migrate", "s.sqlite", "--allow-data-loss", "Shared.k")
    #expect(migrated.status == 0, "\(migrated)")
    let done = try workspace.modelctl("plan", "s.sqlite")
    #expect(done.status == 0, "\(done)")
  }

  @Test("mapping new writes the names of all bundles, and --write where a migration finds the file")
  func new() throws {
    let workspace = try Self.workspace()
    let names = ["Aa@v1 + Bb@w1", "Aa@v2 + Bb@w2"]
    let printed = try Modelctl.run(["mapping", "new"] + names, in: workspace)
    #expect(printed.standardOutput.contains("source=\"\(names[0])\" destination=\"\(names[1])\""), "\(printed)")
    let written = try Modelctl.run(["mapping", "new", "--write"] + names, in: workspace)
    #expect(written.status == 0, "\(written)")
    let path = "Migrations/Aa + Bb/Aa@v1+Bb@w1-Aa@v2+Bb@w2.xml"
    #expect(FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent(path).path), "\(written)")
    try Self.writeMapping(to: path, in: workspace)
    let planned = try workspace.modelctl("plan", "s.sqlite")
    #expect(planned.standardOutput.contains("a mapping model makes every row anew"), "\(planned)")
  }

  @Test("mapping check, mapping show and check take the files that plan takes", arguments: [[], models, swapped])
  func check(models: [String]) throws {
    let workspace = try Self.workspace()
    let path = "Migrations/Aa + Bb/m.xml"
    try Self.writeMapping(to: path, in: workspace)
    let shown = try Modelctl.run(["mapping", "show", path] + models, in: workspace)
    #expect(shown.status == 0, "\(shown)")
    let checked = try Modelctl.run(["mapping", "check", path] + models, in: workspace)
    #expect(checked.status != 2 && !checked.standardError.contains("there is no version"), "\(checked)")
    let all = try Modelctl.run(["check"] + models, in: workspace)
    #expect(!all.standardError.contains("which is not here"), "\(all)")
    #expect(!all.standardOutput.contains("[mapping-without-path]"), "\(all)")
  }
}
