import Foundation
import GRDB
import ModelKit
import TestSupport
import Testing

@Suite("A store that another process migrates or replaces while it is open")
struct ReplacedStoreTests {
  let workspace: SampleFolder
  private var path: String { workspace.folder.path("shop.sqlite") }

  init() throws { workspace = try SampleFolder() }

  private func open(_ version: String) throws -> ObjectStore {
    var options = OpeningOptions()
    options.migration = .to(version)
    let bundle = workspace.url.appendingPathComponent("Models/Orders.xcdatamodeld").path
    return try ObjectStore.open(path, model: Workspace(at: bundle).load(), options: options)
  }

  private func expectReplaced(_ store: ObjectStore) {
    let replaced = ObjectStoreError.replaced(path: path)
    #expect(throws: replaced) { try store.write { try $0.delete(RecordRequest("Order")) } }
    #expect(throws: replaced) { try store.read { try $0.count(RecordRequest("Order")) } }
  }

  private func useRollbackJournal() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
  }

  @Test("A migrated store is not written and not read; opened again it has the other version")
  func migrated() throws {
    try workspace.makeStore(rows: 3)
    try useRollbackJournal()
    let store = try open("v1")
    #expect(try store.read { try $0.count(RecordRequest("Order")) } == 3)
    let other = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2", "--in-place")
    #expect(other.status == 0, "\(other.standardError)")
    expectReplaced(store)
    try store.close()
    let again = try open("v2")
    #expect(again.opening == .opened)
    #expect(try again.read { try $0.count(RecordRequest("Order")) } == 3)
    try again.close()
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("Another store in its place keeps every byte", arguments: [true, false])
  func replaced(hasLog: Bool) throws {
    try workspace.makeStore(version: "Orders@v6", rows: 3)
    try workspace.makeStore("other.sqlite", version: "Orders@v6", rows: 5)
    if !hasLog { try useRollbackJournal() }
    let store = try open("v6")
    #expect(try store.read { try $0.count(RecordRequest("Order")) } == 3)
    let bytes = try Data(contentsOf: workspace.url.appendingPathComponent("other.sqlite"))
    #expect(try Modelctl.shell("mv other.sqlite shop.sqlite", in: workspace).status == 0)
    expectReplaced(store)
    try store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("A second reading opens the file again, and does not confuse two stores")
  func besideAnother() throws {
    try workspace.makeStore(version: "Orders@v6", rows: 3)
    try workspace.makeStore("other.sqlite", version: "Orders@v6", rows: 5)
    let bytes = try Data(contentsOf: workspace.url.appendingPathComponent("other.sqlite"))
    let store = try open("v6")
    let answer = Guarded<(any Error)?>(nil)
    try store.read { _ in
      let moved = try Modelctl.shell("mv other.sqlite shop.sqlite", in: workspace)
      #expect(moved.status == 0)
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do {
          _ = try store.read { try $0.count(RecordRequest("Order")) }
        } catch {
          answer.withLock { $0 = error }
        }
        isDone.signal()
      }
      isDone.wait()
    }
    #expect(answer.withLock { $0 } as? ObjectStoreError == .replaced(path: path))
    try store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("A store with a log is not migrated while it is open, but can be written")
  func kept() throws {
    try workspace.makeStore(rows: 3)
    let store = try open("v1")
    let other = try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2", "--busy-timeout", "0.2")
    #expect(other.status == 2)
    #expect(other.standardError.contains("another process has the store open"), "\(other.standardError)")
    #expect(try store.write { try $0.delete(RecordRequest("Order")) } == 3)
    #expect(try store.read { try $0.count(RecordRequest("Order")) } == 0)
    try store.close()
    #expect(try workspace.modelctl("migrate", "shop.sqlite", "--to", "v2").status == 0)
  }
}
