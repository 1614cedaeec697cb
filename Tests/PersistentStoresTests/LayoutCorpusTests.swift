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
      guard let model = models[store.hashes] else { continue }
      tally.count(store, SQLStoreLayout(of: model), BoundLayout(of: model, to: store.snapshot))
    }
    print(tally.summary)
    for line in tally.unexplained { print(line) }
    #expect(tally.unexplained == [])
    #expect(tally.stores > 150)
  }
}
