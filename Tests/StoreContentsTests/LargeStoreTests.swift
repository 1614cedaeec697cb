import Foundation
import MigrationSQL
import Testing

@testable import StoreContents

@Suite("The cost of large stores")
struct LargeStoreTests {
  @Test("The table of texts has room in proportion to the store, from 8 MiB to 128 MiB")
  func texts() {
    let mebibyte = Int64(1) << 20
    #expect(OriginalTexts.logarithm(storeBytes: 0) == 26)
    #expect(OriginalTexts.logarithm(storeBytes: 206 * mebibyte) == 26)
    #expect(OriginalTexts.logarithm(storeBytes: 400 * mebibyte) == 27)
    #expect(OriginalTexts.logarithm(storeBytes: 2048 * mebibyte) == 29)
    #expect(OriginalTexts.logarithm(storeBytes: 1 << 50) == 30)
  }

  @Test("Regular expressions have a limit for all values together, and report if it is reached")
  func expressions() throws {
    let expressions = RegularExpressions(sumLimit: 10)
    #expect(expressions.matchesWhole("aaab", "(a+)+b") && !expressions.isUsedUp)
    // Each of these ends, long before a single match is given up.
    let text = String(repeating: "a", count: 20)
    for _ in 0..<3 { #expect(!expressions.matchesWhole(text, "(a+)+b")) }
    #expect(expressions.isUsedUp)
    #expect(throws: PatternSumError.self) { try expressions.checkSum() }
    // No more is tried, not even what ends at once.
    #expect(!expressions.matchesWhole("aaab", "(a+)+b"))
    #expect(!RegularExpressions().isUsedUp)
  }
}
