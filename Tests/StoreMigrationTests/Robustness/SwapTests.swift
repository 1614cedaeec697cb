import Foundation
import GRDB
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("The swap")
struct SwapTests {
  private static func store() throws -> VersionedStore {
    try VersionedStore(
      [
        ManagedObjectModel(entities: [.entity("Order", [.optional("note"), .optional("size", .integer32)])]),
        ManagedObjectModel(entities: [.entity("Order", [.optional("note"), .optional("size", .double)])]),
      ], rows: 50)
  }

  private final class Answer: Sendable {
    private let error = Guarded<(any Error)?>(nil)
    var thrown: (any Error)? {
      get { error.withLock { $0 } }
      set { error.withLock { $0 = newValue } }
    }
  }

  @Test(
    "A waiting process does not use the old file after another file replaced the store",
    arguments: MigrationStrategy.allCases)
  func replacedMeanwhile(strategy: MigrationStrategy) throws {
    let store = try Self.store()
    let backup = store.directory.appendingPathComponent("backup").path
    let next = store.directory.appendingPathComponent("next").path
    try FileManager.default.copyItem(atPath: store.path, toPath: next)
    let first = try StoreWriter(path: store.path)
    let answer = Answer()
    let migrator = store.migrator(MigrationOptions(strategy: strategy), busyTimeout: 20)
    let waiting = Thread {
      do { _ = try migrator.migrate() } catch { answer.thrown = error }
    }
    waiting.start()
    usleep(300_000)
    try FileManager.default.linkItem(atPath: store.path, toPath: backup)
    #expect(rename(next, store.path) == 0)
    let queue = try DatabaseQueue(path: store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZORDER SET ZSIZE = 4711") }
    try queue.close()
    let before = try store.files()["backup"]
    first.discard()
    while !waiting.isFinished { usleep(1000) }
    if let error = answer.thrown { #expect(error as? StoreError == .changedWhileReading(path: store.path)) }
    #expect(try store.rows("SELECT DISTINCT CAST(ZSIZE AS INTEGER) FROM ZORDER") == ["4711"])
    #expect(try store.files()["backup"] == before)
  }

  @Test("Progress shows a swap only where there is one", arguments: MigrationStrategy.allCases, [false, true])
  func progress(strategy: MigrationStrategy, isDryRun: Bool) throws {
    var request = try Self.store().migrator(MigrationOptions(strategy: strategy)).request
    request.isRehearsal = isDryRun
    let store = try Self.store()
    request.path = store.path
    var phases: [MigrationProgress] = []
    _ = try StoreMigrator(request).migrate(report: { phases.append($0) })
    #expect(phases.contains { $0.phase == .swapping } == (strategy == .clone && !isDryRun))
    #expect(phases.last?.fraction == 1)
  }

  @Test("A file that replaced the store during the migration is not overwritten", arguments: [false, true])
  func replacedByForce(keepsBackup: Bool) throws {
    let store = try Self.store()
    var isSwapped = false
    let path = store.path
    #expect(throws: StoreError.changedWhileReading(path: path)) {
      try store.migrator(MigrationOptions(strategy: .clone), keepsBackup: keepsBackup).migrate(report: { _ in
        guard !isSwapped else { return }
        isSwapped = true
        try? Data("somebody else's".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        _ = rename(path + ".new", path)
      })
    }
    #expect(try store.files() == ["Store.sqlite": Data("somebody else's".utf8)])
  }

  @Test("A log that an app creates next to the new store right after the swap is kept")
  func newLog() throws {
    let store = try Self.store()
    let log = store.path + "-wal"
    let index = store.path + "-shm"
    var request = store.migrator(MigrationOptions(strategy: .clone)).request
    request.files = OpeningFiles(afterRename: {
      try? Data("log".utf8).write(to: URL(fileURLWithPath: log))
      try? Data("index".utf8).write(to: URL(fileURLWithPath: index))
    })
    _ = try StoreMigrator(request).migrate()
    #expect(try store.files()["Store.sqlite-wal"] == Data("log".utf8))
    #expect(try store.files()["Store.sqlite-shm"] == Data("index".utf8))
  }

  @Test("A link that was placed at the copy's name before is not followed", arguments: [false, true])
  func foreseenCopy(isDangling: Bool) throws {
    let store = try Self.store()
    let precious = store.directory.path + "-precious"
    if !isDangling { try Data("keep me".utf8).write(to: URL(fileURLWithPath: precious)) }
    defer { try? FileManager.default.removeItem(atPath: precious) }
    let before = try store.files()
    var request = store.migrator(MigrationOptions(strategy: .clone)).request
    request.files = OpeningFiles(beforeCreation: { _ = symlink(precious, $0) }, afterRename: {})
    #expect {
      try StoreMigrator(request).migrate()
    } throws: { error in
      "\(error)".contains("a copy cannot be written next to the store")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    let link = try #require(names.first { $0.hasPrefix(".Store.sqlite.modelctl-") })
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.directory.path + "/" + link) == precious)
    #expect(FileManager.default.fileExists(atPath: precious) == !isDangling)
    if !isDangling { #expect(try Data(contentsOf: URL(fileURLWithPath: precious)) == Data("keep me".utf8)) }
    #expect(try store.files()["Store.sqlite"] == before["Store.sqlite"])
    _ = try store.migrator(MigrationOptions(strategy: .clone)).migrate()
    #expect(try store.problems(at: 1) == [])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.directory.path + "/" + link) == precious)
  }
}

/// Does something right before a file is made, and right after a file took another's place.
private struct OpeningFiles: FileOperations {
  var beforeCreation: @Sendable (String) -> Void = { _ in }
  let afterRename: @Sendable () -> Void
  private var files: SystemFiles { SystemFiles() }

  func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
    beforeCreation(path)
    return try files.create(path, like: model)
  }
  func createFolder(_ path: String, like model: String?) throws(FileError) {
    try files.createFolder(path, like: model)
  }
  func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
    try files.write(data, to: path, like: model)
  }
  func append(_ data: Data, to path: String) throws(FileError) { try files.append(data, to: path) }
  func link(_ path: String, to name: String) throws(FileError) { try files.link(path, to: name) }
  func rename(_ path: String, to name: String) throws(FileError) {
    try files.rename(path, to: name)
    afterRename()
  }
  func remove(_ path: String) throws(FileError) { try files.remove(path) }
  func synchronize(_ path: String) throws(FileError) { try files.synchronize(path) }
}
