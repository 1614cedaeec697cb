import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("A migration that is stopped leaves the store as it was")
struct InterruptionTests {
  /// Every row is rewritten, links move into a join table, an index is made.
  private static func store(journal: String = "WAL") throws -> VersionedStore {
    let store = try VersionedStore(
      [
        ManagedObjectModel(entities: [
          .entity("Customer", [], [.toMany("orders", "Order", inverse: "customer")]),
          .entity("Order", [.optional("size", .integer32)], [.toOne("customer", "Customer", inverse: "orders")]),
        ]),
        ManagedObjectModel(entities: [
          .entity("Customer", [], [.toMany("orders", "Order", inverse: "customer")]),
          .entity("Order", [.optional("size", .double)], [.toMany("customer", "Customer", inverse: "orders")]),
        ]),
      ], rows: 6_000)
    if journal != "WAL" {
      let queue = try DatabaseQueue(path: store.path)
      try queue.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(journal)") }
      try queue.close()
    }
    return store
  }

  /// Counts questions and says yes to all after a number of them.
  private final class Stop: Sendable {
    private let asked = Guarded(0)
    private let limit: Int

    init(after limit: Int) { self.limit = limit }

    var count: Int { asked.withLock { $0 } }

    func isWanted() -> Bool {
      asked.withLock {
        $0 += 1
        return $0 > limit
      }
    }
  }

  @Test("at every moment of a check", arguments: MigrationStrategy.allCases, ["WAL", "DELETE"])
  func interrupted(strategy: MigrationStrategy, journal: String) throws {
    let store = try Self.store(journal: journal)
    let before = try store.files()
    let never = Stop(after: .max)
    let copy = try store.copy()
    let options = MigrationOptions(strategy: strategy)
    _ = try copy.migrator(to: 1, options).migrate(isInterrupted: never.isWanted)
    try #require(never.count > 20)
    for limit in stride(from: 0, to: never.count, by: max(1, never.count / 40)) {
      let stop = Stop(after: limit)
      #expect(throws: StoreError.interrupted(path: store.path), "question \(limit) of \(never.count)") {
        try store.migrator(to: 1, options).migrate(isInterrupted: stop.isWanted)
      }
      #expect(try store.files() == before, "question \(limit) of \(never.count)")
    }
  }

  @Test("a connection that has the store open keeps it from being migrated", arguments: MigrationStrategy.allCases)
  func heldByReader(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let app = try DatabaseQueue(path: store.path)
    _ = try app.read { try Row.fetchAll($0, sql: "SELECT * FROM ZORDER") }
    let before = try store.files()
    #expect(throws: StoreError.heldByAnotherProcess(path: store.path)) {
      try store.migrator(to: 1, MigrationOptions(strategy: strategy), busyTimeout: 0.1).migrate()
    }
    #expect(try store.files() == before)
    try app.close()
  }

  @Test("a writer with a rollback journal keeps it from being migrated", arguments: MigrationStrategy.allCases)
  func heldByWriter(strategy: MigrationStrategy) throws {
    let store = try Self.store(journal: "DELETE")
    let app = try DatabaseQueue(path: store.path)
    try app.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE; UPDATE ZORDER SET ZSIZE = 1")
      let before = try store.files()
      #expect(throws: StoreError.heldByAnotherProcess(path: store.path)) {
        try store.migrator(to: 1, MigrationOptions(strategy: strategy), busyTimeout: 0.1).migrate()
      }
      #expect(try store.files() == before)
      try database.execute(sql: "ROLLBACK")
    }
    try app.close()
  }
}
