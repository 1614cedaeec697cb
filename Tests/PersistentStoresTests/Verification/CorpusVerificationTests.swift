import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

@Suite("Stores that Core Data made are sound", .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct CorpusVerificationTests {
  @Test("Every store of the corpus whose model is known, judged by that model")
  func everyStore() throws {
    var counts: [String: Int] = [:]
    var verified = 0
    let all = Corpus.sqliteStores
    let stores = CorpusSample.of(all, atMost: 10)
    for store in stores {
      let copy = try StoreCopy(of: store)
      let reader = try StoreReader(path: copy.path)
      let known = try CorpusVersions.holding(store, readBy: reader)
      guard let model = try reader.identify(among: known).model else { continue }
      verified += 1
      for problem in try reader.verify(against: EntityHierarchy(model)) {
        let name = "\(problem.severity.rawValue) \(problem.kind.rawValue)"
        counts[name, default: 0] += 1
        if counts[name, default: 0] <= 12 { print("  \(store.lastPathComponent): \(problem)") }
      }
    }
    print(
      "verified: \(CorpusSample.scope(verified, of: all.count)) stores, problems by kind:",
      "\(counts.sorted { $0.key < $1.key })")
    #expect(verified > CorpusSample.least(150, sampled: stores.count * 3 / 4))
    #expect(counts.keys.allSatisfy { $0 == "warning schema" })
  }
}
