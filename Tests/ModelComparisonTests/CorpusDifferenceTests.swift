import Foundation
import ModelComparison
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("Differences of the corpus' versions", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusDifferenceTests {
  @Test("for every neighbouring pair the difference says of every hash what the hashes say")
  func neighbours() throws {
    guard let folder = Corpus.folder else { return }
    var pairs = 0
    var changes = 0
    for bundle in ModelBundle.discover(under: folder.appendingPathComponent("models").path) {
      let models = bundle.versions.compactMap { version in (try? version.load()).map { (version.name, $0.model) } }
      for (former, latter) in zip(models, models.dropFirst()) {
        guard (try? EntityHierarchy(former.1)) != nil, (try? EntityHierarchy(latter.1)) != nil else { continue }
        try HashOracle.expectAgreement(from: former.1, to: latter.1, "\(bundle.name) \(former.0) → \(latter.0)")
        try HashOracle.expectAgreement(from: latter.1, to: former.1, "\(bundle.name) \(latter.0) → \(former.0)")
        changes += try ModelDifference(from: former.1, to: latter.1).changes.count
        pairs += 1
      }
    }
    print("compared \(pairs) neighbouring pairs both ways, \(changes) changes forward")
    #expect(pairs > 100)
  }
}
