import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// A sub-entity that declares a property which it inherits: what a store keeps is the parent's.
@Suite("Properties that a sub-entity declares again")
struct OverrideStoreTests {
  private static let pets = """
    INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1);
    INSERT INTO ZHOUSE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
    """

  @Test(
    "a relationship that is declared again has the links of the parent's",
    arguments: [
      (RelationshipDescription.toMany("homes", "House", inverse: nil), "UPDATE ZHOUSE SET Z1HOMES = 2"),
      (
        .toMany("homes", "House", inverse: nil, ordered: true),
        "UPDATE ZHOUSE SET Z1HOMES = 2, Z_FOK_1HOMES = 1024 * Z_PK"
      ),
      (.toOne("homes", "House", inverse: nil), "UPDATE ZANIMAL SET ZHOMES = 2 WHERE Z_PK = 2"),
    ])
  func kept(_ homes: RelationshipDescription, links: String) throws {
    let animal = EntityDescription.entity("Animal", [], [homes])
    let house = EntityDescription.entity("House", [.optional("street")])
    let store = try VersionedStore(
      [animal, .entity("Dog", under: "Animal", [], [homes]), house],
      [animal, .entity("Dog", under: "Animal", [.optional("breed")], [homes]), house], Self.pets, links)
    let address = PropertyAddress(entity: "Dog", property: "homes")
    let storage = store.versions.map { version in
      SQLStoreLayout(of: version.hierarchy).storage(ofRelationship: address, in: version.hierarchy)
    }
    #expect(storage[0] != nil && storage[0] == storage[1])
    for after in try store.migrated() {
      let sql = homes.isToMany ? "SELECT Z1HOMES FROM ZHOUSE" : "SELECT ZHOMES FROM ZANIMAL WHERE Z_PK = 2"
      #expect(try Set(after.rows(sql)) == ["2"])
      #expect(try after.problems(at: 1) == [])
    }
  }

  @Test("a to-many with an inverse that hides another one is planned without a query that is none")
  func hiddenPair() throws {
    let animal = EntityDescription.entity("Animal", [], [.toMany("homes", "House", inverse: nil)])
    let dog = RelationshipDescription.toMany("homes", "House", inverse: "dog")
    let house = EntityDescription.entity("House", [], [.toOne("dog", "Dog", inverse: "homes")])
    let store = try VersionedStore(
      [animal, .entity("Dog", under: "Animal", [], [dog]), house], [animal, .entity("Dog", [], [dog]), house],
      Self.pets, "UPDATE ZHOUSE SET ZDOG = 2")
    for after in try store.migrated() {
      #expect(try after.rows("SELECT ZDOG FROM ZHOUSE ORDER BY Z_PK") == ["2", "2"])
      #expect(try after.problems(at: 1) == [])
    }
  }
}
