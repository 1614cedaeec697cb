import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// The corpus' mapping models over the corpus' stores: part by part against a migration object by object, then at once.
@Suite("Mapping models of the corpus", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct MappedCorpusTests {
  @Test("Every store takes every path with mapping models, and each step has the effect of its mapping")
  func stores() async throws {
    let mappings = CorpusMapping.all()
    let repositories = Set(mappings.map(\.repository))
    var loaded: [String: [KnownMapping]] = [:]
    let chosen = CorpusStore.first(2, in: "stores", of: repositories.contains) { store in
      let bundle = store.versions[0].bundle
      let own = mappings.filter { $0.repository == store.repository }.map(\.path)
      let known = loaded[bundle] ?? KnownMapping.load(from: own, among: store.versions).mappings
      loaded[bundle] = known
      return known.contains { Self.isReached($0, by: store) } ? (store: store, mappings: known) : nil
    }
    let tally = try await withThrowingTaskGroup(of: MappedTally.self) { group in
      for (store, mappings) in chosen { group.addTask { try Self.tally(store, mappings: mappings) } }
      return try await group.reduce(into: MappedTally()) { $0.add($1) }
    }
    print("mapped corpus, \(chosen.count) stores (MODELCTL_SEED=\(CorpusSample.seed)): \(tally)")
    #expect(tally.mappedParts > 0)
    #expect(tally.throughout > 0)
    #expect(tally.objects > 0)
  }

  /// True when a store is, or may become, of the version that a mapping model leads from.
  private static func isReached(_ mapping: KnownMapping, by store: CorpusStore) -> Bool {
    let hashes = mapping.source.versionHashes
    return store.source.versionHashes == hashes || store.later.contains { $0.versionHashes == hashes }
  }

  /// One store on every path from it that contains one of its bundle's mapping models.
  private static func tally(_ store: CorpusStore, mappings known: [KnownMapping]) throws -> MappedTally {
    var tally = MappedTally()
    var ways: Set<[String]> = []
    for mapping in known {
      let pathFinder = MigrationPathFinder(mappings: [mapping] + known.filter { $0.connects(to: mapping) })
      guard isReached(mapping, by: store),
        let migrationPath = try? pathFinder.migrationPath(
          from: store.source, to: mapping.destination, among: store.versions),
        migrationPath.parts.contains(where: { $0.mappingPath != nil }),
        ways.insert(migrationPath.parts.map { "\($0.versions.map(\.name)) \($0.mappingPath ?? "")" }).inserted
      else { continue }
      try MappedCorpusTrial(store: store, migrationPath: migrationPath).run(&tally)
    }
    return tally
  }
}

/// The totals of a run over the corpus.
struct MappedTally: CustomStringConvertible, Sendable {
  var stores = 0
  var mappedParts = 0
  var inferredParts = 0
  var throughout = 0
  var objects = 0
  var links = 0
  var shapes = 0
  var blocked: [String: Int] = [:]

  mutating func add(_ other: MappedTally) {
    stores += other.stores
    mappedParts += other.mappedParts
    inferredParts += other.inferredParts
    throughout += other.throughout
    objects += other.objects
    links += other.links
    shapes += other.shapes
    blocked.merge(other.blocked, uniquingKeysWith: +)
  }

  var description: String {
    let reasons = blocked.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: "; ")
    return """
      \(stores) ways of stores; \(mappedParts) mapped parts with \(objects) objects and \(links) links as object by \
      object, \(inferredParts) inferred parts; \(throughout) ways at once as part by part; \(shapes) of the shape of the \
      app's own store; stopped by rows or policies: \(reasons.isEmpty ? "none" : reasons)
      """
  }
}

/// A mapping model of the corpus.
struct CorpusMapping {
  let repository: String
  let path: String

  static func all() -> [CorpusMapping] {
    Corpus.files(in: "mapping-models") { $0 == "xcmapping.xml" }.map { url in
      let parts = url.pathComponents
      let repository = parts.firstIndex(of: "mapping-models").map { parts[$0 + 1] } ?? ""
      return CorpusMapping(repository: repository, path: url.path)
    }
  }
}

extension KnownMapping {
  /// True when one may follow the other on a way.
  fileprivate func connects(to other: KnownMapping) -> Bool {
    destination.versionHashes == other.source.versionHashes || source.versionHashes == other.destination.versionHashes
  }
}
