import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import Testing

/// Splits, merges, filters and inheritance: which objects are made, under which keys.
struct MappedEntityTests {
  @Test("a split makes two objects of one and links them")
  func split() throws {
    let store = try VersionedStore(
      [.entity("Employee", [.optional("name"), .optional("company")])],
      [
        .entity("Company", [.optional("name")], [.toMany("employees", "Employee", inverse: "company")]),
        .entity("Employee", [.optional("name")], [.toOne("company", "Company", inverse: "employees")]),
      ],
      "INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOMPANY) VALUES (1, 1, 3, 'Ada', 'A'), (4, 1, 2, 'Bob', NULL)"
    )
    let after = try store.mapped(
      by: MappingModel(entityMappings: [
        .map(
          "Employee", "Employee", ["name": .source("name")],
          ["company": .made(by: "EmployeeToCompany", of: .source())]),
        .map(
          "Employee", "Company", filter: .compare(.key("company"), .notEqual, .null), ["name": .source("company")]),
      ]))
    #expect(try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZCOMPANY") == ["1|1|1|A"])
    #expect(
      try after.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCOMPANY, ZNAME FROM ZEMPLOYEE ORDER BY 1") == [
        "1|2|1|1|Ada", "4|2|1|-|Bob",
      ])
    #expect(try after.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == ["Company|4", "Employee|4"])
  }

  @Test("a merge keeps the keys of the first mapping and those of the second that are free; others are numbered on")
  func merge() throws {
    let store = try VersionedStore(
      [
        .entity("Cat", [.optional("name")], [.toOne("friend", "Dog", inverse: "friends")]),
        .entity("Dog", [.optional("name")], [.toMany("friends", "Cat", inverse: "friend")]),
      ],
      [
        .entity(
          "Pet", [.optional("name"), .required("kind", default: .string("?"))],
          [.toOne("friend", "Pet", inverse: "friends"), .toMany("friends", "Pet", inverse: "friend")])
      ],
      "INSERT INTO ZCAT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFRIEND) VALUES (1, 1, 1, 'C1', 2), (2, 1, 1, 'C2', 3), (7, 1, 1, 'C7', 1)",
      "INSERT INTO ZDOG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'D1'), (2, 2, 1, 'D2'), (3, 2, 1, 'D3')")
    let mapping = MappingModel(entityMappings: [
      .map(
        "Cat", "Pet", ["name": .source("name"), "kind": .text("cat")],
        ["friend": .made(by: "DogToPet", of: .source("friend"))]),
      .map("Dog", "Pet", ["name": .source("name")], ["friends": .made(by: "CatToPet", of: .source("friends"))]),
    ])
    let after = try store.mapped(by: mapping)
    #expect(
      try after.rows("SELECT Z_PK, ZFRIEND, ZKIND, ZNAME FROM ZPET ORDER BY 1") == [
        "1|9|cat|C1", "2|3|cat|C2", "3|-|?|D3", "7|8|cat|C7", "8|-|?|D1", "9|-|?|D2",
      ])
    #expect(try after.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["9"])
  }

  @Test("a mapping reads exactly its source entity; sub-entities have mappings of their own")
  func inheritance() throws {
    let before: [EntityDescription] = [
      .entity("Animal", [.optional("name")], [.toOne("home", "Place", inverse: "animals")]),
      .entity("Cat", under: "Animal", [.optional("colour")]),
      .entity("Place", [], [.toMany("animals", "Animal", inverse: "home", ordered: true)]),
    ]
    let after: [EntityDescription] = [
      .entity("Creature", [.optional("title")], [.toOne("home", "Place", inverse: "creatures")]),
      .entity("Feline", under: "Creature", [.optional("colour")]),
      .entity("Place", [], [.toMany("creatures", "Creature", inverse: "home", ordered: true)]),
    ]
    let store = try VersionedStore(
      before, after, "INSERT INTO ZPLACE (Z_PK, Z_ENT, Z_OPT) VALUES (5, 3, 1)",
      """
      INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZHOME, Z_FOK_HOME, ZNAME, ZCOLOUR)
      VALUES (1, 1, 1, 5, 3072, 'a', NULL), (2, 2, 1, 5, 1024, 'b', 'red'), (3, 1, 1, NULL, NULL, 'c', NULL)
      """)
    let mapping = MappingModel(entityMappings: [
      .map(
        "Animal", "Creature", ["title": .source("name")], ["home": .made(by: "PlaceToPlace", of: .source("home"))]),
      .map(
        "Cat", "Feline", ["title": .source("name"), "colour": .source("colour")],
        ["home": .made(by: "PlaceToPlace", of: .source("home"))]),
      .map("Place", "Place", [:], ["creatures": .made(along: "animals", of: .source("animals"))]),
    ])
    let migrated = try store.mapped(by: mapping)
    #expect(
      try migrated.rows("SELECT Z_PK, Z_ENT, ZHOME, Z_FOK_HOME, ZTITLE, ZCOLOUR FROM ZCREATURE ORDER BY 1") == [
        "1|1|5|3072|a|-", "2|2|5|1024|b|red", "3|1|-|-|c|-",
      ])
    let alone = MappingModel(entityMappings: [.map("Animal", "Creature", ["title": .source("name")])])
    #expect(try store.mappingBlockers(alone) == ["Cat: 1", "Place: 1"])
  }
}
