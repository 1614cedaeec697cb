import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("A migration that fails leaves the store as it was")
struct FailureTests {
  private static func store(rows: Int = 50) throws -> VersionedStore {
    try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Order", [.optional("note"), .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [
          .entity("Order", [.optional("note"), .required("size", .integer32, default: .integer(1))])
        ]),
      ], rows: rows)
  }

  private func expectFailure(
    of store: VersionedStore, _ strategy: MigrationStrategy, _ check: (any Error) -> Bool
  ) throws {
    let before = try store.files()
    do {
      _ = try store.migrator(to: 1, MigrationOptions(strategy: strategy)).migrate()
      Issue.record("it migrated")
    } catch {
      #expect(check(error), "\(error)")
    }
    #expect(try store.files() == before)
  }

  @Test(
    "in a folder that may not be written",
    .enabled(if: ProtectedFolder.isPossible, "this user may write everywhere, and chattr does not work here"),
    arguments: MigrationStrategy.allCases)
  func readOnlyFolder(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let protection = ProtectedFolder(store.directory)
    defer { protection.lift() }
    try expectFailure(of: store, strategy) { $0 as? StoreError == .readOnlyFolder(path: store.path) }
  }

  @Test(
    "on a full disk", .enabled(if: SmallDisk.isPossible, "only a superuser can mount a small disk"),
    arguments: MigrationStrategy.allCases)
  func fullDisk(strategy: MigrationStrategy) throws {
    let store = try Self.store(rows: 12_000)
    let size = try #require(try store.files()["Store.sqlite"]?.count)
    let disk = try SmallDisk(kilobytes: size / 1024 + 100)
    defer { disk.unmount() }
    let path = disk.url.appendingPathComponent("Store.sqlite").path
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    var request = store.migrator(to: 1, MigrationOptions(strategy: strategy)).request
    request.path = path
    do {
      _ = try StoreMigrator(request).migrate()
      Issue.record("it migrated")
    } catch let error as StoreError {
      #expect(error == .diskFull(path: path))
    } catch let error as MigrationError {
      guard case .notEnoughSpace = error else {
        Issue.record(error)
        return
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["Store.sqlite"])
  }

  @Test(
    "on a full disk, which is not reported if rows block, also if a second connection counts them",
    .enabled(if: SmallDisk.isPossible, "only a superuser can mount a small disk"),
    arguments: MigrationStrategy.allCases)
  func blockedOnFullDisk(strategy: MigrationStrategy) throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note"), .optional("size", .integer32)])],
      [.entity("Order", [.optional("size", .integer32)])], rows: 60_000)
    let size = try #require(try store.files()["Store.sqlite"]?.count)
    // A smaller one is counted on one connection.
    try #require(size >= 1 << 20)
    let disk = try SmallDisk(kilobytes: size / 1024 + 100)
    defer { disk.unmount() }
    let path = disk.url.appendingPathComponent("Store.sqlite").path
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    var request = store.migrator(to: 1, MigrationOptions(strategy: strategy)).request
    request.path = path
    #expect {
      try StoreMigrator(request).migrate()
    } throws: { error in
      (error as? MigrationBlocked)?.losses.map { "\($0.loss.loss.element)" } == ["Order.note"]
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["Store.sqlite"])
  }

  @Test("when the result is not sound", arguments: MigrationStrategy.allCases)
  func verificationFails(strategy: MigrationStrategy) throws {
    let store = try VersionedStore(
      [.entity("Person", [.optional("name")])], [.entity("Person", [.optional("name"), .optional("note")])], "",
      "DROP TABLE ZPERSON; CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME BLOB)")
    try expectFailure(of: store, strategy) { error in
      guard case .verificationFailed(_, let findings) = error as? MigrationError else { return false }
      return findings.map(\.description) == ["column ZPERSON.ZNAME is declared BLOB instead of VARCHAR"]
    }
  }

  @Test("when a statement breaks a rule that the app made", arguments: MigrationStrategy.allCases)
  func statementFails(strategy: MigrationStrategy) throws {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note")])], [.entity("Order", [.required("note", default: .string("-"))])],
      "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1)",
      "CREATE UNIQUE INDEX appOnly ON ZORDER (ZNOTE)")
    try expectFailure(of: store, strategy) { error in
      guard case .sqlite = error as? StoreError else { return false }
      return "\(error)".contains("UNIQUE")
    }
  }
}

/// A disk of a few hundred kilobytes.
struct SmallDisk {
  let url: URL
  private let folder: TemporaryFolder

  init(kilobytes: Int) throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    guard Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path]) else { throw NotMounted() }
  }

  func unmount() { _ = Self.run("umount", [url.path]) }

  struct NotMounted: Error {}

  static let isPossible: Bool = {
    guard let disk = try? SmallDisk(kilobytes: 64) else { return false }
    disk.unmount()
    return true
  }()

  private static func run(_ name: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
