import ModelDescription
import PersistentStores
import Testing

/// One model a rule, and the statements that make its tables.
@Suite struct LayoutTableTests {
  private func tables(_ entities: EntityDescription...) throws -> [String] {
    try SQLStoreLayout(of: EntityHierarchy(ManagedObjectModel(entities: entities))).tables.map(\.createStatement)
  }

  @Test func columnsStandInBlocksByType() throws {
    let types: [(String, AttributeType)] = [
      ("a", .binary), ("b", .transformable), ("c", .uuid), ("d", .uri), ("e", .string), ("f", .decimal), ("g", .date),
      ("h", .float), ("i", .double), ("j", .boolean), ("k", .integer64), ("l", .integer32), ("m", .integer16),
    ]
    let item = EntityDescription(
      name: "Item", attributes: types.map { AttributeDescription(name: $0.0, type: $0.1) })
    #expect(
      try tables(item) == [
        """
        CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZJ INTEGER, ZK INTEGER, \
        ZL INTEGER, ZM INTEGER, ZG TIMESTAMP, ZH FLOAT, ZI FLOAT, ZF DECIMAL, ZE VARCHAR, ZD VARCHAR, ZC BLOB, \
        ZB BLOB, ZA BLOB )
        """
      ])
  }

  @Test func propertiesAreSortedByCodeUnitAndEntitiesWithoutCase() throws {
    let item = EntityDescription(
      name: "item",
      attributes: ["city", "CiUrlWork", "_id"].map { AttributeDescription(name: $0, type: .string) })
    let empty = EntityDescription(name: "Items")
    #expect(
      try tables(empty, item) == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCIURLWORK VARCHAR, "
          + "Z_ID VARCHAR, ZCITY VARCHAR )",
        "CREATE TABLE ZITEMS ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
      ])
  }

  @Test func transientAndUnstorableAttributesHaveNoColumn() throws {
    let item = EntityDescription(
      name: "Item",
      attributes: [
        AttributeDescription(name: "shown", type: .string, isTransient: true),
        AttributeDescription(name: "target", type: .objectID),
      ])
    let layout = try SQLStoreLayout(of: EntityHierarchy(ManagedObjectModel(entities: [item])))
    #expect(
      layout.tables.map(\.createStatement) == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )"
      ])
    #expect(
      layout.warnings.map(\.description) == ["attribute Item.target of type ObjectID is not stored"])
  }

  @Test func siblingsShareTheTableAndCollidingNamesGetSuffixes() throws {
    let message = EntityDescription(
      name: "Message", isAbstract: true, attributes: [AttributeDescription(name: "nonce", type: .uuid)])
    let subentities = ["Text", "Image", "Audio"].map {
      EntityDescription(
        name: $0, superentityName: "Message", attributes: [AttributeDescription(name: "text", type: .string)])
    }
    let layout = try SQLStoreLayout(
      of: EntityHierarchy(ManagedObjectModel(entities: [message] + subentities)))
    #expect(
      layout.tables.map(\.createStatement) == [
        "CREATE TABLE ZMESSAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEXT VARCHAR, "
          + "ZTEXT1 VARCHAR, ZTEXT2 VARCHAR, ZNONCE BLOB )"
      ])
    #expect(layout.column(ofAttribute: PropertyAddress(entity: "Audio", property: "text"))?.name == "ZTEXT")
    #expect(layout.column(ofAttribute: PropertyAddress(entity: "Text", property: "text"))?.name == "ZTEXT2")
    #expect(layout.column(ofAttribute: PropertyAddress(entity: "Text", property: "nonce"))?.name == "ZNONCE")
    #expect(
      layout.entityNumbers.map { "\($0.number) \($0.name) \($0.superentityNumber)" } == [
        "1 Message 0", "2 Audio 1", "3 Image 1", "4 Text 1",
      ])
    #expect(layout.numbers(ofFamily: "Message") == [1, 2, 3, 4])
  }

  @Test func aReferenceToAnEntityWithSubentitiesHasACompanion() throws {
    let model = [
      EntityDescription(name: "Base"), EntityDescription(name: "Leaf", superentityName: "Base"),
      EntityDescription(
        name: "User",
        relationships: [
          RelationshipDescription(name: "base", destinationEntityName: "Base", maxCount: 1),
          RelationshipDescription(name: "leaf", destinationEntityName: "Leaf", maxCount: 1),
        ]),
    ]
    #expect(
      try SQLStoreLayout(of: EntityHierarchy(ManagedObjectModel(entities: model))).table(ofEntity: "User")?
        .createStatement
        == "CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBASE INTEGER, "
        + "Z1_BASE INTEGER, ZLEAF INTEGER )")
  }

  @Test func anOrderedToManyGivesItsInverseAnOrderColumn() throws {
    let parent = EntityDescription(
      name: "Parent",
      relationships: [
        RelationshipDescription(
          name: "children", destinationEntityName: "Child", inverseName: "parent", isOrdered: true)
      ])
    let child = EntityDescription(
      name: "Child", attributes: [AttributeDescription(name: "born", type: .date)],
      relationships: [
        RelationshipDescription(name: "parent", destinationEntityName: "Parent", inverseName: "children", maxCount: 1)
      ])
    let hierarchy = try EntityHierarchy(ManagedObjectModel(entities: [parent, child]))
    let layout = SQLStoreLayout(of: hierarchy)
    #expect(
      layout.tables.map(\.createStatement) == [
        "CREATE TABLE ZCHILD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, "
          + "Z_FOK_PARENT INTEGER, ZBORN TIMESTAMP )",
        "CREATE TABLE ZPARENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
      ])
    let toOne = PropertyAddress(entity: "Child", property: "parent")
    #expect(
      layout.storage(ofRelationship: toOne, in: hierarchy)
        == .toOne(table: "ZCHILD", column: "ZPARENT", entityColumn: nil, orderColumn: "Z_FOK_PARENT"))
    #expect(
      layout.storage(ofRelationship: PropertyAddress(entity: "Parent", property: "children"), in: hierarchy)
        == .inverseOfToOne(toOne))
  }

  @Test func theOrderOfAReferenceIsNamedAfterItsWholeProperty() throws {
    func toMany(_ name: String, _ inverse: String) -> RelationshipDescription {
      RelationshipDescription(name: name, destinationEntityName: "Child", inverseName: inverse, isOrdered: true)
    }
    func toOne(_ name: String, _ inverse: String) -> RelationshipDescription {
      RelationshipDescription(name: name, destinationEntityName: "Parent", inverseName: inverse, maxCount: 1)
    }
    let parent = EntityDescription(name: "Parent", relationships: [toMany("a", "_in"), toMany("b", "in")])
    let child = EntityDescription(name: "Child", relationships: [toOne("_in", "a"), toOne("in", "b")])
    let layout = SQLStoreLayout(of: try EntityHierarchy(ManagedObjectModel(entities: [parent, child])))
    #expect(
      layout.tables[0].columns.dropFirst(3).map(\.name) == ["Z_IN", "ZIN", "Z_FOK_IN", "Z_FOK__IN"])
  }

  @Test func aToManyWithoutInverseIsAColumnOfItsDestination() throws {
    let book = EntityDescription(
      name: "Book", relationships: [RelationshipDescription(name: "pages", destinationEntityName: "Page")])
    let page = EntityDescription(name: "Page", attributes: [AttributeDescription(name: "number", type: .integer32)])
    let hierarchy = try EntityHierarchy(ManagedObjectModel(entities: [book, page]))
    let layout = SQLStoreLayout(of: hierarchy)
    #expect(
      layout.table(ofEntity: "Page")?.createStatement
        == "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, "
        + "Z1PAGES INTEGER )")
    #expect(
      layout.storage(ofRelationship: PropertyAddress(entity: "Book", property: "pages"), in: hierarchy)
        == .owner(table: "ZPAGE", column: "Z1PAGES", orderColumn: nil))
  }

  @Test func aConfigurationHoldsItsEntitiesOnly() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(name: "Cache"),
        EntityDescription(
          name: "Item",
          relationships: [RelationshipDescription(name: "cache", destinationEntityName: "Cache", maxCount: 1)]),
      ],
      configurations: [ModelConfiguration(name: "Cloud", entityNames: ["Item"])])
    let layout = SQLStoreLayout(of: try EntityHierarchy(try #require(model.restricted(toConfiguration: "Cloud"))))
    #expect(layout.entityNumbers.map(\.name) == ["Item"])
    #expect(
      layout.tables.map(\.createStatement) == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )"
      ])
    #expect(
      layout.warnings.map(\.description) == [
        "relationship Item.cache is not stored, because there is no entity Cache"
      ])
  }

  @Test func compositeAttributesAreStoredByTheirElementsNamedAfterThemAlone() throws {
    let place = AttributeDescription(
      name: "place", type: .composite,
      elements: [
        AttributeDescription(name: "latitude", type: .double), AttributeDescription(name: "name", type: .string),
      ])
    let layout = try SQLStoreLayout(
      of: EntityHierarchy(
        ManagedObjectModel(entities: [
          EntityDescription(
            name: "Shop", attributes: [AttributeDescription(name: "name", type: .string), place])
        ])))
    #expect(
      layout.tables.map(\.createStatement) == [
        "CREATE TABLE ZSHOP ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLATITUDE FLOAT, "
          + "ZNAME VARCHAR, ZNAME1 VARCHAR )"
      ])
    #expect(
      layout.column(ofAttribute: PropertyAddress(entity: "Shop", property: "place.latitude"))?.name
        == "ZLATITUDE")
    #expect(layout.column(ofAttribute: PropertyAddress(entity: "Shop", property: "place.name"))?.name == "ZNAME1")
    #expect(layout.warnings == [])
  }

  @Test func knownNumbersOfAStoreGoIntoTheNames() throws {
    let model = [
      EntityDescription(name: "Base"), EntityDescription(name: "Leaf", superentityName: "Base"),
      EntityDescription(
        name: "User", relationships: [RelationshipDescription(name: "base", destinationEntityName: "Base", maxCount: 1)]
      ),
    ]
    let layout = try SQLStoreLayout(
      of: EntityHierarchy(ManagedObjectModel(entities: model)), entityNumbers: ["Base": 7, "Leaf": 8, "User": 2])
    #expect(layout.table(ofEntity: "User")?.columns.map(\.name).last == "Z7_BASE")
    #expect(layout.entityNumbers.map(\.number) == [2, 7, 8])
  }

  @Test(arguments: [
    ("Z_PK", "Z_PK", "\"Z_PK\""), ("ZA B", "\"ZA B\"", "\"ZA B\""), ("ZÄ", "\"ZÄ\"", "\"ZÄ\""),
    ("Z\"; DROP", "\"Z\"\"; DROP\"", "\"Z\"\"; DROP\""), ("select", "\"select\"", "\"select\""), ("", "\"\"", "\"\""),
  ])
  func identifiersAreQuotedWhereTheyMust(name: String, asCoreDataWrites: String, quoted: String) {
    #expect(SQLIdentifier(name).asCoreDataWrites == asCoreDataWrites)
    #expect(SQLIdentifier(name).quoted == quoted)
  }
}
