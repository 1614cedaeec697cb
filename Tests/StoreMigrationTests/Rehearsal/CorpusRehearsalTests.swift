import Foundation
import ModelFiles
import PersistentStores
import Rehearsals
import StoreMigration
import TestSupport
import Testing

/// Real bundles, a few old versions of each.
@Suite("Rehearsal of real bundles", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusRehearsalTests {
  /// How many old versions of a bundle are rehearsed, and how many versions lie before the current one at the most.
  private static let (sampleCount, chainLimit) = (Thoroughness.isFull ? 2 : 1, 12)

  /// `MODELCTL_FIRST_SEED` sets the seed, and with it which old versions are taken.
  private static let seed = ProcessInfo.processInfo.environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 1

  @Test("Every path of a sample of old versions passes, or there is none")
  func sample() throws {
    var (versions, migrations, values, links, refused, impossible) = (0, 0, 0, 0, 0, 0)
    for bundle in CorpusSample.of(CorpusMatrixTests.bundles, atMost: 3) {
      guard let end = bundle.firstIndex(where: \.isCurrent), end > 0 else { continue }
      let folder = try TemporaryFolder()
      var request = RehearsalRequest(
        versions: bundle, destination: bundle[end], rows: SyntheticRows(seed: Self.seed, rowsPerEntity: 4),
        folder: folder.url.path)
      let candidates = Array(bundle[max(0, end - Self.chainLimit)..<end])
      request.sources = (0..<min(Self.sampleCount, candidates.count)).map { number in
        candidates[(Int(Self.seed % 1000) + number * 7) % candidates.count]
      }
      for version in try Rehearsal(request).run() {
        versions += 1
        if version.kind == .impossible { impossible += 1 }
        if version.isRefused { refused += 1 }
        for attempt in version.attempts {
          migrations += attempt.trips.count
          values += attempt.comparedValues
          links += attempt.comparedLinks
          #expect(attempt.failures == [], "\(bundle[end].bundle) \(version.source), seed \(Self.seed)")
        }
      }
    }
    print(
      """
      \(versions) old versions rehearsed, \(migrations) migrations, \(values) values and \(links) links compared; \
      \(refused) refused because of rows, \(impossible) without a way
      """)
    #expect(versions > CorpusSample.least(20, sampled: 2) && values > CorpusSample.least(5_000, sampled: 1_000))
  }
}
