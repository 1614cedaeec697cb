import Foundation
import MappingModels
import ModelFiles
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// The verdicts about real bundles, compared with inference and with the search for paths.
@Suite("Every pair of versions of real bundles", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusMatrixTests {
  /// The bundles that have several usable versions.
  static let bundles: [[LoadedVersion]] = ModelBundle.bundlePaths(under: Corpus.folder?.path ?? "/dev/null")
    .compactMap { try? ModelBundle(at: $0) }
    .map { LoadedVersion.load(from: [$0]).versions }.filter { $0.count > 1 }

  @Test("A step is possible only if a mapping is inferred; a version is reachable only if a path is found")
  func truth() throws {
    var (pairs, counts) = (0, [MigrationVerdict.Kind: Int]())
    let most = CorpusSample.isWhole ? 200 : 100
    for versions in Self.bundles {
      let matrix = MigrationMatrix(of: versions)
      let pathFinder = MigrationPathFinder()
      let verdicts = matrix.verdicts(includingDowngrades: true)
      // Of a large bundle one or two hundred pairs, spread over all of it.
      for verdict in stride(from: 0, to: verdicts.count, by: max(1, verdicts.count / most)).map({ verdicts[$0] }) {
        pairs += 1
        counts[verdict.kind, default: 0] += 1
        let place = "\(verdict.source.bundleName) \(verdict.source.name) → \(verdict.destination.name)"
        let mapping = try? MappingModel.inferred(from: verdict.source.hierarchy, to: verdict.destination.hierarchy)
        #expect(verdict.isInferable == (mapping != nil), "\(place)")
        guard verdict.kind != .same, verdict.kind != .lightweight else { continue }
        let migrationPath = try? pathFinder.migrationPath(
          from: verdict.source, to: verdict.destination, among: versions)
        #expect(verdict.isReachable == (migrationPath != nil), "\(place)")
      }
    }
    print("\(Self.bundles.count) bundles, \(pairs) pairs: \(counts.map { "\($1) \($0)" }.sorted())")
    #expect(pairs > CorpusSample.least(1000, sampled: 700))
  }

  @Test("The current version is looked for from all others in a moment, also among ninety")
  func reachability() throws {
    let largest = Self.bundles.max { $0.count < $1.count }
    let versions = try #require(largest)
    let named = versions.first { $0.isCurrent }
    let current = try #require(named)
    var verdicts: [MigrationVerdict] = []
    let seconds = ProcessorTime.seconds { verdicts = MigrationMatrix(of: versions).verdicts(to: current) }
    print("\(verdicts.count) versions of \(current.bundleName) held against \(current.name) in \(seconds) s")
    #expect(verdicts.count > 80)
    #expect(verdicts.filter { !$0.isReachable }.map(\.source.name) == [])
    // Even a build for debugging is far below what inferring and composing every step takes.
    #expect(seconds < 5)
  }
}
