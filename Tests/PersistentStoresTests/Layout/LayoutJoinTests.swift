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

  @Test func theEndThatIsVisitedFirstNamesTheTable() throws {
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

  @Test func aSubentityIsVisitedUnderItsOwnNameAndBringsWhatItInherits() throws {
    let model = try hierarchy(
      EntityDescription(name: "Article", superentityName: "Work"),
      EntityDescription(name: "Tag", relationships: [toMany("works", "Work", "tags")]),
      EntityDescription(name: "Work", relationships: [toMany("tags", "Tag", "works")]))
    #expect(
      SQLStoreLayout(of: model).tables.map(\.createStatement).last
        == "CREATE TABLE Z_2TAGS ( Z_2WORKS INTEGER, Z_1TAGS INTEGER, PRIMARY KEY (Z_2WORKS, Z_1TAGS) )")
  }

  @Test func suffixesCountTheWalkOverTheWholeModel() throws {
    let owners = ["CarePlan", "Contact", "TaskBase", "Outcome", "Patient"]
    var entities = owners.map { name in
      EntityDescription(name: name, relationships: [toMany("tags", "Tag", "of\(name)")])
    }
    entities += ["HealthKitTask", "Task"].map { EntityDescription(name: $0, superentityName: "TaskBase") }
    entities.append(
      EntityDescription(name: "Tag", relationships: owners.map { toMany("of\($0)", $0, "tags") }))
    let layout = try SQLStoreLayout(of: EntityHierarchy(ManagedObjectModel(entities: entities)))
    let columns = Dictionary(
      uniqueKeysWithValues: layout.tables.compactMap { table -> (String, String)? in
        guard case .join(let naming) = table.content else { return nil }
        return (naming.entity, table.columns[1].name)
      })
    #expect(
      columns == [
        "CarePlan": "Z_5TAGS", "Contact": "Z_5TAGS1", "TaskBase": "Z_5TAGS2", "Outcome": "Z_5TAGS3",
        "Patient": "Z_5TAGS4",
      ])
    #expect(layout.warnings == [])
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

  @Test func aPairOnOneEntityIsNamedByBothOrdersWhereTheyAgree() throws {
    let model = try hierarchy(
      EntityDescription(
        name: "Client",
        relationships: [toMany("trusted", "Client", "trustedBy"), toMany("trustedBy", "Client", "trusted")]))
    let layout = SQLStoreLayout(of: model)
    #expect(
      layout.selfJoins == [
        SelfJoin(
          naming: PropertyAddress(entity: "Client", property: "trustedBy"),
          other: PropertyAddress(entity: "Client", property: "trusted"), table: "Z_1TRUSTEDBY",
          otherTable: "Z_1TRUSTED", evidence: .agreement)
      ])
    #expect(
      layout.tables.last?.createStatement
        == "CREATE TABLE Z_1TRUSTEDBY ( Z_1TRUSTED INTEGER, Z_1TRUSTEDBY INTEGER, PRIMARY KEY (Z_1TRUSTED, Z_1TRUSTEDBY) )"
    )
    #expect(layout.warnings == [])
  }

  private func post(attributes count: Int = 0) throws -> EntityHierarchy {
    try hierarchy(
      EntityDescription(
        name: "Post", attributes: (0..<count).map { AttributeDescription(name: "a\($0)", type: .string) },
        relationships: [toMany("likes", "Post", "likedBy"), toMany("likedBy", "Post", "likes")]))
  }

  @Test func whereTheOrdersDisagreeTheNameIsAGuessAndWarned() throws {
    let layout = SQLStoreLayout(of: try post())
    #expect(layout.tables.map(\.name) == ["ZPOST", "Z_1LIKES"])
    #expect(layout.selfJoins.map(\.evidence) == [.guess])
    #expect(
      layout.warnings.map(\.description) == [
        """
        the name of the join table of Post.likes/likedBy is a guess: Z_1LIKES. If Core Data expects Z_1LIKEDBY \
        instead, your app cannot read this relationship; give a store that your app wrote with this version; or record \
        the name once
        """
      ])
  }

  /// R1 and R2 disagree about all of these; with 26 and 32 properties R1 names the table after likes, with 13 R2 does.
  @Test(arguments: [
    (26, 1131, "Z_1LIKES"), (32, 1131, "Z_1LIKES"), (26, 1132, "Z_1LIKEDBY"), (32, 1132, "Z_1LIKEDBY"),
    (13, 1131, "Z_1LIKES"),
  ])
  func theGuessIsTheOneThatFitsWhatWasMeasured(properties: Int, framework: Int64, table: String) throws {
    let layout = SQLStoreLayout(
      of: try post(attributes: properties - 2), names: SelfJoinNames(frameworkVersion: framework))
    #expect(layout.selfJoins.map(\.evidence) == [.guess])
    #expect(layout.selfJoins.map(\.table) == [table])
  }

  @Test func whatIsKnownOfTheSamePropertiesHoldsWhateverTheEntityIsCalled() throws {
    var names = SelfJoinNames()
    names.add([PropertyAddress(entity: "Post", property: "likedBy")], of: try post(), as: .reference(path: "a.sqlite"))
    names.add([PropertyAddress(entity: "Post", property: "likes")], of: try post(), as: .store)
    let model = try hierarchy(
      EntityDescription(name: "Author"),
      EntityDescription(
        name: "Entry", relationships: [toMany("likes", "Entry", "likedBy"), toMany("likedBy", "Entry", "likes")]))
    let layout = SQLStoreLayout(of: model, names: names)
    #expect(layout.selfJoins.map(\.table) == ["Z_2LIKEDBY"])
    #expect(layout.selfJoins.map(\.evidence) == [.reference(path: "a.sqlite")])
    #expect(layout.warnings == [])
    #expect(SQLStoreLayout(of: try post(attributes: 1), names: names).selfJoins.map(\.evidence) == [.guess])
  }

  @Test func orderColumnsStandAsTheWalkMeetsTheirLists() throws {
    func list(_ owner: String, _ name: String) -> EntityDescription {
      EntityDescription(name: owner, relationships: [toMany(name, "Line", "of\(owner)", ordered: true)])
    }
    func toOne(_ owner: String, _ list: String) -> RelationshipDescription {
      RelationshipDescription(
        name: "of\(owner)", destinationEntityName: owner, inverseName: list, maxCount: 1)
    }
    let model = try hierarchy(
      list("Zoo", "lines"), list("Area", "rows"),
      EntityDescription(name: "Line", relationships: [toOne("Zoo", "lines"), toOne("Area", "rows")]),
      EntityDescription(name: "Atlas", superentityName: "Zoo"))
    let columns = SQLStoreLayout(of: model).table(ofEntity: "Line")?.columns.map(\.name)
    #expect(columns?.suffix(2) == ["Z_FOK_OFAREA", "Z_FOK_OFZOO"])
    let renamed = try hierarchy(
      list("Zoo", "lines"), list("Area", "rows"),
      EntityDescription(name: "Line", relationships: [toOne("Zoo", "lines"), toOne("Area", "rows")]),
      EntityDescription(name: "Alps", superentityName: "Zoo"))
    #expect(
      SQLStoreLayout(of: renamed).table(ofEntity: "Line")?.columns.map(\.name).suffix(2)
        == ["Z_FOK_OFZOO", "Z_FOK_OFAREA"])
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
