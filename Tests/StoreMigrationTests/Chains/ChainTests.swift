import Foundation
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Random chains of versions with real stores: one hop in place, one hop in a copy and step by step end alike.
@Suite("One hop on a store equals step by step")
struct ChainTests {
  /// `MODELCTL_SEEDS` sets how many seeds run, `MODELCTL_FIRST_SEED` where they begin.
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["MODELCTL_SEEDS"].flatMap(UInt64.init) ?? 60
    let first = environment["MODELCTL_FIRST_SEED"].flatMap(UInt64.init) ?? 0
    return Array(first..<(first + count))
  }()

  @Test("in place, in a copy and step by step make the same store", arguments: [seeds])
  func oneHopEqualsSteps(_ seeds: [UInt64]) throws {
    var tally = ChainTrial.Tally()
    for seed in seeds { try ChainTrial(seed: seed).run(&tally) }
    print(tally)
    #expect(tally.migrated * 2 > seeds.count)
  }
}
