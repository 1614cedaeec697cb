import Foundation
import GRDB
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

extension VersionedStore {
  /// Migrates two copies of the store, one in place and one as a copy that is swapped in, and checks of each what holds
  /// for every migration: the schema is the destination's, nothing is wrong, keys and locks are as before.
  ///
  /// - Returns: the two migrated stores.
  func migrated(
    allowing losses: Set<String> = [], _ options: MigrationOptions = MigrationOptions(),
    _ inference: InferenceOptions = InferenceOptions(), sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> [VersionedStore] {
    let last = versions.count - 1
    return try MigrationStrategy.allCases.map { strategy in
      let store = try copy()
      var options = options
      options.strategy = strategy
      options.allowedLosses = losses
      let outcome = try store.migrator(to: last, options, inference).migrate()
      #expect(outcome.result == .migrated, sourceLocation: sourceLocation)
      #expect(outcome.strategy == strategy, sourceLocation: sourceLocation)
      #expect(try store.wrongSchema(at: last) == [], sourceLocation: sourceLocation)
      let former = try problems(at: 0)
      #expect(
        try store.problems(at: last).filter { !former.contains($0) } == [],
        sourceLocation: sourceLocation)
      #expect(try store.rows("SELECT COUNT(*) FROM Z_MODELCACHE") == ["0"], sourceLocation: sourceLocation)
      let settings = "SELECT * FROM pragma_page_size, pragma_auto_vacuum, pragma_journal_mode"
      #expect(try store.rows(settings) == rows(settings), sourceLocation: sourceLocation)
      #expect(try store.rows("SELECT Z_UUID FROM Z_METADATA") == rows("SELECT Z_UUID FROM Z_METADATA"))
      let (source, destination) = (versions[0].hierarchy, versions[last].hierarchy)
      var comparison = try GraphComparison(
        before: content(at: 0).graph, after: store.content(at: last).graph, source: source, destination: destination,
        mapping: .inferred(from: source, to: destination, options: inference))
      comparison.comparesConversions = inference.casts.isEmpty && losses.isEmpty
      if options.duplicatePolicies.isEmpty, options.keepsFirst.isEmpty {
        #expect(comparison.differences() == [], sourceLocation: sourceLocation)
      }
      return store
    }
  }

  /// The blockers of a migration, which must leave every byte unchanged with any strategy.
  func blocked(
    _ options: MigrationOptions = MigrationOptions(), _ inference: InferenceOptions = InferenceOptions(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws -> MigrationBlocked {
    let before = try files()
    var found: MigrationBlocked?
    for strategy in MigrationStrategy.allCases {
      var options = options
      options.strategy = strategy
      do {
        _ = try migrator(to: nil, options, inference).migrate()
        Issue.record("it migrated", sourceLocation: sourceLocation)
      } catch let blocked as MigrationBlocked {
        found = blocked
      }
      #expect(try files() == before, sourceLocation: sourceLocation)
    }
    return try #require(found)
  }

  /// The blockers as `element code count keys remedy`.
  func refusals(
    _ options: MigrationOptions = MigrationOptions(), _ inference: InferenceOptions = InferenceOptions()
  ) throws -> [String] {
    try blocked(options, inference).blockers.map { blocker in
      let code = blocker.blocker.code.map { "\($0.rawValue)" } ?? "-"
      let keys = blocker.firstKeys.map(String.init).joined(separator: ",")
      let remedy = blocker.blocker.remedy?.firstOptions ?? "-"
      return "\(blocker.blocker.element) \(code) \(blocker.count) [\(keys)] \(remedy)"
    }
  }

  /// The losses without consent as `element: count`; allowing them all must let the migration run.
  func unconsented(_ inference: InferenceOptions = InferenceOptions()) throws -> [String] {
    try blocked(MigrationOptions(), inference).losses.map { "\($0.loss.loss.element): \($0.count)" }
  }

  /// The differences of the schema from a version's, without objects of the app.
  func wrongSchema(at position: Int) throws -> [String] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let layout = SQLStoreLayout(of: versions[position].hierarchy)
    return layout.differences(from: try reader.snapshot(counting: false)).filter { difference in
      switch difference {
      case .extraTable, .extraIndex, .extraTrigger, .serviceTable, .indexName: false
      default: true
      }
    }.map(\.description)
  }
}
