import Foundation
import TestSupport
import Testing

@Suite("Expressions in SQL give the same values as object by object")
struct ExpressionPropertyTests {
  private static let runs: Range<UInt64> = 0..<(CorpusSample.isWhole ? 60 : 40)
  private static let expressions = 150

  @Test("random expressions over random rows of random models")
  func agree() throws {
    var tally = ExpressionTrial.Tally()
    var differences: [String] = []
    for seed in Self.runs {
      differences += try ExpressionTrial(seed: seed).run(Self.expressions, &tally)
      if differences.count > 3 { break }
    }
    print("seeds \(Self.runs): \(tally)")
    #expect(differences.prefix(3).joined(separator: "\n") == "")
    #expect(tally.values > 3_000)
    #expect(tally.conditions > 1_000)
    #expect(tally.links > 500)
  }
}
