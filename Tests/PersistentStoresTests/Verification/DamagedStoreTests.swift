import Foundation
import PersistentStores
import Testing

@Suite("Damaged files never crash the program and are never changed by it")
struct DamagedStoreTests {
  @Test("Bytes changed at random, anywhere in a store", arguments: 0..<4)
  func randomDamage(round: Int) throws {
    let store = try LedgerStore()
    let sound = try Data(contentsOf: URL(fileURLWithPath: store.path))
    var generator = Generator(state: UInt64(round) &* 7_919 &+ 1)
    var refused = 0
    var found = 0
    for _ in 0..<60 {
      var damaged = sound
      for _ in 0..<(1 + Int(generator.next() % 40)) {
        let isNearTheStart = generator.next() % 3 == 0
        let range = UInt64(isNearTheStart ? min(8192, sound.count) : sound.count)
        damaged[Int(generator.next() % range)] = UInt8(truncatingIfNeeded: generator.next())
      }
      try damaged.write(to: URL(fileURLWithPath: store.path))
      do {
        let reader = try StoreReader(path: store.path)
        _ = try reader.identify(among: [])
        _ = try reader.snapshot(counting: true)
        found += try reader.verify(against: store.hierarchy).isEmpty ? 0 : 1
      } catch {
        refused += 1
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == damaged)
    }
    #expect(refused + found > 0)
  }

  /// Numbers that look random and are the same in every run (SplitMix64).
  struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
