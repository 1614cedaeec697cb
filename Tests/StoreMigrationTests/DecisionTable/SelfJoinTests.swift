import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

@Suite("Join tables with both ends on one entity")
struct SelfJoinTests {
  private static func person(_ attributes: String...) -> EntityDescription {
    EntityDescription(
      name: "Person", attributes: attributes.map { .optional($0) },
      relationships: [
        .toMany("followers", "Person", inverse: "following"), .toMany("following", "Person", inverse: "followers"),
      ])
  }

  /// A store with two rows and a link, whose table is named after `following`, which modelctl would not do; with a cached
  /// model it is one of Core Data's.
  private static func store(
    _ versions: [[EntityDescription]], cached: Bool = true
  ) throws -> VersionedStore {
    let store = try VersionedStore(versions.map { ManagedObjectModel(entities: $0) })
    try store.execute(
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
      INSERT INTO Z_1FOLLOWERS (Z_1FOLLOWING, Z_1FOLLOWERS) VALUES (1, 2);
      ALTER TABLE Z_1FOLLOWERS RENAME TO Z_1FOLLOWING;
      """)
    if cached { try store.execute("INSERT INTO Z_MODELCACHE VALUES (x'00')") }
    try store.settlePrimaryKeys()
    return store
  }

  @Test("the name is kept if the entity has the same properties; the number changes")
  func sameProperties() throws {
    let store = try Self.store([[Self.person("name")], [.entity("Account"), Self.person("name")]])
    #expect(try store.migrator().plan().prepared.selfJoins.map(\.evidence) == [.store])
    let outcome = try store.migrator().migrate()
    #expect(outcome.notes == [])
    #expect(try store.rows("SELECT Z_2FOLLOWING, Z_2FOLLOWERS FROM Z_2FOLLOWING") == ["1|2"])
  }

  @Test("so it does where the entity had other properties on the way")
  func samePropertiesInTheEnd() throws {
    let store = try Self.store([
      [Self.person("name")], [Self.person("name", "age")], [.entity("Account"), Self.person("name")],
    ])
    #expect(try store.migrator().plan().prepared.selfJoins.map(\.evidence) == [.store])
  }

  @Test("with other properties both orders decide where they agree")
  func agreement() throws {
    let store = try Self.store([[Self.person("name")], [Self.person("note")]])
    var options = MigrationOptions()
    options.allowedLosses = ["Person.name"]
    #expect(try store.migrator(options).plan().prepared.selfJoins.map(\.evidence) == [.agreement])
    #expect(try store.migrator(options).migrate().notes == [])
    #expect(try store.rows("SELECT Z_1FOLLOWING, Z_1FOLLOWERS FROM Z_1FOLLOWERS") == ["1|2"])
  }

  private static let guess = """
    the name of the join table of Person.followers/following is a guess: Z_1FOLLOWERS. If Core Data expects \
    Z_1FOLLOWING instead, your app cannot read this relationship; give a store that your app wrote with this version: \
    --join-names-from STORE; or record the name once: modelctl lock --store STORE
    """

  @Test("if the properties differ, the name is a guess, and the plan reports it")
  func guessed() throws {
    let store = try Self.store([[Self.person("name")], [Self.person("name", "age")]])
    let prepared = try store.migrator().plan().prepared
    #expect(prepared.notes.map(\.description) == [Self.guess])
    #expect(try store.migrator().migrate().notes.map(\.description) == [Self.guess])
    #expect(try store.rows("SELECT Z_1FOLLOWING, Z_1FOLLOWERS FROM Z_1FOLLOWERS") == ["1|2"])
    #expect(
      try store.problems(at: 1, withGuesses: true) == [
        """
        warning: Person.followers: the name Z_1FOLLOWERS of its join table is a guess; if Core Data expects \
        Z_1FOLLOWING, it cannot find the table; give a store that Core Data created, to be certain [schema]
        """
      ])
  }

  @Test("a reference takes precedence, for every entity with the same properties")
  func reference() throws {
    let store = try Self.store([[Self.person("name")], [Self.person("name", "age")]])
    let naming = PropertyAddress(entity: "Person", property: "following")
    let reference = JoinNameReference(path: "a.sqlite", hierarchy: store.versions[1].hierarchy, naming: [naming])
    var request = store.migrator().request
    request.references = [reference]
    let outcome = try StoreMigrator(request).migrate()
    #expect(outcome.notes == [])
    #expect(outcome.selfJoins.map(\.evidence) == [.reference(path: "a.sqlite")])
    #expect(try store.rows("SELECT Z_1FOLLOWING, Z_1FOLLOWERS FROM Z_1FOLLOWING") == ["1|2"])
    let reader = try StoreReader(path: store.path)
    defer { reader.close() }
    #expect(try reader.verify(against: store.versions[1].hierarchy, references: [reference]) == [])
    let other = JoinNameReference(
      path: "b.sqlite", hierarchy: store.versions[1].hierarchy,
      naming: [PropertyAddress(entity: "Person", property: "followers")])
    #expect(
      try reader.verify(against: store.versions[1].hierarchy, references: [other]).map(\.description) == [
        """
        error: Person.followers: its join table is named Z_1FOLLOWING; Core Data expects Z_1FOLLOWERS, as b.sqlite \
        shows, and cannot find it [schema]
        """
      ])
  }

  @Test("a store that modelctl wrote is not a reference, and its guess is still a guess")
  func ownStore() throws {
    let store = try Self.store([[Self.person("name", "age")], [.entity("Account"), Self.person("name", "age")]])
    #expect(try ReferenceStore.read(path: store.path).reference(for: store.versions[0]).naming.count == 1)
    #expect(throws: JoinNameReferenceError.otherVersion(path: store.path, version: "v2")) {
      try ReferenceStore.read(path: store.path).reference(for: store.versions[1])
    }
    try store.execute("DELETE FROM Z_MODELCACHE")
    #expect(throws: JoinNameReferenceError.notOfCoreData(path: store.path)) {
      try ReferenceStore.read(path: store.path).reference(for: store.versions[0])
    }
    #expect(try store.migrator().plan().prepared.selfJoins.map(\.evidence) == [.guess])
    _ = try store.migrator().migrate()
    #expect(try store.rows("SELECT Z_2FOLLOWING, Z_2FOLLOWERS FROM Z_2FOLLOWING") == ["1|2"])
  }
}
