import Foundation
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Random chains of versions with real stores: in place, in a copy and step by step end alike.
@Suite("A direct migration of a store equals step by step")
struct ChainTests {
  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? (CorpusSample.isWhole ? 40 : 15)
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    return regressions.filter { !(first..<(first + count)).contains($0) } + Array(first..<(first + count))
  }()

  /// Seeds that once found a mistake beyond the first ones.
  private static let regressions: [UInt64] = [105, 119, 208, 9_100_009, 9_200_545]

  @Test("in place, in a copy and step by step make the same store")
  func directEqualsSteps() {
    var tally = ChainTrial.Tally()
    for seed in Self.seeds {
      do {
        try ChainTrial(seed: seed).run(&tally)
      } catch {
        Issue.record(error, "seed \(seed)")
      }
    }
    print(tally)
    #expect(tally.migrated * 2 > Self.seeds.count)
  }
}
