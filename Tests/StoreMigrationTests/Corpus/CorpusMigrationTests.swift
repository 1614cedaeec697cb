import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// Stores of the corpus to later versions of their bundle: at one go and step by step, with equal results.
///
/// `MODELCTL_CORPUS_ALL=1` takes every store. `MODELCTL_THOROUGH=1` looks at every version of each, any other run at five;
/// the steps pass all of them in both.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusMigrationTests {
  private static let stores = CorpusStore.all(in: "stores", atMost: 1)

  @Test("a store with rows migrates to later versions", arguments: stores)
  func migratesToLaterVersions(_ store: CorpusStore) throws {
    let pathFinder = MigrationPathFinder()
    let before = try MigratedStore(path: CorpusStore.copy(store.url), model: store.source.hierarchy)
    var stepped = store.position.map { _ in CorpusStore.copy(store.url) }
    var steppedVersion = store.source
    var tally = Tally()
    // A sample takes the first steps.
    let later = CorpusSample.isWhole ? store.later : Array(store.later.prefix(20))
    let positions = Thoroughness.positions(of: later.count, atMost: 2)
    for (position, destination) in later.enumerated() {
      let path = CorpusStore.copy(store.url)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let strategy: MigrationStrategy = tally.migrated.isMultiple(of: 2) ? .inPlace : .clone
      var isMigrated = false
      if positions.contains(position) {
        switch try ConsentingMigration.run(
          path, to: destination, among: store.versions, pathFinder: pathFinder, strategy: strategy)
        {
        case .migrated:
          tally.migrated += 1
          isMigrated = true
          try compare(before, path, store, destination, pathFinder, &tally)
        case .notInferable: tally.notInferable += 1
        case .blocked: tally.blocked += 1
        }
      }
      guard let steppedPath = stepped else { continue }
      let step = try ConsentingMigration.run(
        steppedPath, to: destination, among: [steppedVersion, destination], pathFinder: pathFinder)
      guard case .migrated = step else {
        stepped = nil
        continue
      }
      steppedVersion = destination
      guard isMigrated else { continue }
      tally.stepped += 1
      let once = try MigratedStore(path: path, model: destination.hierarchy)
      let inSteps = try MigratedStore(path: steppedPath, model: destination.hierarchy)
      #expect(once.graph == inSteps.graph, "direct and step by step differ at \(destination.name)")
      #expect(once.schema == inSteps.schema, "the schemas differ at \(destination.name)")
      #expect(once.metadata.entries == inSteps.metadata.entries)
    }
    print("\(store.testDescription): \(tally)")
    #expect(tally.migrated > 0 || tally.notInferable + tally.blocked == positions.count)
  }

  private static let emptyStores = CorpusStore.all(in: "stores-empty", atMost: 2)

  @Test("a store without rows reaches the last version", arguments: emptyStores)
  func reachesTheLastVersion(_ store: CorpusStore) throws {
    let destination = try #require(store.later.last)
    let pathFinder = MigrationPathFinder()
    let path = CorpusStore.copy(store.url)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let before = try MigratedStore(path: CorpusStore.copy(store.url), model: store.source.hierarchy)
    var tally = Tally()
    switch try ConsentingMigration.run(path, to: destination, among: store.versions, pathFinder: pathFinder) {
    case .migrated:
      tally.migrated += 1
      try compare(before, path, store, destination, pathFinder, &tally)
    case .notInferable: tally.notInferable += 1
    case .blocked: tally.blocked += 1
    }
    print("\(store.testDescription): \(tally)")
    #expect(tally.blocked == 0, "a store without rows has none in the way")
  }

  struct Tally: CustomStringConvertible {
    var migrated = 0
    var stepped = 0
    var notInferable = 0
    var blocked = 0
    var values = 0
    var links = 0

    var description: String {
      """
      \(migrated) versions reached in one part, \(stepped) also step by step, \(values) values and \(links) links \
      compared; \(notInferable) not inferable, \(blocked) blocked by rows
      """
    }
  }

  private func compare(
    _ before: MigratedStore, _ path: String, _ store: CorpusStore, _ destination: LoadedVersion,
    _ pathFinder: MigrationPathFinder, _ tally: inout Tally
  ) throws {
    let after = try MigratedStore(path: path, model: destination.hierarchy)
    let migrationPath = try pathFinder.migrationPath(from: store.source, to: destination, among: store.versions)
    guard let mapping = migrationPath.parts.first?.mapping, mapping.isInferred else {
      Issue.record("nothing is inferred to \(destination.name)")
      return
    }
    var comparison = GraphComparison(
      before: before.graph, after: after.graph, source: store.source.hierarchy, destination: destination.hierarchy,
      mapping: mapping)
    let differences = comparison.differences()
    tally.values += comparison.comparedValues
    tally.links += comparison.comparedLinks
    #expect(differences.isEmpty, "to \(destination.name)")
    #expect(try wrongSchema(path, destination) == [], "to \(destination.name)")
    #expect(after.metadata.versionHashes == destination.versionHashes)
    #expect(after.metadata.digest == destination.versionHashes.digest)
    #expect(after.metadata.checksum == destination.versionHashes.checksum)
    #expect(after.metadata.uuid == before.metadata.uuid)
    for (key, value) in before.metadata.entries where !Self.modelKeys.contains(key) {
      #expect(after.metadata.entries[key] == value, "application key \(key)")
    }
  }

  /// The metadata entries that belong to the version and not to the app.
  private static let modelKeys: Set<String> = [
    "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
  ]

  /// Where the schema is not the destination's, apart from what the app made itself.
  private func wrongSchema(_ path: String, _ destination: LoadedVersion) throws -> [String] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let snapshot = try reader.snapshot(counting: false)
    let bound = BoundLayout(of: destination.hierarchy, to: snapshot)
    return (bound.deviations + bound.layout.differences(from: snapshot)).filter { difference in
      switch difference {
      case .extraTable, .serviceTable, .indexName, .joinTableName: false
      default: true
      }
    }.map(\.description)
  }
}
