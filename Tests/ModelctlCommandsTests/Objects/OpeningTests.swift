import Foundation
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

  @Test("A new store of merged bundles has the entities of all")
  func merged() throws {
    let store = try ObjectStore.open(path, model: load("Orders", "Todo"))
    #expect(store.opening == .created)
    #expect(store.hierarchy.entity(named: "Customer") != nil && store.hierarchy.entity(named: "Todo") != nil)
    try store.close()
    #expect(try workspace.modelctl("verify", "shop.sqlite").status == 0)
  }

  @Test("Of several bundles that are not merged none is chosen, and an unknown version is named; nothing is made")
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
