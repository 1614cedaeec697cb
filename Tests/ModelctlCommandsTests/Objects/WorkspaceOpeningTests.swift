import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("A store is opened with the models of a workspace")
struct WorkspaceOpeningTests {
  let folder: TemporaryFolder
  var path: String { folder.path("todo.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func models() throws -> LoadedWorkspace { try Workspace(at: SampleModels.path("Todo")).load() }

  @Test("A missing one is made, a current one opened, an older one migrated")
  func opening() throws {
    let models = try models()
    let new = try ObjectStore.open(path, models: models)
    #expect(new.opening == .created)
    try new.write { try $0.insert("Todo", ["createdAt": .attribute(.date(0)), "title": "first", "priority": 2]) }
    try new.close()
    let current = try ObjectStore.open(path, models: models)
    #expect(current.opening == .opened)
    #expect(try current.count(RecordRequest("Todo")) == 1)
    try current.close()
    let old = folder.path("old.sqlite")
    try StoreCreator(of: models.versions[0].hierarchy).create(at: old)
    let migrated = try ObjectStore.open(old, models: models)
    guard case .migrated(from: "v1", to: "v2", backup: _) = migrated.opening else {
      Issue.record("opening: \(migrated.opening)")
      return
    }
    try migrated.close()
  }

  @Test("Without a thread that waits")
  func asynchronous() async throws {
    let store = try await ObjectStore.open(path, models: models())
    #expect(store.opening == .created)
    try store.close()
  }

  @Test("The options choose the version, and whether a missing one is made")
  func options() throws {
    var options = OpeningOptions()
    options.createsMissing = false
    #expect(throws: ObjectStoreError.missing(path: path)) {
      try ObjectStore.open(path, models: models(), options: options)
    }
    options = OpeningOptions()
    options.migration = .to("v1")
    let store = try ObjectStore.open(path, models: models(), options: options)
    #expect(store.hierarchy.entity(named: "Todo")?.attributes.count == 3)
    try store.close()
  }

  @Test("A missing store of one of several bundles is not guessed; of merged ones it is made of all")
  func severalBundles() throws {
    let (todo, staff) = (SampleModels.path("Todo"), SampleModels.path("Staff"))
    let folder = URL(fileURLWithPath: todo).deletingLastPathComponent().path
    #expect(throws: WorkspaceError.self) { try ObjectStore.open(path, models: Workspace(at: folder).load()) }
    #expect(!FileManager.default.fileExists(atPath: path))
    let merged = try ObjectStore.open(path, models: Workspace(merging: [todo, staff]).load())
    #expect(merged.hierarchy.entity(named: "Todo") != nil && merged.hierarchy.entity(named: "Person") != nil)
    try merged.close()
  }
}
