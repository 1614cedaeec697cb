import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreRows
import TestSupport
import Testing

@testable import ObjectStores

@Suite("A file that takes the place of an open store keeps its bytes, and gets no log of the other")
struct MovedStoreTests {
  private static let model = ManagedObjectModel { Entity("Note") { Attribute("text", .string) } }

  private let folder: TemporaryFolder
  private var path: String { folder.path("notes.sqlite") }
  private var other: String { folder.path("other.sqlite") }

  /// Two stores of 2,000 objects; the second is ready to take the place of the first.
  init() throws {
    folder = try TemporaryFolder()
    for (number, name) in ["notes.sqlite", "other.sqlite"].enumerated() {
      let store = try ObjectStore.open(folder.path(name), model: Self.model)
      try store.write { transaction in
        for row in 0..<2_000 { _ = try transaction.insert("Note", ["text": .attribute(.string("\(number) \(row)"))]) }
      }
      try store.close()
    }
  }

  private func replace() throws {
    guard rename(other, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// The file at the path is the other store, alone, and another program can write it.
  private func checkOther(_ bytes: Data) throws {
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int
    #expect(log ?? 0 == 0, "a log of \(log ?? 0) bytes is left")
    try? FileManager.default.removeItem(atPath: path + "-shm")
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1") }
    let found = try queue.read { database in
      (
        try String.fetchOne(database, sql: "PRAGMA integrity_check"),
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ZNOTE WHERE ZTEXT LIKE '1 %'")
      )
    }
    #expect(found.0 == "ok" && found.1 == 2_000)
    try queue.close()
  }

  @Test("During a save", arguments: [true, false])
  func save(_ isLogged: Bool) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    if !isLogged { try DatabaseQueue(path: path).inDatabase { _ = try $0.changeJournalMode(to: "DELETE") } }
    let store = try ObjectStore.open(path, model: Self.model)
    let error = #expect(throws: (any Error).self) {
      try store.write { transaction in
        for key in 1...2_000 { try transaction.update(RecordID(entity: "Note", key: Int64(key)), ["text": "changed"]) }
        try replace()
      }
    }
    // Without a log SQLite refuses to begin a journal.
    #expect(
      error as? ObjectStoreError == .replaced(path: path) || error as? StoreError == .changedWhileReading(path: path),
      "\(String(describing: error))")
    try store.close()
    try checkOther(bytes)
  }

  @Test("After a save, before the store is closed")
  func afterSave() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    let store = try ObjectStore.open(path, model: Self.model)
    try store.write { transaction in
      for key in 1...2_000 { try transaction.update(RecordID(entity: "Note", key: Int64(key)), ["text": "changed"]) }
    }
    try replace()
    try store.close()
    try checkOther(bytes)
  }

  @Test("During the transaction of an exclusive writer", arguments: [true, false])
  func writer(_ isLogged: Bool) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: other))
    if !isLogged { try DatabaseQueue(path: path).inDatabase { _ = try $0.changeJournalMode(to: "DELETE") } }
    let writer = try StoreWriter(path: path)
    #expect(throws: StoreError.changedWhileReading(path: path)) {
      try writer.transaction { database in
        try database.execute(sql: "UPDATE ZNOTE SET ZTEXT = 'changed'")
        try replace()
      }
    }
    writer.discard()
    try checkOther(bytes)
  }

  @Test("The log of a different store beside a store stays as it is if a save is refused")
  func foreignLog() throws {
    let queue = try DatabasePool(path: other)
    try queue.write { try $0.execute(sql: "UPDATE ZNOTE SET ZTEXT = ZTEXT || ' more'; DROP INDEX IF EXISTS x") }
    try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
    let before = try [path, path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(before[1].count > 0)
    do {
      let store = try ObjectStore.open(path, model: Self.model)
      defer { try? store.close() }
      try store.write { transaction in
        try transaction.update(RecordID(entity: "Note", key: 1), ["text": "changed"])
        throw CocoaError(.userCancelled)
      }
    } catch {}
    #expect(try [path, path + "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == before)
    try queue.close()
  }
}
