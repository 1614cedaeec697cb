import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

extension VersionedStore {
  /// A copy of the store, migrated along a mapping model in one transaction and checked: the schema is the destination's
  /// and nothing is wrong with it.
  func mapped(
    by mapping: MappingModel, _ options: MigrationOptions = MigrationOptions(),
    policies: PolicyRegistry = PolicyRegistry(), sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> VersionedStore {
    let store = try copy()
    try store.map(by: mapping, options, policies: policies)
    let last = versions.count - 1
    #expect(try store.wrongSchema(at: last) == [], sourceLocation: sourceLocation)
    let former = try problems(at: 0)
    #expect(try store.problems(at: last).filter { !former.contains($0) } == [], sourceLocation: sourceLocation)
    #expect(try store.rows("SELECT COUNT(*) FROM Z_MODELCACHE") == ["0"], sourceLocation: sourceLocation)
    #expect(
      try store.rows("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'modelctl%'") == ["0"],
      sourceLocation: sourceLocation)
    return store
  }

  /// Migrates the store itself; blockers are thrown and leave no trace.
  @discardableResult
  func map(
    by mapping: MappingModel, _ options: MigrationOptions = MigrationOptions(),
    policies: PolicyRegistry = PolicyRegistry()
  ) throws -> MigrationPlan {
    let writer = try StoreWriter(path: path)
    defer { writer.discard() }
    let last = versions[versions.count - 1]
    let plan = try writer.access { database in
      ConversionFunctions(store: path).register(in: database)
      let plan = try self.plan(mapping, options, policies, last, in: database)
      let blocked = try PlanInspection(plan: plan, options: options).blocked(in: database)
      guard blocked.isEmpty else { throw blocked }
      return plan
    }
    try writer.transaction { database in
      PlanExecution.prepare(database)
      try PlanExecution(plan: plan, report: { _ in }).run(in: database)
    }
    try writer.finish()
    return plan
  }

  private func plan(
    _ mapping: MappingModel, _ options: MigrationOptions, _ policies: PolicyRegistry, _ last: LoadedVersion,
    in database: Database
  ) throws -> MigrationPlan {
    let snapshot = try StoreSnapshot(reading: database, counting: true)
    let metadata = try StoreMetadata(reading: database, path: path)
    let encoded = metadata.rewritten(for: last.versionHashes, identifiers: []).encoded()
    let planner = MigrationPlanner(
      source: StoreModel(
        hierarchy: versions[0].hierarchy, layout: BoundLayout(of: versions[0].hierarchy, to: snapshot).layout),
      destination: StoreModel(hierarchy: last.hierarchy, layout: SQLStoreLayout(of: last.hierarchy)),
      mapping: mapping, metadata: Array(encoded), options: options, policies: policies, now: 1000)
    return try planner.plan(for: snapshot, path: ["v1", "v2"])
  }

  /// The blockers of a migration, which must leave every byte unchanged.
  func mappingBlockers(
    _ mapping: MappingModel, _ options: MigrationOptions = MigrationOptions(),
    policies: PolicyRegistry = PolicyRegistry(), sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let before = try files()
    do {
      try map(by: mapping, options, policies: policies)
      Issue.record("it migrated", sourceLocation: sourceLocation)
      return []
    } catch let blocked as MigrationBlocked {
      #expect(try files() == before, sourceLocation: sourceLocation)
      return blocked.blockers.map { blocker in
        let keys = blocker.firstKeys.map(String.init).joined(separator: ",")
        return "\(blocker.blocker.element) \(blocker.blocker.code?.rawValue ?? 0) \(blocker.count) [\(keys)]"
      } + blocked.losses.map { "\($0.loss.loss.element): \($0.count)" }
    }
  }
}
