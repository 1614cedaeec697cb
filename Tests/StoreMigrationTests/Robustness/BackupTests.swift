import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// The default for keeping a backup.
@Suite("Backups")
struct BackupTests {
  private static let former = [EntityDescription.entity("Item", [.optional("name"), .optional("code")])]

  @Test("Also in place, only a migration with losses keeps the original", arguments: [nil, true, false])
  func loss(keeps: Bool?) throws {
    let store = try VersionedStore(Self.former, [.entity("Item", [.optional("name")])], rows: 20)
    let outcome = try store.migrator(
      MigrationOptions(strategy: .inPlace, allowedLosses: ["Item.code"]), keepsBackup: keeps
    ).migrate()
    #expect(outcome.strategy == .inPlace)
    #expect((outcome.backup != nil) == (keeps != false))
    #expect(outcome.backupAbsence == (keeps == false ? .declined : nil))
    if let backup = outcome.backup { #expect(FileManager.default.fileExists(atPath: backup)) }
  }

  @Test("Consent to a loss of which there is none keeps no backup", arguments: [true, false])
  func nothingLost(isRemoved: Bool) throws {
    let latter = isRemoved ? [.optional("name")] : Self.former[0].attributes + [.optional("more")]
    let store = try VersionedStore(
      Self.former, [.entity("Item", latter)], rows: 20, "UPDATE ZITEM SET ZCODE = NULL")
    let outcome = try store.migrator(
      MigrationOptions(strategy: .inPlace, allowedLosses: ["Item.code"]), keepsBackup: nil
    ).migrate()
    #expect(outcome.backup == nil && outcome.backupAbsence == .nothingLost)
  }

  @Test("Data that a mapping file drops is lost, and noted with its amount", arguments: [true, false])
  func stated(isFull: Bool) throws {
    let store = try VersionedStore(
      Self.former, [.entity("Item", [.optional("name")])], rows: 20, isFull ? "" : "UPDATE ZITEM SET ZCODE = NULL")
    store.mappings = [
      KnownMapping(
        path: "v1-v2.xml", source: store.versions[0], destination: store.versions[1],
        model: MappingModel(
          entityMappings: [.map("Item", "Item", ["name": .source("name")])], droppedData: ["Item.code"]))
    ]
    let migrator = store.migrator(MigrationOptions(strategy: .inPlace), keepsBackup: nil)
    let prepared = try migrator.plan().prepared
    let notes = prepared.stages.flatMap(\.plan.notes).map(\.description)
    let count = try store.rows("SELECT COUNT(ZCODE) FROM ZITEM")[0]
    #expect(notes == (isFull ? ["\(count) values are lost: no expression reads the values of Item.code"] : []))
    let outcome = try migrator.migrate()
    #expect((outcome.backup != nil) == isFull)
    #expect(outcome.backupAbsence == (isFull ? nil : .nothingLost))
  }

  @Test("Rows that an option removes are lost")
  func duplicates() throws {
    let latter = [EntityDescription.entity("Item", [.optional("name"), .optional("code")], unique: [["code"]])]
    let store = try VersionedStore(Self.former, latter, rows: 20, "UPDATE ZITEM SET ZCODE = 'a'")
    let outcome = try store.migrator(
      MigrationOptions(strategy: .inPlace, duplicatePolicies: ["Item": .keepNewest]), keepsBackup: nil
    ).migrate()
    #expect(outcome.backup != nil)
    #expect(outcome.rows?["Item"] == 1)
  }
}
