import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Stores of one configuration, found by their hashes")
struct ConfigurationStoreTests {
  private static let options = "--model K.xcdatamodeld"

  /// Two versions of a model with a configuration an entity, and stores of the second of them.
  private func workspace(_ kinds: String...) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "K.xcdatamodeld")
    let attribute = { (name: String) in #"<attribute name="\#(name)" optional="YES" attributeType="String"/>"# }
    for (version, names) in [("E1", ["b"]), ("E2", ["b", "c"])] {
      try workspace.write(
        #"""
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="A">\#(attribute("a"))</entity><entity name="B">\#(names.map(attribute).joined())</entity>
        <configuration name="CA"><memberEntity name="A"/></configuration>
        <configuration name="CB"><memberEntity name="B"/></configuration></model>
        """#, to: "K.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    for kind in kinds {
      try workspace.shell(
        "modelctl create s.\(kind) --store-type \(kind) --configuration CB --version E1 --rows 2 \(Self.options)")
    }
    return workspace
  }

  @Test(
    "A store of another type is migrated to the same content as an SQLite store",
    arguments: ["json", "xml", "binary"])
  func otherKinds(kind: String) throws {
    let workspace = try workspace(kind, "sqlite")
    try workspace.shell("modelctl verify s.\(kind) \(Self.options)")
    for store in ["s.\(kind)", "s.sqlite"] {
      try workspace.shell("modelctl plan \(store) --to E2 \(Self.options)")
      try workspace.shell("modelctl migrate \(store) --to E2 \(Self.options)")
      try workspace.shell("modelctl verify \(store) \(Self.options)")
    }
    let status = try Modelctl.shell("modelctl status s.\(kind) \(Self.options)", in: workspace).standardOutput
    #expect(status.contains("version E2 of K.xcdatamodeld, configuration CB"))
    let difference = try workspace.shell("modelctl diff s.\(kind) s.sqlite --data \(Self.options)")
    #expect(difference.contains("the same objects"), "\(difference)")
  }

  @Test("It is converted, and made of its text, without the name of the configuration")
  func copies() throws {
    let workspace = try workspace("sqlite")
    try workspace.shell("modelctl convert s.sqlite s.xml \(Self.options)")
    try workspace.shell("modelctl dump s.sqlite -o s.json \(Self.options)")
    try workspace.shell("modelctl load s.json -o loaded.sqlite --version E1 \(Self.options)")
    for copy in ["s.xml", "s.json", "loaded.sqlite"] {
      try workspace.shell("modelctl verify \(copy) \(Self.options)")
      let difference = try workspace.shell("modelctl diff s.sqlite \(copy) --data \(Self.options)")
      #expect(difference.contains("the same objects"), "\(copy): \(difference)")
    }
  }

  @Test("Objects are loaded into it", arguments: ["sqlite", "json"])
  func filling(kind: String) throws {
    let workspace = try workspace(kind)
    try workspace.write(#"{"entity": "B", "b": "new"}"# + "\n", to: "b.jsonl")
    try workspace.shell("modelctl load b.jsonl -o s.\(kind) --version E1 \(Self.options)")
    try workspace.shell("modelctl verify s.\(kind) \(Self.options)")
    #expect(try workspace.shell("modelctl query s.\(kind) B \(Self.options)").contains("3 objects of B"))
  }

  @Test("Its text is loaded into a store of the complete model")
  func fillingWhole() throws {
    let workspace = try workspace("sqlite")
    try workspace.shell("modelctl dump s.sqlite -o s.json \(Self.options)")
    try workspace.shell("modelctl create whole.sqlite --version E1 \(Self.options)")
    try workspace.shell("modelctl load s.json -o whole.sqlite --version E1 \(Self.options)")
    #expect(try workspace.shell("modelctl query whole.sqlite B \(Self.options)").contains("2 objects of B"))
  }

  @Test("It shows how Core Data names the join tables of its entities")
  func joinNames() throws {
    let workspace = try SampleFolder(emptyNamed: "P.xcdatamodeld")
    let attributes = ["age", "name"].map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
    let pair = [("followers", "following"), ("following", "followers")].map { name, inverse in
      #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="Person" inverseName="\#(inverse)" inverseEntity="Person"/>"#
    }
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note">\(attributes[1])</entity>
      <entity name="Person">\(attributes.joined())\(pair.joined())</entity>
      <configuration name="People"><memberEntity name="Person"/></configuration></model>
      """, to: "P.xcdatamodeld/v1.xcdatamodel/contents")
    func open(_ store: String) throws -> DatabaseQueue {
      try DatabaseQueue(path: workspace.url.appendingPathComponent(store).path)
    }
    try workspace.shell("modelctl create device.sqlite --configuration People --rows 2")
    let device = try open("device.sqlite")
    try device.write { database in
      try database.execute(
        sql: "ALTER TABLE Z_1FOLLOWERS RENAME TO Z_1FOLLOWING; INSERT INTO Z_MODELCACHE VALUES (x'00')")
    }
    try device.close()
    try workspace.shell("modelctl dump device.sqlite -o people.json")
    try workspace.shell("modelctl create whole.sqlite --join-names-from device.sqlite")
    try workspace.shell("modelctl load people.json -o part.sqlite --join-names-from device.sqlite")
    for (name, table) in [("whole.sqlite", "Z_2FOLLOWING"), ("part.sqlite", "Z_1FOLLOWING")] {
      try workspace.shell("modelctl verify \(name) --join-names-from device.sqlite")
      let store = try open(name)
      let isNamedSo = try store.read { try $0.tableExists(table) }
      try store.close()
      #expect(isNamedSo, "\(name)")
    }
  }

  @Test("Compared with a store of the complete model, it is reported to hold less; no migration is advised")
  func difference() throws {
    let workspace = try workspace("sqlite")
    try workspace.shell("modelctl create whole.sqlite --version E1 \(Self.options)")
    let result = try Modelctl.shell("modelctl diff s.sqlite whole.sqlite --data \(Self.options)", in: workspace)
    #expect(
      result.standardError == """
        error: s.sqlite has the entities of configuration CB and whole.sqlite has all entities of the model, and only \
        stores of the same entities can be compared
          Compare stores of one configuration

        """)
    #expect(result.status == 2)
  }
}
