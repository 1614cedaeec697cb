import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Hostile input, without libFuzzer: what it found is replayed, and changed by chance that a seed repeats.
///
/// A crash stops the run. `MODELCTL_FUZZ_TRACE=1` writes each input to a file first, to tell which it was.
@Suite(.serialized) struct FuzzRegressionTests {
  /// Generous for a build for debugging; ten times less is usual.
  private static let secondLimit = 20.0

  @Test("Inputs that once caused a finding no longer do", arguments: FuzzInputs.regressions)
  func regression(input: FuzzInputs.Input) throws {
    try run(input.data(), by: input.target)
  }

  @Test("The committed inputs, and changes of them, lead to no finding", arguments: FuzzTarget.allCases)
  func corpus(target: FuzzTarget) throws {
    let all = FuzzInputs.corpus(of: target)
    let inputs = try CorpusSample.of(all, atMost: 3).map { try $0.data() }
    #expect(!inputs.isEmpty, "there is no corpus; make one with: scripts/fuzz --minutes 1 \(target.rawValue)")
    // Few, because scripts/fuzz changes them without end.
    let count = [.store, .query, .rescue, .bundle, .load].contains(target) ? 4 : 8
    var seconds = 0.0
    for input in inputs { seconds += try run(input, by: target) }
    var mutation = FuzzMutation(seed: 20_010_101)
    for number in 0..<(inputs.isEmpty ? 0 : count) {
      let (input, other) = (inputs[number % inputs.count], inputs[(number * 7 + 3) % inputs.count])
      seconds += try run(mutation.mutated(input, with: other), by: target)
    }
    let scope = CorpusSample.scope(inputs.count, of: all.count)
    print("\(target.rawValue): \(scope) inputs, \(count) changed, \((seconds * 10).rounded() / 10) s")
  }

  @Test("docs/about/reliability.md says how many doors there are")
  func doors() throws {
    let page = SampleModels.package.appendingPathComponent("docs/about/reliability.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains(" on \(FuzzTarget.allCases.count) doors: "))
  }

  @discardableResult
  private func run(_ data: Data, by target: FuzzTarget) throws -> Double {
    if ProcessInfo.processInfo.environment["MODELCTL_FUZZ_TRACE"] != nil {
      try data.write(to: FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-fuzz-input"))
    }
    let seconds = try ProcessorTime.seconds { try target.run(data) }
    #expect(seconds < Self.secondLimit, "\(target.rawValue): \(seconds) s for \(data.count) bytes")
    return seconds
  }
}
