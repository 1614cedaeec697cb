import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// The inferred parts of a mapping model convert values as inference does, with the same conditions for rows.
struct MappedConversionTests {
  private func model(
    _ store: VersionedStore, _ mappings: WrittenEntityMapping..., dropping dropped: Set<String> = []
  ) throws -> MappingModel {
    let destination = store.versions.count - 1
    return try WrittenMappingModel(entityMappings: mappings, droppedData: dropped).resolved(
      from: store.versions[destination - 1].hierarchy, to: store.versions[destination].hierarchy)
  }

  private let other = WrittenEntityMapping(source: "Other", destination: "Other")

  private func orders(_ former: AttributeDescription, _ latter: AttributeDescription, _ rows: String) throws
    -> VersionedStore
  {
    try VersionedStore(
      [.entity("Order", [former]), .entity("Other")], [.entity("Order", [latter]), .entity("Other")],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES \(rows)")
  }

  private let query = "SELECT Z_PK, typeof(ZSIZE), ZSIZE FROM ZORDER ORDER BY Z_PK"

  @Test(
    "a number that does not fit is refused as without a mapping model, and changed alike with consent",
    arguments: [
      (AttributeType.integer32, AttributeType.integer16, "40000"), (.double, .integer32, "2.5"),
      (.double, .integer64, "1e300"), (.integer64, .double, "9007199254740993"), (.integer32, .boolean, "5"),
      (.integer64, .float, "16777217"),
    ])
  func narrowing(former: AttributeType, latter: AttributeType, value: String) throws {
    let store = try orders(
      .optional("size", former), .optional("size", latter), "(1, 1, 1, 1), (2, 1, 1, \(value)), (3, 1, 1, NULL)")
    let inferred = try store.blocked()
    let converted = try store.migrated(allowing: ["Order.size"]).map { try $0.rows(query) }
    for written in [other, WrittenEntityMapping(source: "Order", destination: "Order")] {
      let model = try model(store, written)
      #expect(try store.mappingBlockers(model) == ["Order.size 134110 1 [2]"])
      let refused = #expect(throws: MigrationBlocked.self) { try store.copy().map(by: model) }
      #expect(refused?.description == inferred.description)
      let after = try store.mapped(by: model, MigrationOptions(allowedLosses: ["Order.size"])).rows(query)
      #expect(converted.allSatisfy { $0 == after }, "\(converted) \(after)")
    }
  }

  @Test("a missing value gets the default of an attribute that becomes required")
  func defaults() throws {
    let store = try orders(
      .optional("size", .double), .required("size", .integer32, default: .integer(9)),
      "(1, 1, 1, 7.5), (2, 1, 1, NULL)")
    let model = try model(store, other)
    #expect(try store.mappingBlockers(model) == ["Order.size 134110 1 [1]"])
    let after = try store.mapped(by: model, MigrationOptions(allowedLosses: ["Order.size"]))
    #expect(try after.rows(query) == ["1|integer|7", "2|integer|9"])
  }

  @Test("values that fit need no consent, and neither does a custom expression")
  func written() throws {
    let store = try orders(.optional("size", .double), .optional("size", .integer32), "(1, 1, 1, 7.0)")
    #expect(try store.mapped(by: model(store, other)).rows(query) == ["1|integer|7"])
    try store.execute("UPDATE ZORDER SET ZSIZE = 7.5")
    func order(_ value: WrittenPropertyMapping.Value) -> WrittenEntityMapping {
      WrittenEntityMapping(
        source: "Order", destination: "Order", attributes: [WrittenPropertyMapping(name: "size", value: value)])
    }
    let expression = try model(store, order(.expression(.source("size"))))
    #expect(try store.mapped(by: expression).rows(query) == ["1|integer|7"])
    #expect(try store.mappingBlockers(model(store, order(.inferred))) == ["Order.size 134110 1 [1]"])
  }

  @Test("several mappings of one entity ask the rows that each takes")
  func split() throws {
    func properties(_ type: AttributeType) -> [AttributeDescription] { [.optional("k"), .optional("n", type)] }
    let store = try VersionedStore(
      [.entity("Item", properties(.integer32))],
      [.entity("Copy", properties(.integer16)), .entity("Item", properties(.integer16))],
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZK, ZN)
      VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'a', 40000), (3, 1, 1, 'b', 50000), (4, 1, 1, 'c', 60000)
      """)
    func item(to name: String, _ key: String) -> WrittenEntityMapping {
      WrittenEntityMapping(
        source: "Item", destination: name, filter: .compare(.key("k"), .equal, .text(key)))
    }
    let (first, second) = (item(to: "Item", "a"), item(to: "Copy", "b"))
    let asked = try model(store, first, second)
    #expect(
      try store.mappingBlockers(asked) == ["Item.n 134110 1 [2]", "Copy.n 134110 1 [3]", "Item: 1"])
    #expect(
      try store.mappingBlockers(asked, MigrationOptions(allowedLosses: ["Item", "Copy.n"]))
        == ["Item.n 134110 1 [2]"])
    let after = try store.mapped(by: model(store, first, second, dropping: ["Item", "Item.n"]))
    #expect(try after.rows("SELECT ZN FROM ZITEM ORDER BY Z_PK") == ["1", "32767"])
    #expect(try after.rows("SELECT ZN FROM ZCOPY") == ["32767"])
  }

  @Test("each entity that inherits a renamed attribute is checked, and one consent is for all")
  func inheritance() throws {
    let store = try VersionedStore(
      [.entity("Base", [.optional("size", .double)]), .entity("Child", under: "Base")],
      [.entity("Base", [.optional("amount", .integer32, was: "size")]), .entity("Child", under: "Base")],
      "INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 1.0), (2, 1, 1, 2.5), (3, 2, 1, 3.5)")
    let child = WrittenEntityMapping(source: "Child", destination: "Child")
    let asked = try model(store, child)
    #expect(
      try Set(store.mappingBlockers(asked)) == ["Base.amount 134110 1 [2]", "Child.amount 134110 1 [3]"])
    let options = MigrationOptions(allowedLosses: ["Base.amount"])
    for after in [
      try store.mapped(by: asked, options), try store.mapped(by: model(store, child, dropping: ["Base.size"])),
    ] {
      #expect(try after.rows("SELECT ZAMOUNT FROM ZBASE ORDER BY Z_PK") == ["1", "2", "3"])
    }
  }

  @Test("a later stage needs the same consent, and the forecast of the step shows it")
  func laterStage() throws {
    let store = try VersionedStore(
      [
        [.entity("Order", [.optional("size", .double)]), .entity("Other", [.optional("day")])],
        [.entity("Order", [.optional("note"), .optional("size", .double)]), .entity("Other", [.optional("day")])],
        [
          .entity("Order", [.optional("note"), .optional("size", .integer32)]),
          .entity("Other", [.optional("day", .date)]),
        ],
      ].map { ManagedObjectModel(entities: $0) })
    try store.execute("INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 1, 1, 1.0), (2, 1, 1, 2.5)")
    try store.settlePrimaryKeys()
    var mapping = other
    mapping.attributes = [WrittenPropertyMapping(name: "day", value: .unset)]
    let known = KnownMapping(
      path: "v2-v3.xml", source: store.versions[1], destination: store.versions[2], model: try model(store, mapping))
    store.mappings = [known]
    #expect(try store.refusals() == ["Order.size 134110 1 [2] --allow-data-loss Order.size"])
    _ = try store.migrator(MigrationOptions(allowedLosses: ["Order.size"])).migrate()
    #expect(try store.rows(query) == ["1|integer|1", "2|integer|2"])
    let forecast = try PathPartForecast(of: PathPart(from: store.versions[1], to: store.versions[2], by: known))
    let conversions = [TypeConversion(from: .double, to: .integer32)]
    #expect(
      forecast.conditions.map(\.requirement) == [.fits(entity: "Order", attribute: "size", conversions: conversions)])
  }
}
