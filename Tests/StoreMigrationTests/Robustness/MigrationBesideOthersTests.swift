import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("Another process uses the store that is migrated")
struct MigrationBesideOthersTests {
  private static let insertion = """
    INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT) SELECT Z_MAX + 1, Z_ENT, 1 FROM Z_PRIMARYKEY;
    UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1
    """

  /// A store whose rows are all rewritten.
  private static func store(journal: String) throws -> VersionedStore {
    let store = try VersionedStore(
      [.entity("Order", [.optional("note"), .optional("size", .integer32)])],
      [.entity("Order", [.optional("note"), .optional("size", .double)])], rows: 300)
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(journal)") }
    try queue.close()
    return store
  }

  private static func migrate(_ store: VersionedStore, _ strategy: MigrationStrategy) throws -> StoreError? {
    do {
      _ = try store.migrator(to: 1, MigrationOptions(strategy: strategy), busyTimeout: 0.3).migrate()
      return nil
    } catch let error as StoreError {
      return error
    }
  }

  @Test(
    "Every committed row of a writer is in the migrated store",
    arguments: MigrationStrategy.allCases.flatMap { strategy in
      ["WAL", "DELETE"].flatMap { journal in
        [OtherProcess.Deed.repeat, .reopen].map { (strategy, journal, $0) }
      }
    })
  func writer(strategy: MigrationStrategy, journal: String, deed: OtherProcess.Deed) throws {
    let store = try Self.store(journal: journal)
    let other = try OtherProcess(holding: store.path, deed, sql: Self.insertion)
    Thread.sleep(forTimeInterval: 0.1)
    var refusals: [StoreError] = []
    for _ in 0..<4 {
      guard let refusal = try Self.migrate(store, strategy) else { break }
      refusals.append(refusal)
    }
    Thread.sleep(forTimeInterval: 0.1)
    let (commits, problem) = other.end()
    let keepsConnection = deed == .repeat
    if keepsConnection, journal == "WAL" || strategy == .clone { #expect(refusals.count == 4) }
    for refusal in refusals { #expect("\(refusal)".contains("process \(other.identifier) (StoreOccupant)")) }
    if refusals.count == 4 { #expect(try Self.migrate(store, strategy) == nil) }
    #expect(commits > 0)
    #expect(try store.rows("SELECT COUNT(*), MAX(Z_PK) FROM ZORDER") == ["\(300 + commits)|\(300 + commits)"])
    #expect(try store.problems(at: 1) == [])
    print("writer: \(strategy.rawValue), \(journal), \(deed): \(commits) rows, \(refusals.count) refusals, \(problem)")
  }

  @Test("A connection without any lock is found before the swap, and the file itself can be migrated")
  func idleConnection() throws {
    let store = try Self.store(journal: "DELETE")
    let other = try OtherProcess(holding: store.path, sql: "SELECT * FROM ZORDER")
    let before = try store.files()
    let refusal = try #require(try Self.migrate(store, .clone))
    #expect(
      "\(refusal)" == """
        \(store.path): a copy cannot replace the store while process \(other.identifier) (StoreOccupant) has it open, \
        because that process would keep using the old file; quit that process and try again, or change the file in \
        place, which is as safe
        """)
    #expect(try store.files() == before)
    #expect(try Self.migrate(store, .inPlace) == nil)
    other.end()
    #expect(try store.problems(at: 1) == [])
  }

  @Test("A connection that opens after the work began is found before the swap")
  func lateConnection() throws {
    let store = try Self.store(journal: "DELETE")
    let before = try store.files()
    var late: OtherProcess?
    let error = #expect(throws: StoreError.self) {
      try store.migrator(to: 1, MigrationOptions(strategy: .clone), busyTimeout: 0.1).migrate(report: { progress in
        guard progress.phase == .verifying, late == nil else { return }
        late = try? OtherProcess(holding: store.path, sql: "")
      })
    }
    guard case .openElsewhere(_, let users)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(users.map(\.processID) == [late?.identifier])
    late?.end()
    #expect(try store.files() == before)
  }

  @Test("Another connection of this process is found, too")
  func ownConnection() throws {
    let store = try Self.store(journal: "DELETE")
    let app = try DatabaseQueue(path: store.path)
    let refusal = try #require(try Self.migrate(store, .clone))
    #expect(refusal.cause.contains("this process has it open"))
    try app.close()
    #expect(try Self.migrate(store, .clone) == nil)
  }

  @Test("A dry run replaces no file and does not need other programs to quit")
  func rehearsal() throws {
    let store = try Self.store(journal: "DELETE")
    let other = try OtherProcess(holding: store.path, sql: "SELECT * FROM ZORDER")
    let before = try store.files()
    let request = MigrationRequest(
      path: store.path, versions: store.versions, destination: store.versions[1], isRehearsal: true)
    #expect(try StoreMigrator(request).migrate().result == .rehearsed)
    #expect(try store.files() == before)
    other.end()
  }
}
