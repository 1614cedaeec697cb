import Foundation
import ModelFiles
import ModelKit
import TestSupport
import Testing

@Suite("Opening a store of a bundle's models")
struct OpeningTests {
  let workspace: SampleFolder
  private var path: String { workspace.folder.path("shop.sqlite") }

  init() throws { workspace = try SampleFolder() }

  private func load(_ names: String...) throws -> LoadedWorkspace {
    try Workspace(merging: names.map { workspace.url.appendingPathComponent("Models/\($0).xcdatamodeld").path }).load()
  }

  private func going(to version: String) -> OpeningOptions {
    var options = OpeningOptions()
    options.migration = .to(version)
    return options
  }

  @Test("One that is not there is made, then opened, and an older one is migrated")
  func bundle() throws {
    let orders = try load("Orders")
    let store = try ObjectStore.open(path, model: orders, options: going(to: "v1"))
    #expect(store.opening == .created && store.hierarchy.entity(named: "Customer") != nil)
    try store.close()
    #expect(try workspace.modelctl("status", "shop.sqlite").standardOutput.contains("v1"))
    let newer = try ObjectStore.open(path, model: orders)
    guard case .migrated("v1", "v6", _) = newer.opening else { return #expect(Bool(false), "\(newer.opening)") }
    try newer.close()
    #expect(try ObjectStore.open(path, model: orders).opening == .opened)
  }

  @Test("The compiled models of an app make a store, migrate it and open it, as their sources do")
  func compiled() throws {
    let folder = workspace.url.appendingPathComponent("App.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (name, type) in [("v1", 100), ("v2", 300)] {
      try ExportTests.compiledModel(attributeType: type).write(to: folder.appendingPathComponent("\(name).mom"))
    }
    let info = PropertyList.dictionary(["NSManagedObjectModel_CurrentVersionName": .string("v2")])
    try info.binary.write(to: folder.appendingPathComponent("VersionInfo.plist"))
    let app = try Workspace(at: folder.path).load()
    let path = workspace.folder.path("app.sqlite")
    let store = try ObjectStore.open(path, model: app, options: going(to: "v1"))
    #expect(store.opening == .created)
    let id = try store.write { try $0.insert("A", ["a": 7]) }
    try store.close()
    let newer = try ObjectStore.open(path, model: app)
    #expect(newer.opening == .migrated(from: "v1", to: "v2", backup: nil))
    #expect(try newer.read { try $0.object(id) }?["a"] == 7)
    try newer.write { try $0.update(id, ["a": 3_000_000_000]) }
    try newer.close()
    let last = try ObjectStore.open(path, model: app)
    #expect(last.opening == .opened)
    #expect(try last.read { try $0.object(id) }?["a"] == 3_000_000_000)
    try last.close()
  }

  @Test(
    "Progress of a migration reaches its end, and is not reported if no migration is needed",
    arguments: ["sqlite", "json"])
  func progress(_ kind: String) throws {
    try workspace.makeStore("shop.\(kind)")
    let path = workspace.folder.path("shop.\(kind)")
    let seen = Guarded<[MigrationProgress]>([])
    var options = OpeningOptions()
    options.progress = { progress in seen.withLock { $0.append(progress) } }
    let orders = try load("Orders")
    try ObjectStore.open(path, model: orders, options: options).close()
    let found = seen.withLock { $0 }
    #expect(found.first?.phase == .checking && found.first?.fraction == 0 && found.last?.fraction == 1)
    #expect(found.contains { $0.phase == .migrating } && found.contains { $0.phase == .verifying })
    #expect(found.allSatisfy { (0...1).contains($0.fraction) })
    try ObjectStore.open(path, model: orders, options: options).close()
    #expect(seen.withLock { $0 } == found)
  }

  @Test("A new store of merged bundles has the entities of all")
  func merged() throws {
    let store = try ObjectStore.open(path, model: load("Orders", "Todo"))
    #expect(store.opening == .created)
    #expect(store.hierarchy.entity(named: "Customer") != nil && store.hierarchy.entity(named: "Todo") != nil)
    try store.close()
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("An older store of merged bundles is migrated by the steps of each, and opened as it is from then on")
  func mergedOlder() throws {
    try workspace.makeStore(version: "Staff@v1 + Todo@v1", rows: 3)
    func titles() throws -> String {
      try workspace.modelctl("query", "shop.sqlite", "Todo", "--columns", "title,isDone").standardOutput
    }
    let before = try titles()
    let both = try load("Staff", "Todo")
    let store = try ObjectStore.open(path, model: both)
    #expect(store.opening == .migrated(from: "Staff@v1 + Todo@v1", to: "Staff@v2 + Todo@v2", backup: nil))
    #expect(try store.read { try $0.fetch(RecordRequest("Todo")).map { $0["priority"] } } == [0, 0, 0])
    #expect(try store.read { try $0.count(RecordRequest("Person")) } == 3)
    #expect(try titles() == before)
    let employee = try #require(try store.read { try $0.fetch(RecordRequest("Employee")).first })
    try store.write { transaction in
      try transaction.update(employee.id, ["name": "Anna"])
      try transaction.insert("Todo", ["title": "paint", "createdAt": .attribute(.date(0)), "priority": 2])
    }
    try store.close()
    let again = try ObjectStore.open(path, model: both)
    #expect(again.opening == .opened)
    #expect(try again.read { try $0.object(employee.id) }?["name"] == "Anna")
    #expect(try again.read { try $0.fetch(RecordRequest("Todo")).map { $0["priority"] } } == [0, 0, 0, 2])
    try again.close()
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("None of several separate bundles is chosen, and an unknown version is named; nothing is created")
  func unclear() throws {
    let models = try Workspace(at: workspace.url.appendingPathComponent("Models").path).load()
    #expect(throws: WorkspaceError.self) { try ObjectStore.open(path, model: models) }
    #expect(throws: ObjectStoreError.self) {
      try ObjectStore.open(path, model: load("Orders"), options: going(to: "v66"))
    }
    var options = OpeningOptions()
    options.createsMissing = false
    #expect(throws: ObjectStoreError.missing(path: path)) {
      try ObjectStore.open(path, model: load("Orders"), options: options)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A program that is asynchronous opens it too")
  func asynchronous() async throws {
    let orders = try load("Orders")
    let store = try await ObjectStore.open(path, model: orders)
    #expect(store.opening == .created)
  }
}
