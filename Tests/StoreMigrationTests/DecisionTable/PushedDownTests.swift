import ModelDescription
import StoreMigration
import Testing

/// A property that leaves an entity and stays in sub-entities: only the objects that have none any more lose it.
@Suite("Properties that move down to sub-entities")
struct PushedDownTests {
  /// Entities in a row, each under the one before, and a type of tags.
  private static func entities(above: Bool, below: Bool) -> [EntityDescription] {
    let attributes: [AttributeDescription] = [.optional("value")]
    let relationships: [RelationshipDescription] = [
      .toOne("tag", "Tag", inverse: "owners"), .toMany("tags", "Tag", inverse: "many", ordered: true),
    ]
    let owner = above ? "Parent" : "Child"
    return [
      .entity("Parent", above ? attributes : [], above ? relationships : []),
      .entity("Child", under: "Parent", below ? attributes : [], below ? relationships : []),
      .entity("Last", under: "Child"),
      .entity("Other", under: "Parent"),
      .entity(
        "Tag", [],
        above || below
          ? [.toMany("owners", owner, inverse: "tag"), .toMany("many", owner, inverse: "tags")] : []),
    ]
  }

  private static func store(_ parents: String) throws -> VersionedStore {
    try VersionedStore(
      entities(above: true, below: false), entities(above: false, below: true),
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 1), (2, 5, 1)",
      "INSERT INTO ZPARENT (Z_PK, Z_ENT, Z_OPT, ZVALUE, ZTAG) VALUES (2, 2, 1, 'c', 1), (3, 3, 1, 'l', 2), \(parents)",
      "INSERT INTO Z_1TAGS (Z_1MANY, Z_5TAGS, Z_FOK_5TAGS) VALUES (2, 1, 2048), (2, 2, 1024)")
  }

  @Test("No consent is needed if no object of the other entities has a value, a link or an order")
  func kept() throws {
    for after in try Self.store("(1, 1, 1, NULL, NULL), (4, 4, 1, NULL, NULL)").migrated() {
      #expect(
        try after.rows("SELECT Z_PK, ZVALUE, ZTAG FROM ZPARENT ORDER BY 1") == ["1|-|-", "2|c|1", "3|l|2", "4|-|-"])
      #expect(try after.rows("SELECT Z_2MANY, Z_5TAGS FROM Z_2TAGS ORDER BY Z_FOK_5TAGS") == ["2|2", "2|1"])
    }
  }

  @Test("The requested consent counts the objects that lose the property, each once")
  func lost() throws {
    let store = try Self.store("(1, 1, 1, 'p', 1), (4, 4, 1, 'o', NULL), (5, 4, 1, 'q', NULL)")
    #expect(try store.unconsented() == ["Parent.value: 1", "Other.value: 2", "Tag.owners: 1"])
  }
}
