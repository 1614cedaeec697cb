import Foundation
import TestSupport
import Testing

@Suite("The advice of check about composite attributes works")
struct CompositeAttributeTests {
  private static let contents = "Shop.xcdatamodeld/v2.xcdatamodel/contents"

  /// A bundle whose version v1 is released, each version with what an entity Place and a composite type Geo declare.
  private func workspace(
    _ first: (place: String, geo: String), _ second: (place: String, geo: String)
  ) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    for (name, version) in [("v1", first), ("v2", second)] {
      try workspace.write(
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Place">\(version.place)</entity>
          <composite name="Geo">\(version.geo)</composite>
        </model>
        """, to: "Shop.xcdatamodeld/\(name).xcdatamodel/contents")
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>
        """, to: "Shop.xcdatamodeld/.xccurrentversion")
      if name == "v1" { try workspace.shell("modelctl lock") }
    }
    return workspace
  }

  private func attribute(_ name: String, isOptional: Bool) -> String {
    "<attribute name=\"\(name)\"\(isOptional ? " optional=\"YES\"" : "") attributeType=\"Double\"/>"
  }

  private func geo(isOptional: Bool) -> String {
    "<attribute name=\"geo\"\(isOptional ? " optional=\"YES\"" : "") attributeType=\"Composite\" composite=\"Geo\"/>"
  }

  /// Two required elements.
  private var required: String { ["lat", "lon"].map { attribute($0, isOptional: false) }.joined() }

  private static let optional = "make it optional: modelctl edit set Place.geo optional=yes --in \(contents)"

  @Test("A composite that becomes required reports rows without an element, and default values resolve it")
  func becomesRequired() throws {
    let workspace = try workspace(
      (geo(isOptional: true), required),
      (geo(isOptional: false) + attribute("more", isOptional: true), required))
    let found = try workspace.modelctl("check").standardOutput
    #expect(
      found.contains(
        """
        error: lat and lon of Place.geo become required in v2, without default values: rows that do not have all \
        these values cannot be migrated [required-without-default]
        """), "\(found)")
    #expect(
      found.contains(
        """
          fix: give lat and lon default values in the composite type; or \(Self.optional); to list the rows in the way: \
        modelctl query STORE Place --where 'geo.lat == nil'; and: modelctl query STORE Place --where 'geo.lon == nil'

        """), "\(found)")
    try workspace.edit(
      Self.contents, "attributeType=\"Double\"/></composite>",
      "attributeType=\"Double\" defaultValueString=\"0\"/></composite>")
    #expect(
      try workspace.modelctl("check").standardOutput.contains(
        """
          fix: give lat a default value in the composite type; or \(Self.optional); to list the rows in the way: modelctl \
        query STORE Place --where 'geo.lat == nil'

        """))
    try workspace.edit(
      Self.contents, "<attribute name=\"lat\"", "<attribute name=\"lat\" defaultValueString=\"0\"")
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 0, "\(checked)")
  }

  @Test("A new composite reports no rows")
  func new() throws {
    let workspace = try workspace(
      (attribute("more", isOptional: true), required),
      (geo(isOptional: false) + attribute("more", isOptional: true), required))
    let found = try workspace.modelctl("check").standardOutput
    #expect(
      found.contains(
        """
        error: Place.geo is new in v2, required and without default values for lat and lon: existing rows do not have \
        these values [required-without-default]
        """), "\(found)")
    #expect(
      found.contains("  fix: give lat and lon default values in the composite type; or \(Self.optional)\n"),
      "\(found)")
    try workspace.edit(Self.contents, geo(isOptional: false), geo(isOptional: true))
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("An element that becomes required is named alone")
  func element() throws {
    let workspace = try workspace(
      (geo(isOptional: false), attribute("lat", isOptional: true) + attribute("lon", isOptional: true)),
      (geo(isOptional: false), attribute("lat", isOptional: false) + attribute("lon", isOptional: true)))
    let found = try workspace.modelctl("check").standardOutput
    #expect(
      found.contains(
        "lat of Place.geo becomes required in v2, without a default value: rows that do not have a value cannot be migrated"
      ),
      "\(found)")
  }

  @Test("If only the attribute changes, the entity's version hash modifier makes a new version")
  func equalHashes() throws {
    let workspace = try workspace((geo(isOptional: true), required), (geo(isOptional: false), required))
    let found = try workspace.modelctl("check").standardOutput
    #expect(
      found.contains(
        "  fix: set the version hash modifier of Place: modelctl edit set Place modifier=v2 --in \(Self.contents)\n"),
      "\(found)")
    try workspace.shell("modelctl edit set Place modifier=v2 --in \(Self.contents)")
    #expect(try !workspace.modelctl("check").standardOutput.contains("[equal-hashes]"))
  }
}
