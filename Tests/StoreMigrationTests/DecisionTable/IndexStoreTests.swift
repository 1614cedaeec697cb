import MigrationSQL
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

  @Test("A second index on the column does not remove the model's index, and is removed for a correct reason")
  func secondIndex() throws {
    let store = try VersionedStore(
      [Self.item([], indexes: ["byName": "name"])], [Self.item([.optional("more")], indexes: ["byName": "name"])],
      rows: 3,
      "DROP INDEX Z_Item_byName", "CREATE INDEX Z_Item_name ON ZITEM (ZNAME COLLATE BINARY ASC)",
      "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY ASC)")
    let plan = try #require(try store.migrator().plan().prepared.stages.first?.plan)
    let drops = plan.steps.filter { $0.statement.text.hasPrefix("DROP INDEX") }
    #expect(drops.map(\.cause.description) == ["in the new model, the index Z_Item_byName is for the same columns"])
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

  private static func item(
    _ more: [AttributeDescription] = [], ascending: Bool = true, predicate: String? = nil
  ) -> EntityDescription {
    var item = EntityDescription.entity(
      "Item", [.optional("name"), AttributeDescription(name: "size", type: .integer64, isOptional: true)] + more)
    item.fetchIndexes = [
      FetchIndexDescription(
        name: "byName", elements: [.init(subject: .property("name"), isAscending: ascending)],
        partialIndexPredicate: predicate)
    ]
    return item
  }

  private static let definitions = """
    SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZITEM' AND sql IS NOT NULL ORDER BY name
    """

  @Test(
    "An index that changes only its direction or its condition is created again",
    arguments: [
      (false, nil, "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY DESC)"),
      (true, "size > 3", "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY ASC) WHERE ZSIZE > 3"),
      (false, "size > 4", "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY DESC) WHERE ZSIZE > 4"),
    ])
  func changedIndex(isAscending: Bool, predicate: String?, definition: String) throws {
    let changed = { (more: [AttributeDescription]) in
      Self.item(more, ascending: isAscending, predicate: predicate)
    }
    let more = AttributeDescription.optional("more")
    for (former, latter) in [(Self.item(), changed([more])), (changed([]), Self.item([more]))] {
      let store = try VersionedStore([former], [latter], rows: 3)
      _ = try store.migrator().migrate()
      let plain = "CREATE INDEX Z_Item_byName ON ZITEM (ZNAME COLLATE BINARY ASC)"
      #expect(try store.rows(Self.definitions) == [former == Self.item() ? definition : plain])
      #expect(try store.problems(at: 1) == [])
    }
  }

  @Test(
    "verify names an index of another direction or condition, and knows another spelling of the same one",
    arguments: [
      ("(ZNAME COLLATE BINARY ASC) WHERE ZSIZE > 3", true), ("(\"ZNAME\") where (\"zsize\">3.0)", true),
      ("(ZNAME COLLATE BINARY DESC) WHERE ZSIZE > 3", false), ("(ZNAME) WHERE ZSIZE >= 3", false),
      ("(ZNAME)", false), ("(ZNAME COLLATE NOCASE) WHERE ZSIZE > 3", false),
      ("(ZNAME) WHERE ZSIZE IN (4, 5)", true),
    ])
  func verification(columns: String, isSound: Bool) throws {
    let item = Self.item(predicate: "size > 3")
    let store = try VersionedStore(
      [item], [item], rows: 1, "DROP INDEX Z_Item_byName", "CREATE INDEX Z_Item_byName ON ZITEM \(columns)")
    let problems = try store.problems(at: 0)
    #expect(problems.isEmpty == isSound, "\(problems)")
    #expect(problems.count <= 1)
  }

  @Test(
    "An index of the app is kept if its columns are, also with expressions, conditions and the other direction",
    arguments: [
      ("AppIndex ON ZITEM (lower(ZNAME))", true), ("AppIndex ON ZITEM (ZNAME DESC)", true),
      ("AppIndex ON ZITEM (ZNAME) WHERE ZSIZE IN (4, 5)", true), ("AppIndex ON ZITEM (ZNAME, ZGONE)", false),
      ("AppIndex ON ZITEM (ZNAME) WHERE ZGONE > 3", false), ("AppIndex ON ZITEM (ZNAME || ZGONE)", false),
    ])
  func ownIndex(definition: String, stays: Bool) throws {
    let store = try VersionedStore(
      [Self.item([.optional("gone")])], [Self.item([.optional("more")])], rows: 3, "CREATE INDEX \(definition)")
    _ = try store.migrator(MigrationOptions(allowedLosses: ["Item.gone"])).migrate()
    let names = try store.rows(Self.names)
    #expect(names == (stays ? ["AppIndex", "Z_Item_byName"] : ["Z_Item_byName"]))
  }
}
