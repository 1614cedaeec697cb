import Foundation
import ModelDescription
import PersistentStores
import TestSupport
import Testing
import VersionHashing

/// Every store of the corpus against the layout of its model.
@Suite struct LayoutCorpusTests {
  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func storesAreLaidOutAsPredicted() throws {
    let models = LayoutCorpusStore.models()
    var tally = LayoutTally()
    for store in try LayoutCorpusStore.all() {
      let candidates = (models[store.hashes] ?? []).map { (model: $0, bound: BoundLayout(of: $0, to: store.snapshot)) }
      guard let best = candidates.min(by: { $0.bound.missingIndexes < $1.bound.missingIndexes }) else {
        tally.withoutModel.append(store.name)
        continue
      }
      tally.count(store, SQLStoreLayout(of: best.model), best.bound)
    }
    print(tally.summary)
    for line in tally.unexplained { print(line) }
    #expect(tally.unexplained == [])
    #expect(tally.stores > 150)
  }
}

extension BoundLayout {
  /// How many indexes of the model the store lacks; models of one hash may declare different ones.
  fileprivate var missingIndexes: Int {
    deviations.count { if case .missingIndex = $0 { true } else { false } }
  }
}
