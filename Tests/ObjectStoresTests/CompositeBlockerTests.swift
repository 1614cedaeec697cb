import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Verification finds the composite values that a save refuses")
struct CompositeBlockerTests {
  private static func model(isOptional: Bool) -> ManagedObjectModel {
    ManagedObjectModel {
      Composite("Geo") {
        Attribute("lat", .double)
        Attribute("lon", .double)
        Attribute("note", .string).optional()
      }
      Composite("Size") {
        Attribute("width", .integer16).optional()
        Attribute("depth", .integer16).optional()
      }
      Composite("Address") {
        Attribute("street", .string)
        Attribute("geo", .composite("Geo")).optional()
        Attribute("size", .composite("Size"))
      }
      Entity("Place") {
        Attribute("name", .string).optional()
        Attribute("home", .composite("Address")).optional(isOptional)
      }
    }
  }

  @Test("For all combinations of elements, both refuse the same elements", arguments: [true, false])
  func everyPattern(isOptional: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("places.sqlite")
    let model = Self.model(isOptional: isOptional)
    let whole = RecordValue.composite(["street": "a", "size": .composite(["width": .number(1)])])
    var store = try ObjectStore.open(path, model: model)
    let ids = try store.write { transaction in
      try (1...64).map { _ in try transaction.insert("Place", ["home": whole]) }
    }
    try store.close()
    let columns = ["ZSTREET", "ZLAT", "ZLON", "ZNOTE", "ZWIDTH", "ZDEPTH"]
    let assignments = columns.enumerated().map { "\($1) = CASE WHEN Z_PK & \(1 << $0) THEN 1 END" }
    try HistoryTables.execute("UPDATE ZPLACE SET \(assignments.joined(separator: ", "))", in: path)

    let reader = try StoreReader(path: path)
    let findings = try reader.verify(against: EntityHierarchy(model)).filter { $0.kind == .missingValue }
    reader.close()
    let found = Dictionary(findings.map { ($0.property, $0.count) }, uniquingKeysWith: +)

    store = try ObjectStore.open(path, model: model)
    let blockers = try ids.flatMap { id in try store.problems { try $0.update(id, ["name": "b"]) } }
    try store.close()
    let refused = Dictionary(grouping: blockers, by: \.property).mapValues(\.count)
    #expect(found == refused)
    #expect(found.keys.contains("home") == !isOptional)
    #expect(found.keys.contains("home.size") && found.keys.contains("home.geo.lat"))
  }
}
