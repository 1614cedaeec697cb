import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// Stores that are migrated with one finder of ways share plans; each must get what it would get alone.
@Suite("Shared plans")
struct SharedPlanTests {
  /// The differences of a store from another store with the same plan, except its rows' values.
  private static let differences = [
    "SELECT 1",
    "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE) VALUES (9, 1, 1, 'i', 9)",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 77 WHERE Z_NAME = 'Event'",
    "DELETE FROM ZEVENT",
    "CREATE TABLE ADDRESSES (x)",
    "CREATE INDEX OWN ON ZEVENT (ZTITLE)",
    "CREATE VIEW TITLES AS SELECT ZTITLE FROM ZEVENT",
    "ALTER TABLE ZEVENT ADD COLUMN EXTRA VARCHAR",
    "UPDATE Z_METADATA SET Z_UUID = 'F0E1D2C3-0000-4000-8000-000000000001'",
  ]

  private static func store() throws -> VersionedStore {
    try VersionedStore(
      [.entity("Event", [.optional("title"), .optional("size", .integer32)])],
      [.entity("Event", [.optional("name", was: "title"), .required("size", .integer32)])],
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2)")
  }

  /// A migrator with a path finder that other migrators use too.
  private static func migrator(
    _ store: VersionedStore, _ pathFinder: MigrationPathFinder, _ options: MigrationOptions = MigrationOptions(),
    now: Double = 0, versions: [LoadedVersion]
  ) -> StoreMigrator {
    StoreMigrator(
      MigrationRequest(
        path: store.path, versions: versions, destination: versions[versions.count - 1], pathFinder: pathFinder,
        options: options, now: now, keepsBackup: false))
  }

  @Test("A plan that was made for other stores is the plan of the store", arguments: MigrationStrategy.allCases)
  func plans(strategy: MigrationStrategy) throws {
    let first = try Self.store()
    let pathFinder = MigrationPathFinder()
    let options = MigrationOptions(strategy: strategy)
    for difference in Self.differences + Self.differences {
      let store = try first.copy()
      try store.execute(difference)
      let shared = try Self.migrator(store, pathFinder, options, versions: first.versions).plan()
      let alone = try Self.migrator(store, MigrationPathFinder(), options, versions: first.versions).plan()
      #expect(shared.prepared.stages.map(\.plan) == alone.prepared.stages.map(\.plan), "\(difference)")
      #expect(shared.prepared.uuid == alone.prepared.uuid)
      #expect(shared.prepared.notes == alone.prepared.notes, "\(difference)")
      let outcome = try Self.migrator(store, pathFinder, options, versions: first.versions).migrate()
      #expect(outcome.result == .migrated)
    }
  }

  @Test("Blockers are checked in each store's rows, independently of other stores")
  func blocked() throws {
    let (sound, empty) = (try Self.store(), try Self.store())
    try empty.execute("UPDATE ZEVENT SET ZSIZE = NULL WHERE Z_PK = 2")
    let pathFinder = MigrationPathFinder()
    for _ in 0..<2 {
      let other = try sound.copy()
      #expect(try Self.migrator(other, pathFinder, versions: sound.versions).migrate().result == .migrated)
      let copy = try empty.copy()
      let before = try copy.files()
      #expect(throws: MigrationBlocked.self) {
        try Self.migrator(copy, pathFinder, versions: sound.versions).migrate()
      }
      #expect(try copy.files() == before)
    }
  }

  @Test("Consent to a loss is needed only if a store has such data")
  func losses() throws {
    let poor = try VersionedStore(
      [.entity("Event", [.optional("title"), .optional("place")])], [.entity("Event", [.optional("title")])],
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')")
    let rich = try poor.copy()
    try rich.execute("UPDATE ZEVENT SET ZPLACE = 'here'")
    let pathFinder = MigrationPathFinder()
    #expect(try Self.migrator(poor, pathFinder, versions: poor.versions).migrate().result == .migrated)
    #expect(throws: MigrationBlocked.self) { try Self.migrator(rich, pathFinder, versions: poor.versions).migrate() }
    let consent = MigrationOptions(allowedLosses: ["Event.place"])
    #expect(try Self.migrator(rich, pathFinder, consent, versions: poor.versions).migrate().result == .migrated)
  }

  @Test("now() is the moment of each store, and a mapping without it shares its plan")
  func moments() throws {
    let store = try VersionedStore(
      [.entity("Event", [.optional("title")])],
      [.entity("Event", [.optional("title"), .optional("seen", .date)])],
      "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a')")
    let mapped = EntityMapping(
      name: "EventToEvent", kind: .copy, source: "Event", destination: "Event",
      attributeMappings: [
        PropertyMapping(name: "title", value: .expression(.keyPath(["title"], of: .variable("source")))),
        PropertyMapping(name: "seen", value: .expression(.function("now", []))),
      ])
    let mapping = KnownMapping(
      path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
      model: MappingModel(entityMappings: [mapped]))
    let pathFinder = MigrationPathFinder(mappings: [mapping])
    for now in [1_000.5, 2_000.5, 3_000.5] {
      let copy = try store.copy()
      _ = try Self.migrator(copy, pathFinder, now: now, versions: store.versions).migrate()
      #expect(try copy.rows("SELECT ZSEEN FROM ZEVENT") == ["\(now)"])
    }
  }
}
