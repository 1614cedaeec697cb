import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("The files of a migrated store")
struct FilesTests {
  private static func store() throws -> VersionedStore {
    try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Order", [.optional("note"), .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [.entity("Order", [.optional("note"), .optional("size", .double)])]),
      ], rows: 50)
  }

  @Test(
    "the backup is the old store, and keepsBackup decides if there is one", arguments: MigrationStrategy.allCases,
    [nil, true, false])
  func backup(strategy: MigrationStrategy, keeps: Bool?) throws {
    let store = try Self.store()
    let before = try store.content(at: 0)
    let outcome = try store.migrator(to: 1, MigrationOptions(strategy: strategy), keepsBackup: keeps).migrate()
    let isKept = keeps ?? (strategy == .clone)
    #expect(outcome.backup == (isKept ? store.path + ".v1.backup" : nil))
    let names = try store.files().keys.sorted()
    #expect(names == ["Store.sqlite"] + (isKept ? ["Store.sqlite.v1.backup"] : []))
    guard let backup = outcome.backup else { return }
    let kept = try MigratedStore(path: backup, model: store.versions[0].hierarchy)
    #expect(kept.graph == before.graph)
    #expect(kept.schema == before.schema)
    #expect(kept.metadata.entries == before.metadata.entries)
  }

  @Test("a backup never replaces another")
  func secondBackup() throws {
    let store = try Self.store()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: store.path + ".v1.backup"))
    let outcome = try store.migrator(to: 1, MigrationOptions(strategy: .clone), keepsBackup: true).migrate()
    #expect(outcome.backup == store.path + ".v1.backup-2")
    #expect(try store.files()["Store.sqlite.v1.backup"] == Data("mine".utf8))
  }

  @Test(
    "behind a symbolic link the store itself is migrated, and the link is kept", arguments: MigrationStrategy.allCases)
  func symbolicLink(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let folder = try TemporaryFolder()
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    var request = store.migrator(to: 1, MigrationOptions(strategy: strategy)).request
    request.path = link
    _ = try StoreMigrator(request).migrate()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == store.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["link.sqlite"])
    #expect(try store.problems(at: 1) == [])
  }

  @Test("mode and owner are kept", arguments: MigrationStrategy.allCases, [0o600, 0o640, 0o666])
  func modeAndOwner(strategy: MigrationStrategy, mode: Int) throws {
    let store = try Self.store()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.path)
    let isSuperuser = getuid() == 0
    if isSuperuser {
      try FileManager.default.setAttributes([.ownerAccountID: 12, .groupOwnerAccountID: 34], ofItemAtPath: store.path)
    }
    let before = try FileManager.default.attributesOfItem(atPath: store.path)
    _ = try store.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
    let after = try FileManager.default.attributesOfItem(atPath: store.path)
    for key in [FileAttributeKey.posixPermissions, .ownerAccountID, .groupOwnerAccountID] {
      #expect(after[key] as? Int == before[key] as? Int, "\(key)")
    }
    if isSuperuser { #expect(after[.ownerAccountID] as? Int == 12) }
  }

  @Test(
    "rows that are only in the log are migrated, also without a shared index", arguments: MigrationStrategy.allCases)
  func onlyInTheLog(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let app = try DatabaseQueue(path: store.path)
    try app.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZORDER SET ZSIZE = 77") }
    let copy = try store.copy()
    try app.close()
    try FileManager.default.removeItem(atPath: copy.path + "-shm")
    _ = try copy.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
    #expect(try copy.rows("SELECT DISTINCT ZSIZE FROM ZORDER") == ["77.0"])
    let names = try copy.files().keys.sorted()
    #expect(names == ["Store.sqlite"])
  }

  @Test("a rehearsal keeps nothing", arguments: MigrationStrategy.allCases)
  func rehearsal(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let before = try store.files()
    var request = store.migrator(to: 1, MigrationOptions(strategy: strategy)).request
    request.isRehearsal = true
    #expect(try StoreMigrator(request).migrate().result == .rehearsed)
    #expect(try store.files() == before)
  }
}
