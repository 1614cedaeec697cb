import Foundation
import GRDB
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("Copies that a crash left behind")
struct LeftoverCloneTests {
  /// A store beside which a migration died, and the name of the copy it left.
  private static func store() throws -> (store: VersionedStore, copy: String) {
    let store = try FaultSubject.withLeftover()
    return (store, try #require(try store.leftoverName))
  }

  @Test("are removed by the next run", arguments: MigrationStrategy.allCases)
  func removed(strategy: MigrationStrategy) throws {
    let (store, copy) = try Self.store()
    for suffix in ["-wal", "-shm", "-journal"] {
      try Data("x".utf8).write(to: store.directory.appendingPathComponent(copy + suffix))
    }
    _ = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    #expect(try store.files().keys.filter { $0.hasPrefix(copy) } == [])
  }

  @Test("of any length, also if a power cut left only the name", arguments: [0, 1, 100, 4096])
  func cutOff(size: Int) throws {
    let (store, copy) = try Self.store()
    try Data(count: size).write(to: store.directory.appendingPathComponent(copy))
    _ = try store.migrator(MigrationOptions(strategy: .clone)).migrate()
    #expect(try store.files()[copy] == nil)
  }

  @Test("A file that is not a copy of this store is kept, with any name", arguments: MigrationStrategy.allCases)
  func others(strategy: MigrationStrategy) throws {
    let (store, copy) = try Self.store()
    let others = [
      ".Other.sqlite.modelctl-1f", ".Store.sqlite.modelctl-", ".Store.sqlite.modelctl-1f",
      ".Store.sqlite.modelctl-0123456789abcdef", "Store.sqlite.modelctl-1f", copy + ".txt", copy + "-old",
      copy.replacing(".Store", with: ".Shop"), String(copy.dropFirst()),
    ]
    for name in others { try Data("mine".utf8).write(to: store.directory.appendingPathComponent(name)) }
    _ = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    let files = try store.files()
    for name in others { #expect(files[name] == Data("mine".utf8), "\(name)") }
    #expect(files[copy] == nil)
  }

  @Test("A folder or a link of that name is kept, and the target of the link", arguments: MigrationStrategy.allCases)
  func notAFile(strategy: MigrationStrategy) throws {
    let (store, copy) = try Self.store()
    let place = store.directory.appendingPathComponent(copy)
    let target = store.directory.appendingPathComponent("precious")
    try FileManager.default.moveItem(at: place, to: target)
    let before = try Data(contentsOf: target)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: target)
    _ = try store.migrator(MigrationOptions(strategy: strategy)).migrate()
    #expect(try Data(contentsOf: target) == before)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.path) == target.path)
  }

  @Test("A copy that another process works on is kept")
  func usedByAnother() throws {
    let (store, copy) = try Self.store()
    let place = store.directory.appendingPathComponent(copy).path
    try FileManager.default.removeItem(atPath: place)
    let other = try OtherProcess(
      holding: place, sql: "CREATE TABLE work (n); BEGIN EXCLUSIVE;")
    var request = store.migrator(MigrationOptions(strategy: .clone)).request
    request.isRehearsal = true
    _ = try StoreMigrator(request).migrate()
    #expect(FileManager.default.fileExists(atPath: place))
    other.end()
    _ = try store.migrator(MigrationOptions(strategy: .clone)).migrate()
    #expect(!FileManager.default.fileExists(atPath: place))
  }

  @Test("A copy that this process works on is kept")
  func usedHere() throws {
    let (store, copy) = try Self.store()
    let place = store.directory.appendingPathComponent(copy).path
    try FileManager.default.removeItem(atPath: place)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(path: place, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE work (n)") }
    _ = try store.migrator(MigrationOptions(strategy: .clone)).migrate()
    #expect(FileManager.default.fileExists(atPath: place))
    try queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    try queue.close()
  }
}
