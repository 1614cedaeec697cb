import Foundation
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing
import VersionHashing

/// A store of the corpus, and a later version that the corpus has a store of which Core Data made.
struct NamesCase: CustomTestStringConvertible, Sendable {
  let url: URL
  let store: ReferenceStore
  let source: LoadedVersion
  /// The versions of its bundle, and its own where the bundle lacks it.
  let versions: [LoadedVersion]
  let destination: LoadedVersion
  /// The names in a destination store that Core Data wrote.
  let reference: ReferenceStore

  var testDescription: String { "\(url.pathComponents.suffix(2).joined(separator: "/")) to \(destination.name)" }

  /// The stores of the corpus, each with the model that it keeps of itself.
  private static let stores: [(url: URL, reference: ReferenceStore, cached: LoadedVersion?)] =
    Corpus.sqliteStores
    .concurrentMap { url -> (url: URL, reference: ReferenceStore, cached: LoadedVersion?)? in
      let path = CorpusStore.copy(url)
      defer { try? FileManager.default.removeItem(atPath: path) }
      guard let reference = try? ReferenceStore.read(path: path), let reader = try? StoreReader(path: path) else {
        return nil
      }
      defer { reader.close() }
      let cached = (try? reader.identify(among: []))?.model.flatMap { model in
        try? LoadedVersion(bundle: "", name: "cached model", isCurrent: false, model: model)
      }
      return (url, reference, cached)
    }.compactMap { $0 }

  /// The stores of the corpus by what their names show.
  static let references: [ReferenceStore] = stores.map(\.reference)

  /// Every store to every later version of which there is a store of Core Data's.
  static let all: [NamesCase] = {
    let made = Dictionary(references.map { ($0.versionHashes, $0) }) { first, _ in first }
    return stores.flatMap { store -> [NamesCase] in
      let repository = store.url.deletingLastPathComponent().lastPathComponent
      let bundles = CorpusVersions.bundles(of: repository)
      let hashes = store.reference.versionHashes
      let equal = { (version: LoadedVersion) in
        version.versionHashes.entities.filter { hashes.entities[$0.key] == $0.value }.count
      }
      if let versions = bundles.first(where: { $0.contains { $0.versionHashes == hashes } }) {
        let position = versions.lastIndex { $0.versionHashes == hashes } ?? 0
        return later(
          versions[(position + 1)...], of: store.url, store.reference, versions[position], made: made, among: versions)
      }
      let nearest = bundles.map { ($0, $0.map(equal).max() ?? 0) }.max { $0.1 < $1.1 }
      guard let cached = store.cached, let nearest, nearest.1 > 0 else { return [] }
      return later(
        nearest.0[...], of: store.url, store.reference, cached, made: made, among: nearest.0 + [cached])
    }
  }()

  /// The cases of one store; versions that differ only in their names count once.
  private static func later(
    _ candidates: ArraySlice<LoadedVersion>, of url: URL, _ store: ReferenceStore, _ source: LoadedVersion,
    made: [VersionHashes: ReferenceStore], among versions: [LoadedVersion]
  ) -> [NamesCase] {
    var seen: Set = [source.versionHashes]
    return candidates.compactMap { version in
      guard seen.insert(version.versionHashes).inserted, let reference = made[version.versionHashes] else { return nil }
      return NamesCase(
        url: url, store: store, source: source, versions: versions, destination: version, reference: reference)
    }
  }

  /// The tables of a store with their columns, and what the names of its self-joins rest on.
  struct Names: Sendable {
    let tables: [String: Set<String>]
    let joins: [SelfJoin]
  }

  /// The names of a snapshot's tables that the model has, with their columns.
  static func tables(_ snapshot: StoreSnapshot) -> [String: Set<String>] {
    Dictionary(
      snapshot.tables.filter { !$0.isSystem && !$0.isService && $0.name.hasPrefix("Z") }
        .map { ($0.name, Set($0.columns.map(\.name))) }
    ) { first, _ in first }
  }

  /// The known names in the store.
  var knownNames: SelfJoinNames {
    SelfJoinNames(
      of: store.snapshot, hierarchy: source.hierarchy, frameworkVersion: store.frameworkVersion,
      isOfCoreData: store.isOfCoreData)
  }

  /// The names that the layout of the destination has.
  ///
  /// - Parameter known: what is known of the names.
  /// - Returns: the names.
  func laidOut(_ known: SelfJoinNames) -> Names {
    let layout = SQLStoreLayout(of: destination.hierarchy, names: known)
    let tables = layout.tables.map { ($0.name, Set($0.columns.map(\.name))) }
    return Names(tables: Dictionary(tables) { first, _ in first }, joins: layout.selfJoins)
  }

  /// The names that the plan leaves, tried out on the store's schema without its rows.
  ///
  /// - Returns: nil where the plan is refused.
  func planned(_ path: String, pathFinder: MigrationPathFinder) throws -> Names? {
    let request = MigrationRequest(path: path, versions: versions, destination: destination, pathFinder: pathFinder)
    guard let prepared = try? StoreMigrator(request).plan().prepared else { return nil }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let snapshot = try reader.read { database in
      let rehearsal = try SchemaRehearsal(of: database, store: path)
      for stage in prepared.stages { try rehearsal.run(stage.plan) }
      return try rehearsal.snapshot()
    }
    return Names(tables: Self.tables(snapshot), joins: prepared.selfJoins)
  }

  /// The names in the store after a migration.
  ///
  /// - Returns: nil where rows stand in its way.
  func migrated(_ path: String, pathFinder: MigrationPathFinder) throws -> [String: Set<String>]? {
    guard
      case .migrated = try ConsentingMigration.run(path, to: destination, among: versions, pathFinder: pathFinder)
    else { return nil }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return Self.tables(try reader.snapshot(counting: false))
  }
}
