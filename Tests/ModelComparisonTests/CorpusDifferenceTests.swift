import Foundation
import ModelComparison
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Differences of the corpus' versions", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusDifferenceTests {
  @Test("for every neighbouring pair, the difference agrees with every hash")
  func neighbours() throws {
    guard let folder = Corpus.folder else { return }
    var all: [(former: (String, ManagedObjectModel), latter: (String, ManagedObjectModel), bundle: String)] = []
    for bundle in ModelBundle.discover(under: folder.appendingPathComponent("models").path) {
      let models = bundle.versions.compactMap { version in (try? version.load()).map { (version.name, $0.model) } }
      all += zip(models, models.dropFirst()).map { ($0, $1, bundle.name) }
    }
    let chosen = CorpusSample.of(all, atMost: 25)
    var (pairs, changes) = (0, 0)
    for (former, latter, bundle) in chosen {
      guard (try? EntityHierarchy(former.1)) != nil, (try? EntityHierarchy(latter.1)) != nil else { continue }
      try HashOracle.expectAgreement(from: former.1, to: latter.1, "\(bundle) \(former.0) → \(latter.0)")
      try HashOracle.expectAgreement(from: latter.1, to: former.1, "\(bundle) \(latter.0) → \(former.0)")
      changes += try ModelDifference(from: former.1, to: latter.1).changes.count
      pairs += 1
    }
    print(
      "compared \(CorpusSample.scope(pairs, of: all.count)) neighbouring pairs both ways,",
      "\(changes) changes forward")
    #expect(pairs > CorpusSample.least(100, sampled: 20))
  }
}
