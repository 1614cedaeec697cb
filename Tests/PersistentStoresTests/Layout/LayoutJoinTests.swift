import ModelDescription
import PersistentStores
import Testing

/// Many-to-many pairs and the join tables that hold them.
@Suite struct LayoutJoinTests {
  private func toMany(_ name: String, _ destination: String, _ inverse: String, ordered: Bool = false)
    -> RelationshipDescription
  {
    RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse, isOrdered: ordered)
  }

  private func hierarchy(_ entities: EntityDescription...) throws -> EntityHierarchy {
    try EntityHierarchy(ManagedObjectModel(entities: entities))
  }

  @Test func theLowerNumberNamesTheTable() throws {
    let model = try hierarchy(
      EntityDescription(name: "Article", relationships: [toMany("tags", "Tag", "articles")]),
      EntityDescription(name: "Tag", relationships: [toMany("articles", "Article", "tags")]))
    let layout = SQLStoreLayout(of: model)
    #expect(
      layout.table(named: "Z_1TAGS")?.createStatement
        == "CREATE TABLE Z_1TAGS ( Z_1ARTICLES INTEGER, Z_2TAGS INTEGER, PRIMARY KEY (Z_1ARTICLES, Z_2TAGS) )")
    #expect(
      layout.indexes.map(\.createStatement) == [
        "CREATE INDEX Z_1TAGS_Z_2TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1ARTICLES)"
      ])
    #expect(
      layout.storage(ofRelationship: PropertyAddress(entity: "Article", property: "tags"), in: model)
        == .join(
          table: "Z_1TAGS", sourceColumn: "Z_1ARTICLES", destinationColumn: "Z_2TAGS", sourceOrder: nil,
          destinationOrder: nil))
    #expect(
      layout.storage(ofRelationship: PropertyAddress(entity: "Tag", property: "articles"), in: model)
        == .join(
          table: "Z_1TAGS", sourceColumn: "Z_2TAGS", destinationColumn: "Z_1ARTICLES", sourceOrder: nil,
          destinationOrder: nil))
  }

  @Test func theOnlyOneWithSubentitiesNamesTheTable() throws {
    let model = try hierarchy(
      EntityDescription(name: "Article", relationships: [toMany("tags", "Tag", "articles")]),
      EntityDescription(name: "Tag", relationships: [toMany("articles", "Article", "tags")]),
      EntityDescription(name: "TopTag", superentityName: "Tag"))
    #expect(
      SQLStoreLayout(of: model).table(named: "Z_2ARTICLES")?.createStatement
        == "CREATE TABLE Z_2ARTICLES ( Z_2TAGS INTEGER, Z_1ARTICLES INTEGER, PRIMARY KEY (Z_2TAGS, Z_1ARTICLES) )")
  }

  @Test func anOrderedSideHasAnOrderColumn() throws {
    let model = try hierarchy(
      EntityDescription(name: "Article", relationships: [toMany("tags", "Tag", "articles", ordered: true)]),
      EntityDescription(name: "Tag", relationships: [toMany("articles", "Article", "tags")]))
    let layout = SQLStoreLayout(of: model)
    #expect(
      layout.table(named: "Z_1TAGS")?.createStatement
        == "CREATE TABLE Z_1TAGS ( Z_1ARTICLES INTEGER, Z_2TAGS INTEGER, Z_FOK_2TAGS INTEGER, "
        + "PRIMARY KEY (Z_1ARTICLES, Z_2TAGS) )")
    #expect(
      layout.storage(ofRelationship: PropertyAddress(entity: "Tag", property: "articles"), in: model)
        == .join(
          table: "Z_1TAGS", sourceColumn: "Z_2TAGS", destinationColumn: "Z_1ARTICLES", sourceOrder: "Z_FOK_2TAGS",
          destinationOrder: nil))
  }

  @Test func aRelationshipThatIsItsOwnInverseIsReflexive() throws {
    let model = try hierarchy(
      EntityDescription(name: "Person", relationships: [toMany("friends", "Person", "friends")]))
    let layout = SQLStoreLayout(of: model)
    #expect(
      layout.table(named: "Z_1FRIENDS")?.createStatement
        == "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )")
    #expect(
      layout.indexes.map(\.createStatement) == [
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)"
      ])
    #expect(layout.warnings == [])
  }

  @Test func aPairOnOneEntityIsNamedByTheVisitingOrderAndWarned() throws {
    let model = try hierarchy(
      EntityDescription(
        name: "Client",
        relationships: [toMany("trusted", "Client", "trustedBy"), toMany("trustedBy", "Client", "trusted")]))
    let layout = SQLStoreLayout(of: model)
    #expect(layout.tables.map(\.name) == ["ZCLIENT", "Z_1TRUSTEDBY"])
    #expect(
      layout.warnings == [.selfReferencingManyToMany(PropertyAddress(entity: "Client", property: "trustedBy"))])
  }

  @Test func inversesOfOneNameGetSuffixes() throws {
    let model = try hierarchy(
      EntityDescription(name: "Reaction", relationships: [toMany("users", "User", "reactions")]),
      EntityDescription(name: "SystemMessage", relationships: [toMany("users", "User", "systemMessages")]),
      EntityDescription(
        name: "User",
        relationships: [toMany("reactions", "Reaction", "users"), toMany("systemMessages", "SystemMessage", "users")]))
    let columns = SQLStoreLayout(of: model).tables.flatMap(\.columns).map(\.name).filter { $0.hasPrefix("Z_3") }
    #expect(columns.sorted() == ["Z_3USERS", "Z_3USERS1"])
  }
}
