import ModelDescription
import PersistentStores
import TestSupport
import Testing
import VersionHashing

/// Every store of the corpus against the layout of its model.
@Suite struct LayoutCorpusTests {
  /// The origin of a store's model.
  enum ModelSource: String, CaseIterable {
    case contents = "the model file of the same hash"
    case cache = "the store's own cached model"

    /// The minimum number of stores with such a model.
    var stores: Int {
      switch self {
      case .contents: CorpusSample.least(190, sampled: 25)
      case .cache: CorpusSample.least(185, sampled: 25)
      }
    }
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)), arguments: ModelSource.allCases)
  func storesAreLaidOutAsPredicted(source: ModelSource) throws {
    let models = source == .contents ? LayoutCorpusStore.models() : [:]
    var tally = LayoutTally()
    for store in try LayoutCorpusStore.chosen.get() {
      let candidates = source == .contents ? models[store.hashes] ?? [] : [store.cachedModel].compactMap { $0 }
      let names = SelfJoinNames(frameworkVersion: store.frameworkVersion)
      let bound = candidates.map { (model: $0, bound: BoundLayout(of: $0, to: store.snapshot, names: names)) }
      guard let best = bound.min(by: { $0.bound.missingIndexes < $1.bound.missingIndexes }) else { continue }
      tally.count(store, SQLStoreLayout(of: best.model, names: names), best.bound)
    }
    let scope = CorpusSample.scope(try LayoutCorpusStore.chosen.get().count, of: Corpus.sqliteStores.count)
    print("\(source.rawValue), \(scope) stores: \(tally.summary)")
    for line in tally.unexplained { print(line) }
    #expect(tally.unexplained.isEmpty)
    let guesses = tally.occurrences(of: .guessedSelfJoin)
    #expect(tally.misses("tables") == guesses)
    #expect(tally.misses("columns") == 2 * guesses)
    #expect(tally.misses("Z_PRIMARYKEY rows") == tally.occurrences(of: .formerEntityName))
    for kind in [
      "join tables of two entities, and of one relationship", "self-joins by both orders",
      "orders of Z_FOK columns in fresh stores", "column sets", "indexes", "CREATE TABLE of fresh stores",
      "CREATE INDEX of fresh stores",
    ] {
      #expect(tally.misses(kind) == 0, "\(kind)")
    }
    #expect(tally.stores >= source.stores)
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func aForeignModelGivesDifferencesAndNoCrash() throws {
    let stores = try LayoutCorpusStore.chosen.get()
    let models = LayoutCorpusStore.models(in: ["models-by-hash"]).values.compactMap(\.first)
    var pairs = 0
    for (position, model) in models.enumerated() {
      for store in stores.dropFirst(position % 21).enumerated().filter({ $0.offset % 21 == 0 }).map(\.element)
      where store.hashes.entities.count != model.model.entities.count {
        let bound = BoundLayout(of: model, to: store.snapshot)
        #expect(bound.deviations != [] || bound.layout.differences(from: store.snapshot) != [])
        pairs += 1
      }
    }
    print("bound \(pairs) foreign models")
    #expect(pairs > CorpusSample.least(500, sampled: 100))
  }
}

extension BoundLayout {
  /// How many indexes of the model the store lacks; models of one hash may declare different ones.
  fileprivate var missingIndexes: Int {
    deviations.count { if case .missingIndex = $0 { true } else { false } }
  }
}
