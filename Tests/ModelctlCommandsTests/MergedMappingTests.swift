import Foundation
import ModelFiles
import TestSupport
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
    #expect(named.standardOutput.contains("a mapping model creates every row again"), "\(named)")
    #expect(!named.standardError.contains("there is no version"), "\(named)")
    try Self.writeMapping(to: "Migrations/Aa + Bb/m.xml", in: workspace)
    let found = try Modelctl.run(["plan", "s.sqlite"] + models, in: workspace)
    #expect(found.standardOutput.contains("a mapping model creates every row again"), "\(found)")
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

  @Test("A folder can name its bundles in another order, and its files do not matter for a current store")
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
    #expect(planned.standardOutput.contains("a mapping model creates every row again"), "\(planned)")
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
    #expect(!all.standardError.contains("which is not in this project"), "\(all)")
    #expect(!all.standardOutput.contains("[mapping-without-path]"), "\(all)")
  }

  @Test("A version that a mapping model of merged models leads on from is reachable where the union is named")
  func reachable() throws {
    let workspace = try Self.workspace()
    try workspace.write(
      #"{ "unions": [["Bb.xcdatamodeld", "Aa.xcdatamodeld"]], "migratedBy": "modelctl" }"#, to: ".modelctl.json")
    let checks = [["check"], ["check", "Aa.xcdatamodeld"], ["check"] + Self.models, ["check"] + Self.swapped]
    for check in checks {
      let lost = try Modelctl.run(check, in: workspace)
      #expect(lost.status == 1 && lost.standardOutput.contains("[unreachable-version]"), "\(lost)")
    }
    try Self.writeMapping(to: "Migrations/Aa + Bb/m.xml", in: workspace)
    for check in checks {
      let found = try Modelctl.run(check, in: workspace)
      #expect(found.status == 0 && !found.standardOutput.contains("[unreachable-version]"), "\(check): \(found)")
    }
    try workspace.shell("cp -r Aa.xcdatamodeld/v2.xcdatamodel Aa.xcdatamodeld/v3.xcdatamodel")
    try workspace.edit("Aa.xcdatamodeld/v3.xcdatamodel/contents", "String", "Boolean")
    try workspace.edit("Aa.xcdatamodeld/.xccurrentversion", "v2", "v3")
    for check in checks {
      let left = try Modelctl.run(check, in: workspace)
      #expect(left.status == 1 && left.standardOutput.contains("v3 cannot be reached"), "\(check): \(left)")
    }
  }

  @Test("Mapping models of Xcode are found by the hashes of the merged models", arguments: [[], models, swapped])
  func ofXcode(models: [String]) throws {
    let workspace = try Self.workspace()
    let (compiled, edited) = ("m.cdm", "m.xcmappingmodel/xcmapping.xml")
    let hashes = try ["Aa@v1 + Bb@w1", "Aa@v2 + Bb@w2"].map { try Self.hashes(of: $0, in: workspace) }
    try Self.compiledMapping(from: hashes[0], to: hashes[1]).write(to: workspace.url.appendingPathComponent(compiled))
    let shown = try Modelctl.run(["mapping", "show", compiled] + models, in: workspace)
    #expect(shown.status == 0, "\(shown)")
    for name in ["Aa@v1", "Bb@w1", "Aa@v2", "Bb@w2"] { #expect(shown.standardOutput.contains(name), "\(shown)") }
    let checked = try Modelctl.run(["mapping", "check", compiled] + models, in: workspace)
    #expect(checked.status == 0, "\(checked)")
    let all = try Modelctl.run(["check"] + models, in: workspace)
    #expect(!all.standardOutput.contains("[mapping-without-path]"), "\(all)")
    try workspace.write(Self.editedMapping, to: edited)
    let found = try Modelctl.run(["mapping", "check", "m.xcmappingmodel"] + models, in: workspace)
    #expect(found.status == 0 && !found.standardError.contains("is not in this project"), "\(found)")
  }

  private static let entities = [("EAa", "a"), ("EBb", "a"), ("Shared", "k")]

  /// The hashes of the entities of a version by their names.
  private static func hashes(of version: String, in workspace: SampleFolder) throws -> [String: Data] {
    let lines = try workspace.modelctl("hash", version).standardOutput.split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, Data)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let hash = Data(base64Encoded: String(words[0])) else { return nil }
      return (String(words[1]), hash)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// An object of a keyed archive, in which the objects that it refers to lie within it.
  private static func object(_ kind: String, _ fields: [String: PropertyList]) -> PropertyList {
    var fields = fields
    fields["$class"] = .dictionary(["$classname": .string(kind)])
    return .dictionary(fields)
  }

  private static func archive(_ root: PropertyList) -> Data {
    PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(["root": root]),
      "$objects": .array([.string("$null")]),
    ]).binary
  }

  /// A `.cdm` that maps each entity to itself.
  private static func compiledMapping(from source: [String: Data], to destination: [String: Data]) -> Data {
    let mappings = entities.map { name, _ in
      object(
        "NSEntityMapping",
        [
          "NSMappingName": .string(name), "NSMappingType": .integer(1), "NSSourceEntityName": .string(name),
          "NSDestinationEntityName": .string(name), "NSSourceEntityVersionHash": .data(source[name] ?? Data()),
          "NSDestinationEntityVersionHash": .data(destination[name] ?? Data()),
        ])
    }
    return archive(object("NSMappingModel", ["NSEntityMappings": .array(mappings)]))
  }

  /// The merged model as Xcode's editor saves it into a mapping model, with the type of the shared entity's attribute.
  private static func snapshot(_ type: Int64) -> Data {
    func setting(_ name: String, _ value: PropertyList) -> PropertyList {
      .dictionary(["_name": .string(name), "_default": value])
    }
    let classes = entities.map { entity, attribute in
      let settings = PropertyList.dictionary([
        "XDBucketForOwnedAttributesstorage": .array([
          setting("XD_PAttK_attributeType", .integer(entity == "Shared" ? type : 700)),
          setting("XD_PPSK_isOptional", .boolean(true)),
        ])
      ])
      let property = object(
        "XDPMAttribute", ["_name": .string(attribute), "XDBucketForStereotypesstorage": .array([settings])])
      return object(
        "XDPMEntity", ["_name": .string(entity), "XDBucketForOwnedAttributesstorage": .array([property])])
    }
    let package = PropertyList.dictionary(["XDBucketForClassesstorage": .array(classes)])
    return archive(object("XDPMModel", ["_xd_rootPackage": package]))
  }

  /// An `xcmapping.xml` that maps each entity to itself.
  private static var editedMapping: String {
    func value(_ name: String, _ text: String, type: String = "string") -> String {
      #"<attribute name="\#(name)" type="\#(type)">\#(text)</attribute>"#
    }
    let mappings = entities.map { name, _ in
      #"<object type="XDDEVENTITYMAPPING" id="\#(name)">"# + value("autogenerateexpression", "1")
        + value("sourcename", name) + value("destinationname", name) + value("mappingnumber", "1") + "</object>"
    }
    let models = [("source", snapshot(700)), ("destination", snapshot(200))].map { side, data in
      value("\(side)modelpath", "Merged.xcdatamodeld/\(side).xcdatamodel")
        + value("\(side)modeldata", data.base64EncodedString(), type: "binary")
    }
    let names = entities.map(\.0).joined(separator: " ")
    return """
      <database>\(mappings.joined())<object type="XDDEVMAPPINGMODEL" id="root">\(models.joined())
      <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="\(names)"/>
      </object></database>
      """
  }

  @Test("status reports a downgrade for each bundle with a version after the current version")
  func wayBack() throws {
    let workspace = try Self.workspace()
    let made = try workspace.modelctl("create", "new.sqlite", "--version", "Aa@v2 + Bb@w2")
    #expect(made.status == 0, "\(made)")
    for (bundle, version, older) in [("Aa", "v2", "v1"), ("Bb", "w2", "w1")] {
      try workspace.edit("\(bundle).xcdatamodeld/.xccurrentversion", version, older)
    }
    for models in [[], Self.models, Self.swapped] {
      let status = try Modelctl.run(["status", "new.sqlite", "--format", "json"] + models, in: workspace)
      for words in ["Aa@v2 is newer than the current version Aa@v1", "Bb@w2 is newer than the current version Bb@w1"] {
        #expect(status.standardOutput.contains("\(words), so this is a downgrade; to make "), "\(status)")
      }
      let same = try Modelctl.run(["status", "s.sqlite"] + models, in: workspace)
      #expect(!same.standardOutput.contains("downgrade"), "\(same)")
    }
  }
}
