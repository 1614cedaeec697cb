import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// The blockers of a mapping model's migration: missing values, counts, duplicates, and losses without consent.
struct MappedBlockerTests {
  private let before: [EntityDescription] = [
    .entity("Box", [.optional("label")], [.toMany("things", "Thing", inverse: "box", ordered: true)]),
    .entity(
      "Thing", [.optional("name"), .optional("size", .integer32)], [.toOne("box", "Box", inverse: "things")]),
  ]
  private let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b');
    INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSIZE, ZBOX, Z_FOK_BOX)
    VALUES (1, 2, 1, 'x', 1, 1, 1024), (2, 2, 1, NULL, 2, 1, 2048), (3, 2, 1, 'x', 3, NULL, NULL);
    """
  private let box = EntityMapping.map(
    "Box", "Box", ["label": .source("label")], ["things": .made(by: "ThingToThing", of: .source("things"))])

  private func thing(
    _ attributes: [String: ValueExpression] = ["name": .source("name"), "size": .source("size")],
    filter: ValueExpression? = nil
  ) -> EntityMapping {
    .map("Thing", "Thing", filter: filter, attributes, ["box": .made(by: "BoxToBox", of: .source("box"))])
  }

  private func store(_ things: RelationshipDescription, _ thing: EntityDescription) throws -> VersionedStore {
    try VersionedStore(before, [.entity("Box", [.optional("label")], [things]), thing], rows)
  }

  private let things = RelationshipDescription.toMany("things", "Thing", inverse: "box", ordered: true)
  private let toBox = RelationshipDescription.toOne("box", "Box", inverse: "things")

  @Test("a required attribute names the source rows for which the mapping gives no value")
  func mandatoryAttribute() throws {
    let store = try store(things, .entity("Thing", [.required("name"), .optional("size", .integer32)], [toBox]))
    let mapping = MappingModel(entityMappings: [box, thing()])
    #expect(try store.mappingBlockers(mapping) == ["Thing.name 1570 1 [2]"])
    let filled = MappingModel(entityMappings: [
      box,
      thing([
        "size": .source("size"),
        "name": .conditional(.compare(.source("name"), .equal, .null), then: .text("-"), else: .source("name")),
      ]),
    ])
    #expect(try store.mapped(by: filled).rows("SELECT ZNAME FROM ZTHING ORDER BY Z_PK") == ["x", "-", "x"])
    let unmapped = MappingModel(
      entityMappings: [box, thing(["size": .source("size")])], droppedData: ["Thing.name"])
    #expect(try store.mappingBlockers(unmapped) == ["Thing.name 1570 3 [1,2,3]"])
  }

  @Test("a required relationship, and counts of a to-many, are validated before anything is kept")
  func counts() throws {
    let optional: [AttributeDescription] = [.optional("name"), .optional("size", .integer32)]
    let required = RelationshipDescription.toOne("box", "Box", inverse: "things", optional: false)
    let mapping = MappingModel(entityMappings: [box, thing()])
    #expect(
      try store(things, .entity("Thing", optional, [required])).mappingBlockers(mapping)
        == ["Thing.box 1570 1 [3]"])
    var counted = things
    counted.isOptional = false
    counted.minCount = 1
    counted.maxCount = 9
    #expect(
      try store(counted, .entity("Thing", optional, [toBox])).mappingBlockers(mapping) == ["Box.things 1580 1 [2]"])
    counted.isOptional = true
    counted.minCount = 3
    #expect(
      try store(counted, .entity("Thing", optional, [toBox])).mappingBlockers(mapping) == ["Box.things 1580 1 [1]"])
    (counted.minCount, counted.maxCount) = (0, 1)
    counted.maxCount = 2
    let store = try store(counted, .entity("Thing", optional, [toBox]))
    try store.execute("UPDATE ZTHING SET ZBOX = 2")
    #expect(try store.mappingBlockers(mapping) == ["Box.things 1590 1 [2]"])
  }

  @Test("a uniqueness constraint names the rows with equal values")
  func uniqueness() throws {
    let store = try store(
      things, .entity("Thing", [.optional("name"), .optional("size", .integer32)], [toBox], unique: [["name"]]))
    #expect(
      try store.mappingBlockers(MappingModel(entityMappings: [box, thing()])) == ["Thing 134111 2 [1,3]"])
    let filtered = MappingModel(
      entityMappings: [box, thing(filter: .compare(.key("size"), .less, .number(3)))], droppedData: ["Thing"])
    #expect(try store.mapped(by: filtered).rows("SELECT Z_PK, ZBOX FROM ZTHING ORDER BY 1") == ["1|1", "2|1"])
  }

  @Test("data that no mapping reads needs consent, by option or in the mapping")
  func losses() throws {
    let unordered = RelationshipDescription.toMany("things", "Thing", inverse: "box")
    let store = try store(unordered, .entity("Thing", [.optional("name")], [toBox]))
    let filtered = thing(["name": .source("name")], filter: .compare(.key("size"), .less, .number(3)))
    #expect(
      try store.mappingBlockers(MappingModel(entityMappings: [box, filtered]))
        == ["Thing: 1", "Thing.size: 2", "Box.things: 1"])
    let alone = MappingModel(entityMappings: [.map("Thing", "Thing", ["name": .source("name")])])
    #expect(try store.mappingBlockers(alone) == ["Box: 2", "Thing.size: 3"])
    #expect(
      try store.mappingBlockers(alone, MigrationOptions(allowedLosses: ["Box"])) == ["Thing.size: 3"])
    let granted = MappingModel(
      entityMappings: alone.entityMappings, droppedData: ["Box", "Thing.size"])
    #expect(
      try store.mapped(by: granted).rows("SELECT ZNAME, ZBOX FROM ZTHING ORDER BY Z_PK") == ["x|-", "-|-", "x|-"])
  }

  @Test("objects of an abstract entity are refused by the rows they would be made of")
  func abstract() throws {
    let store = try VersionedStore(
      before, [.entity("Item", abstract: true, [.optional("name")]), .entity("Part", under: "Item")], rows)
    let mapping = MappingModel(
      entityMappings: [.map("Thing", "Item", ["name": .source("name")])],
      droppedData: ["Box", "Thing.size"])
    #expect(try store.mappingBlockers(mapping) == ["Item 134110 3 [1,2,3]"])
  }

  @Test("an entity mapping that cannot be planned is refused by its name and cause")
  func faults() throws {
    let store = try store(things, .entity("Thing", [.optional("name"), .optional("size", .integer32)], [toBox]))
    func fault(_ mappings: EntityMapping...) throws -> MigrationRefusal? {
      #expect(throws: MigrationRefusal.self) { try store.map(by: MappingModel(entityMappings: mappings)) }
    }
    #expect(try fault(thing(), thing()) == .mapping(name: "ThingToThing", .nameIsTaken))
    #expect(try fault(.map("Thong", "Thing")) == .mapping(name: "ThongToThing", .unknownSource("Thong")))
    #expect(try fault(.map("Thing", "Thong")) == .mapping(name: "ThingToThong", .unknownDestination("Thong")))
    #expect(
      try fault(.map("Thing", "Thing", ["nome": .source("name")]))
        == .mapping(name: "ThingToThing", .unknownProperty("nome")))
    #expect(
      try fault(.map("Thing", "Thing", [:], ["box": .source("box")]))
        == .mapping(name: "ThingToThing", .noDestinationObjects(property: "box")))
    #expect(
      try fault(.map("Thing", "Thing", [:], ["box": .made(by: "ThingToThing", of: .source())]))
        == .mapping(name: "ThingToThing", .wrongObjects(mapping: "ThingToThing", property: "box")))
    let twice = PropertyMapping(name: "name", value: .expression(.source("name")))
    var doubled = EntityMapping.map("Thing", "Thing")
    doubled.attributeMappings = [twice, twice]
    #expect(try fault(doubled) == .mapping(name: "ThingToThing", .propertyIsTaken("name")))
  }

  @Test("a value that cannot be computed names its row, and nothing is kept")
  func failingValue() throws {
    let store = try store(things, .entity("Thing", [.optional("name"), .optional("size", .integer32)], [toBox]))
    let files = try store.files()
    let divided = ValueExpression.function(
      "divide:by:", [.number(6), .function("from:subtract:", [.source("size"), .number(2)])])
    let mapping = MappingModel(
      entityMappings: [box, thing(["name": .source("name"), "size": divided])])
    let error = #expect(throws: (any Error).self) { try store.map(by: mapping) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Thing with Z_PK 2"))
    #expect(try store.files() == files)
  }
}
