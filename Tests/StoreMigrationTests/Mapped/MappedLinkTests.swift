import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Relationships of every form along a mapping model.
struct MappedLinkTests {
  @Test("many-to-many links keep both orders, whichever side is mapped")
  func manyToMany() throws {
    func model(_ a: String, _ b: String) -> [EntityDescription] {
      [
        .entity(a, [.optional("n", .integer32)], [.toMany("many", b, inverse: "others", ordered: true)]),
        .entity(b, [.optional("n", .integer32)], [.toMany("others", a, inverse: "many", ordered: true)]),
      ]
    }
    let store = try VersionedStore(
      [ManagedObjectModel(entities: model("Tag", "Post")), ManagedObjectModel(entities: model("Zag", "Article"))],
      rows: 6)
    let graph = try store.content(at: 0).graph
    for sides in [[true, false], [false, true], [true, true]] {
      let after = try store.mapped(
        by: MappingModel(entityMappings: [
          .map(
            "Tag", "Zag", ["n": .source("n")],
            sides[0] ? ["many": .made(by: "PostToArticle", of: .source("many"))] : [:]),
          .map(
            "Post", "Article", ["n": .source("n")],
            sides[1] ? ["others": .made(along: "others", of: .source("others"))] : [:]),
        ]))
      let result = try after.content(at: 1).graph
      #expect(result.orders["Zag.many"] == graph.orders["Tag.many"])
      #expect(result.orders["Article.others"] == graph.orders["Post.others"])
    }
  }

  @Test("two objects created from one object are adjacent in an order, in the order of their links")
  func copiesInOrder() throws {
    func model(_ a: String, _ b: String) -> [EntityDescription] {
      [
        .entity(a, [], [.toMany("many", b, inverse: "others", ordered: true)]),
        .entity(b, [], [.toMany("others", a, inverse: "many", ordered: true)]),
      ]
    }
    let store = try VersionedStore(
      [ManagedObjectModel(entities: model("Tag", "Post")), ManagedObjectModel(entities: model("Zag", "Article"))],
      rows: 4)
    let graph = try store.content(at: 0).graph
    let after = try store.mapped(
      by: MappingModel(entityMappings: [
        .map("Tag", "Zag", [:], ["many": .made(by: "Second", of: .source("many"))]),
        .map("Post", "Article", named: "First", [:], ["others": .made(by: "TagToZag", of: .source("others"))]),
        .map("Post", "Article", named: "Second"),
      ]))
    let orders = try #require(graph.orders["Tag.many"])
    let copied = orders.mapValues { posts in posts.flatMap { [$0 + 4, $0] } }
    #expect(orders.values.contains { $0.count > 1 })
    #expect(try after.content(at: 1).graph.orders["Zag.many"] == copied)
  }

  @Test("a relationship that is its own inverse keeps its links in both directions, under new keys too")
  func reflexive() throws {
    let store = try VersionedStore(
      [.entity("User", [.optional("n", .integer32)], [.toMany("friends", "User", inverse: "friends")])],
      [
        .entity("Base", [.optional("n", .integer32)]),
        .entity("Member", under: "Base", [], [.toMany("friends", "Member", inverse: "friends")]),
      ], rows: 5)
    let after = try store.mapped(
      by: MappingModel(entityMappings: [
        .map("User", "Base", ["n": .source("n")]),
        .map(
          "User", "Member", named: "Second", ["n": .source("n")],
          ["friends": .made(by: "Second", of: .source("friends"))]),
      ]))
    let before = try store.content(at: 0).graph.links["User.friends"] ?? []
    #expect(!before.isEmpty)
    #expect(
      try after.content(at: 1).graph.links["Member.friends"]
        == Set(before.map { ObjectGraph.Link(near: $0.near + 5, far: $0.far + 5) }))
  }

  @Test("several candidates for a to-one name their rows and may be limited to the first")
  func severalCandidates() throws {
    let store = try VersionedStore(
      [
        .entity("Box", [], [.toMany("things", "Thing", inverse: "box")]),
        .entity("Thing", [], [.toOne("box", "Box", inverse: "things")]),
      ],
      [.entity("Box", [], [.toOne("thing", "Thing", inverse: nil)]), .entity("Thing")],
      "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1)",
      "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZBOX) VALUES (1, 2, 1, 2), (2, 2, 1, 2), (3, 2, 1, 1)")
    let mapping = MappingModel(entityMappings: [
      .map("Box", "Box", [:], ["thing": .made(by: "ThingToThing", of: .source("things"))]), .map("Thing", "Thing"),
    ])
    #expect(try store.mappingBlockers(mapping) == ["Box.thing 134110 1 [2]"])
    let after = try store.mapped(by: mapping, MigrationOptions(keepsFirst: ["Box.thing"]))
    #expect(try after.rows("SELECT Z_PK, ZTHING FROM ZBOX ORDER BY 1") == ["1|3", "2|1"])
  }

  @Test("key paths over several objects, and conditions, choose whose objects a relationship gets")
  func keyPaths() throws {
    let store = try VersionedStore(
      [
        .entity("City", [], [.toMany("streets", "Street", inverse: "city")]),
        .entity(
          "Street", [], [.toOne("city", "City", inverse: "streets"), .toMany("houses", "House", inverse: "street")]),
        .entity("House", [.optional("n", .integer32)], [.toOne("street", "Street", inverse: "houses")]),
      ],
      [
        .entity("City", [], [.toMany("houses", "House", inverse: "city")]),
        .entity("House", [], [.toOne("city", "City", inverse: "houses")]),
      ], "INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
      "INSERT INTO ZSTREET (Z_PK, Z_ENT, Z_OPT, ZCITY) VALUES (1, 3, 1, 1), (2, 3, 1, NULL)",
      "INSERT INTO ZHOUSE (Z_PK, Z_ENT, Z_OPT, ZSTREET, ZN) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 2, 2), (3, 2, 1, 1, 3)")
    let houses = EntityMapping.map("House", "House")
    let collected = try store.mapped(
      by: MappingModel(
        entityMappings: [
          .map(
            "City", "City", [:],
            ["houses": .made(by: "HouseToHouse", of: .source("streets", "@distinctUnionOfSets", "houses"))]), houses,
        ], droppedData: ["Street", "House.n", "House.street"]))
    #expect(try collected.rows("SELECT Z_PK, ZCITY FROM ZHOUSE ORDER BY 1") == ["1|1", "2|-", "3|1"])
    let chosen = EntityMapping.map(
      "House", "House", [:],
      [
        "city": .conditional(
          .compare(.source("n"), .greater, .number(1)), then: .made(by: "CityToCity", of: .source("street", "city")),
          else: .null)
      ])
    let conditional = try store.mapped(
      by: MappingModel(entityMappings: [.map("City", "City"), chosen], droppedData: ["Street", "House.n"]))
    #expect(try conditional.rows("SELECT Z_PK, ZCITY FROM ZHOUSE ORDER BY 1") == ["1|-", "2|-", "3|1"])
  }

  @Test("a look-up in a mapping of other objects finds nothing, as in Core Data, and its links need consent")
  func otherMapping() throws {
    let entities: [EntityDescription] = [
      .entity("Note", [.optional("text")], [.toOne("owner", "User", inverse: "notes")]),
      .entity("User", [.optional("name")], [.toMany("notes", "Note", inverse: "owner")]),
    ]
    let store = try VersionedStore(
      entities, entities,
      "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'Ada')",
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZOWNER) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', NULL)")
    let mapping = MappingModel(entityMappings: [
      .map("Note", "Note", ["text": .source("text")], ["owner": .made(by: "NoteToNote", of: .source("owner"))]),
      .map("User", "User", ["name": .source("name")]),
    ])
    #expect(try store.mappingBlockers(mapping) == ["Note.owner: 1"])
    let after = try store.mapped(by: mapping, MigrationOptions(allowedLosses: ["Note.owner"]))
    #expect(try after.rows("SELECT Z_PK, ZTEXT, ZOWNER FROM ZNOTE") == ["1|a|-", "2|b|-"])
  }

  @Test("with two mappings into one entity, a look-up in one finds no object of the other")
  func twoMappingsIntoOne() throws {
    let store = try VersionedStore(
      [
        .entity("Animal", [.optional("name")]), .entity("Dog", under: "Animal"),
        .entity("House", [], [.toOne("pet", "Animal", inverse: nil)]),
      ],
      [.entity("House", [], [.toOne("pet", "Pet", inverse: nil)]), .entity("Pet", [.optional("name")])],
      "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Tom'), (2, 2, 1, 'Rex')",
      "INSERT INTO ZHOUSE (Z_PK, Z_ENT, Z_OPT, ZPET) VALUES (1, 3, 1, 1), (2, 3, 1, 2)")
    let mapping = MappingModel(entityMappings: [
      .map("Animal", "Pet", ["name": .source("name")]), .map("Dog", "Pet", ["name": .source("name")]),
      .map("House", "House", [:], ["pet": .made(by: "AnimalToPet", of: .source("pet"))]),
    ])
    #expect(try store.mappingBlockers(mapping) == ["House.pet: 1"])
    let after = try store.mapped(by: mapping, MigrationOptions(allowedLosses: ["House.pet"]))
    #expect(try after.rows("SELECT Z_PK, ZNAME FROM ZPET ORDER BY 1") == ["1|Tom", "2|Rex"])
    #expect(try after.rows("SELECT Z_PK, ZPET FROM ZHOUSE ORDER BY 1") == ["1|1", "2|-"])
  }
}
