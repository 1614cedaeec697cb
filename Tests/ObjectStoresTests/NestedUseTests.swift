import Dispatch
import Foundation
import GRDB
import ModelDescription
import ModelKit
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("No use of a store within another use ends the process") struct NestedUseTests {
  private let folder: TemporaryFolder
  private let id: RecordID

  init() throws {
    folder = try TemporaryFolder()
    let store = try ObjectStore.open(folder.path("shop.sqlite"), model: ShopStore.model)
    id = try store.write { try $0.insert("Customer", ["name": "Anna", "number": 1]) }
    try store.close()
  }

  private var path: String { folder.path("shop.sqlite") }
  private var nested: ObjectStoreError { .nested(path: path) }
  private let request = RecordRequest("Customer")

  /// The store with readers beside the writer, or with one connection.
  private func open(_ hasReaders: Bool) throws -> ObjectStore {
    let writer = try StoreWriter(path: path)
    try writer.access { try $0.execute(sql: "PRAGMA journal_mode = \(hasReaders ? "WAL" : "DELETE")") }
    try writer.finish()
    return try ObjectStore.open(path, model: ShopStore.model)
  }

  @Test("A reading within a reading, however deep, sees the same moment", arguments: [true, false])
  func readings(_ hasReaders: Bool) throws {
    let store = try open(hasReaders)
    let names = try store.read { reading in
      if hasReaders { try store.write { try $0.update(id, ["name": "Bert"]) } }
      var found = [try store.read { try $0.object(id)?["name"] }]
      found.append(try store.fetch(request).first?["name"])
      try reading.forEach(request) { record in
        found.append(try store.objects([record.id]).first?["name"])
        try store.read { _ in
          try store.read { _ in found.append(try reading.object(id)?["name"]) }
          #expect(try store.count(request) == 1)
        }
      }
      found.append(try reading.object(id)?["name"])
      return found
    }
    #expect(names == Array(repeating: "Anna", count: 5))
    #expect(try store.read { try $0.object(id) }?["name"] == (hasReaders ? "Bert" : "Anna"))
    try store.close()
  }

  @Test("A reading within a save sees the store before the save", arguments: [true, false])
  func readingInSave(_ hasReaders: Bool) throws {
    let store = try open(hasReaders)
    try store.write { transaction in
      try transaction.update(id, ["name": "Bert"])
      #expect(try store.fetch(request).first?["name"] == "Anna")
      #expect(try store.read { _ in try store.count(request) } == 1)
      #expect(try transaction.object(id)?["name"] == "Bert")
      #expect(try store.fetch(request).first?["name"] == "Anna")
      #expect(try transaction.object(id)?["name"] == "Bert")
    }
    #expect(try store.read { try $0.object(id) }?["name"] == "Bert")
    try store.close()
  }

  @Test("A save within a save is refused, and nothing of it is written", arguments: [true, false])
  func saves(_ hasReaders: Bool) throws {
    let store = try open(hasReaders)
    #expect(throws: nested) {
      try store.write { transaction in
        try transaction.update(id, ["name": "Bert"])
        try store.write { try $0.insert("Customer", ["name": "Carl", "number": 2]) }
      }
    }
    #expect(throws: nested) { try store.plan { _ in try store.write { _ in } } }
    #expect(throws: nested) { try store.write { _ in _ = try store.plan { _ in } } }
    #expect(throws: nested) { try store.write { _ in try store.read { _ in try store.write { _ in } } } }
    #expect(try store.fetch(request).map { $0["name"] } == ["Anna"])
    // Who catches the error can go on.
    try store.write { transaction in
      #expect(throws: nested) { try store.write { _ in } }
      try transaction.update(id, ["name": "Bert"])
    }
    #expect(try store.fetch(request).map { $0["name"] } == ["Bert"])
    try store.close()
  }

  @Test("A save within a reading runs next to it, or is refused if there is only one connection")
  func saveInReading() throws {
    let single = try open(false)
    #expect(throws: nested) { try single.read { _ in try single.write { try $0.update(id, ["name": "Bert"]) } } }
    #expect(try single.fetch(request).first?["name"] == "Anna")
    try single.close()
    let store = try open(true)
    try store.read { _ in try store.write { try $0.update(id, ["name": "Bert"]) } }
    #expect(try store.fetch(request).first?["name"] == "Bert")
    try store.close()
  }

  @Test("A store cannot be closed during its use, and a closed store reports it", arguments: [true, false])
  func closing(_ hasReaders: Bool) async throws {
    let store = try open(hasReaders)
    #expect(throws: nested) { try store.read { _ in try store.close() } }
    #expect(throws: nested) { try store.write { _ in try store.close() } }
    #expect(try store.count(request) == 1)
    try store.close()
    try store.close()
    let closed = ObjectStoreError.closed(path: path)
    #expect(throws: closed) { try store.count(request) }
    #expect(throws: closed) { try store.write { _ in } }
    await #expect(throws: closed) { try await store.read { try $0.fetch(RecordRequest("Customer")) } }
    await #expect(throws: closed) { try await store.write { _ in } }
  }

  @Test("A reading and a transaction are refused on another thread and queue", arguments: [true, false])
  func threads(_ hasReaders: Bool) throws {
    let store = try open(hasReaders)
    let errors = Guarded<[ObjectStoreError]>([])
    @Sendable func caught(_ work: () throws -> Void) {
      do { try work() } catch { if let error = error as? ObjectStoreError { errors.withLock { $0.append(error) } } }
    }
    try store.read { reading in
      DispatchQueue.global().sync { caught { _ = try reading.fetch(request) } }
      nonisolated(unsafe) let kept = reading
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if !Thread.isMainThread { caught { _ = try kept.object(id) } }
      }
      // One connection would wait for itself.
      if !hasReaders { DispatchQueue.global().sync { caught { _ = try store.count(request) } } }
    }
    try store.write { transaction in
      DispatchQueue.global().sync {
        caught { _ = try transaction.object(id) }
        caught { try store.write { _ in } }
      }
    }
    let found = errors.withLock { $0 }
    #expect(found.allSatisfy { [.elsewhere, nested].contains($0) } && found.count >= 3, "\(found)")
    #expect(found.contains(.elsewhere) && found.contains(nested))
    try store.close()
  }

  @Test("Two stores are read and saved one within the other")
  func others() throws {
    let store = try open(true)
    let other = try ObjectStore.open(folder.path("other.sqlite"), model: ShopStore.model)
    let names = try store.read { reading in
      try other.write { transaction in
        try transaction.insert("Customer", ["name": try reading.object(id)?["name"] ?? .null, "number": 1])
        #expect(try store.count(request) == 1)
      }
      return try other.read { inner in
        [try reading.fetch(request), try inner.fetch(request), try store.fetch(request)].map { $0.first?["name"] }
      }
    }
    #expect(names == ["Anna", "Anna", "Anna"])
    try other.close()
    try store.close()
  }

  @Test(
    "Use after the end, or in another task, is refused or independent", arguments: [true, false])
  func ends(_ hasReaders: Bool) async throws {
    let store = try open(hasReaders)
    try useEnded(store)
    #expect(try await beginTask(store).value == 1)
    try store.close()
  }

  private func useEnded(_ store: ObjectStore) throws {
    nonisolated(unsafe) var kept: StoreReading?
    try store.read { kept = $0 }
    #expect(throws: ObjectStoreError.ended) { try kept?.fetch(request) }
  }

  private func beginTask(_ store: ObjectStore) throws -> Task<Int, any Error> {
    try store.read { _ in Task { try await store.read { try $0.count(RecordRequest("Customer")) } } }
  }

  @Test("Any number of seconds is a time to wait", arguments: [.infinity, -.infinity, .nan, -1, 1e300])
  func waiting(_ seconds: Double) throws {
    var options = OpeningOptions()
    options.busyTimeout = seconds
    let store = try ObjectStore.open(path, model: ShopStore.model, options: options)
    #expect(try store.count(request) == 1)
    try store.close()
    let reader = try StoreReader(path: path, busyTimeout: seconds)
    reader.close()
  }

  @Test("Any number of stores at once is one that there can be", arguments: [Int.min, -1, 0, 1, 4096, Int.max])
  func jobs(_ count: Int) {
    var fleet = FleetMigration(places: [], jobs: count, goal: "")
    #expect((1...1024).contains(fleet.jobs))
    fleet.jobs = count
    #expect((1...1024).contains(fleet.jobs))
  }

  @Test("Any limit and offset of a request is answered", arguments: [Int.min, -1, 0, 1, Int.max])
  func limits(_ number: Int) throws {
    let store = try open(false)
    var request = request
    (request.limit, request.offset) = (number, number)
    #expect(throws: Never.self) { try store.fetch(request) }
    #expect(throws: Never.self) { try store.count(request) }
    try store.close()
  }

  @Test("A reader is read within its reading, and closed at the end of it")
  func reader() throws {
    let reader = try StoreReader(path: path)
    let count = try reader.read { database in
      let metadata = try reader.metadata()
      reader.close()
      #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
      #expect(try Int.fetchOne(database, sql: "SELECT 2") == 2)
      return metadata.versionHashes.entities.count
    }
    #expect(count > 0)
    #expect(throws: StoreError.closed(path: path)) { try reader.metadata() }
    reader.close()
  }

  @Test("A writer can be queried within its work; a nested transaction, or its end, is refused")
  func writer() throws {
    let writer = try StoreWriter(path: path)
    let nested = StoreError.nested(path: path)
    try writer.transaction { database in
      try database.execute(sql: "UPDATE ZCUSTOMER SET ZNAME = 'Bert'")
      #expect(throws: nested) { try writer.transaction { _ in } }
      #expect(throws: nested) { try writer.finish() }
      writer.discard()
      #expect(try writer.access { $0.isInsideTransaction })
    }
    try writer.finish()
    writer.discard()
    #expect(throws: StoreError.closed(path: path)) { try writer.access { _ in } }
    #expect(throws: StoreError.closed(path: path)) { try writer.transaction { _ in } }
    let store = try open(false)
    #expect(try store.fetch(request).first?["name"] == "Bert")
    try store.close()
  }
}
