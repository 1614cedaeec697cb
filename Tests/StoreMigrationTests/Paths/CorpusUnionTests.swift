import Foundation
import ModelFiles
import PersistentStores
import Rehearsals
import StoreMigration
import TestSupport
import Testing

/// Real bundles merged by pairs: the corpus has no store that several bundles of one repository made.
@Suite("Real bundles merged", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusUnionTests {
  /// Neighbours in the list of bundles, each with at most four versions that end in the current one, as far as their
  /// current versions can be merged.
  private static let pairs: [[[LoadedVersion]]] = {
    let bundles = CorpusMatrixTests.bundles.compactMap { versions in
      versions.firstIndex(where: \.isCurrent).map { Array(versions[max(0, $0 - 3)...$0]) }
    }
    return zip(bundles, bundles.dropFirst()).map { [$0, $1] }.filter { pair in
      (try? LoadedVersion(merging: pair.compactMap(\.last))) != nil
    }
  }()

  @Test("A union is known by its parts, and every path to the current versions gives the same rows")
  func rehearsed() throws {
    let sample = CorpusSample.of(Self.pairs, atMost: 1)
    var (paths, migrations, values, impossible) = (0, 0, 0, 0)
    for pair in sample {
      let destination = try LoadedVersion(merging: pair.compactMap(\.last))
      let path = UnionPath(pair).versions(from: nil, to: destination)
      #expect(path.count <= pair.reduce(1) { $0 + $1.count - 1 })
      // Where one bundle has all that the other has, its own version is the store's.
      for version in path.dropLast() where !version.parts.contains(where: { $0.versionHashes == version.versionHashes })
      {
        let parts = LoadedVersion.parts(of: version.versionHashes, among: pair.flatMap(\.self))
        #expect(parts?.map(\.versionHashes) == version.parts.map(\.versionHashes), "\(version.bundle) \(version.name)")
      }
      guard path.count > 1 else { continue }
      paths += 1
      let folder = try TemporaryFolder()
      var request = RehearsalRequest(
        versions: path, destination: destination, rows: SyntheticRows(seed: 1, rowsPerEntity: 4),
        folder: folder.url.path)
      request.sources = Array(path.prefix(1))
      for version in try Rehearsal(request).run() {
        if version.kind == .impossible { impossible += 1 }
        for attempt in version.attempts {
          migrations += attempt.trips.count
          values += attempt.comparedValues
          #expect(attempt.failures == [], "\(destination.bundle) \(version.source)")
        }
      }
    }
    print(
      """
      merged bundles: \(CorpusSample.scope(sample.count, of: Self.pairs.count)) pairs, \(paths) paths, \
      \(migrations) migrations, \(values) values compared, \(impossible) without a path
      """)
    #expect(paths > 0 && values > 0)
  }
}
