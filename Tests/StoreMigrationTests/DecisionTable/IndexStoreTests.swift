import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// Indexes that a store has twice, as Core Data and its migrations leave them.
@Suite("Indexes of stores")
struct IndexStoreTests {
  private static func item(_ more: [AttributeDescription], indexes: [String: String]) -> EntityDescription {
    var item = EntityDescription.entity("Item", [.optional("name")] + more)
    item.fetchIndexes = indexes.sorted { $0.key < $1.key }.map { name, property in
      FetchIndexDescription(name: name, elements: [.init(subject: .property(property))])
    }
    return item
  }

  private static let names = """
    SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZITEM' AND sql IS NOT NULL ORDER BY name
    """

  @Test("A second index on the column does not cost the model its own, and goes for a true reason")
  func secondIndex() throws {
    let store = try VersionedStore(
      [Self.item([], indexes: ["byName": "name"])], [Self.item([.optional("more")], indexes: ["byName": "name"])],
      rows: 3,
      "DROP INDEX Z_Item_byName", "CREATE INDEX Z_Item_name ON ZITEM (ZNAME COLLATE BINARY ASC)",
      "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY ASC)")
    let plan = try #require(try store.migrator().plan().prepared.stages.first?.plan)
    let drops = plan.steps.filter { $0.statement.text.hasPrefix("DROP INDEX") }
    #expect(drops.map(\.cause) == ["the new model has one index of its columns, Z_Item_byName"])
    _ = try store.migrator().migrate()
    #expect(try store.rows(Self.names) == ["Z_Item_byName"])
    #expect(try store.problems(at: 1) == [])
  }

  @Test("Two indexes of the model on one column are two, and verify misses the second")
  func twoIndexes() throws {
    let both = ["byName": "name", "name": "name"]
    let store = try VersionedStore(
      [Self.item([], indexes: both)], [Self.item([.optional("more")], indexes: both)], rows: 3,
      "DROP INDEX Z_Item_name")
    #expect(try store.problems(at: 0).count == 1)
    _ = try store.migrator().migrate()
    #expect(try store.rows(Self.names) == ["Z_Item_byName", "Z_Item_name"])
    #expect(try store.problems(at: 1) == [])
  }
}
