import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("The cost of planning")
struct PlanGrowthTests {
  /// The processor's time for planning a migration in which each of many entities loses an attribute.
  private static func seconds(under parent: String?) throws -> Double {
    func model(_ names: [String]) -> ManagedObjectModel {
      let members = (0..<400).map { number in
        EntityDescription.entity(
          "E\(number)", under: parent, names.map { AttributeDescription.optional("\($0)\(number)") })
      }
      return ManagedObjectModel(entities: [.entity("Root", [.optional("r")])] + members)
    }
    let store = try VersionedStore([model(["a", "b"]), model(["a"])], rows: 3)
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    let snapshot = try reader.read { database in try StoreSnapshot(reading: database, counting: true) }
    let (source, destination) = (store.versions[0].hierarchy, store.versions[1].hierarchy)
    let planner = MigrationPlanner(
      source: StoreModel(hierarchy: source, layout: BoundLayout(of: source, to: snapshot).layout),
      destination: StoreModel(hierarchy: destination, layout: SQLStoreLayout(of: destination)),
      mapping: try MappingModel.inferred(from: source, to: destination), metadata: [])
    return try ProcessorTime.seconds { _ = try planner.plan(for: snapshot, path: ["v1", "v2"]) }
  }

  @Test("One table of many entities costs little more than as many tables, though each entity has few of its columns")
  func subentities() throws {
    let tables = try Self.seconds(under: nil)
    let table = try Self.seconds(under: "Root")
    // Two to three times as much; looking at every column of the table for every entity takes eight times as much.
    #expect(table < 4 * tables)
  }
}
