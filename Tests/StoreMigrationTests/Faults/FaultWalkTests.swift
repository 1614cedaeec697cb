import Foundation
import TestSupport
import Testing

/// `MODELCTL_TORTURE=1` lets every operation go wrong in every way; otherwise a sample of them does.
@Suite("After any fault the store is the complete old store or the complete new store")
struct FaultWalkTests {
  private static let isFull =
    ProcessInfo.processInfo.environment["MODELCTL_TORTURE"] != nil
    && ProcessInfo.processInfo.environment["MODELCTL_TORTURE_SAMPLE"] == nil
  /// `MODELCTL_TORTURE_KIND` chooses the kinds of plan that have it in their name.
  private static let kinds: [FaultSubject.Kind] = {
    let chosen = ProcessInfo.processInfo.environment["MODELCTL_TORTURE_KIND"] ?? ""
    return FaultSubject.Kind.allCases.filter { chosen.isEmpty || $0.rawValue.contains(chosen) }
  }()
  /// `MODELCTL_TORTURE_SAMPLE` is how many faults of each kind of plan are enough.
  private static let sampleSize = Int(ProcessInfo.processInfo.environment["MODELCTL_TORTURE_SAMPLE"] ?? "") ?? 4

  @Test("At every operation on a file", arguments: kinds)
  func walk(_ kind: FaultSubject.Kind) throws {
    let subject = try FaultSubject(kind)
    let clean = try FaultTrial(subject, FaultPoint(operation: 0, kind: .error, seed: 0))
    #expect(clean.losses == [])
    try #require(clean.operations > 5)
    var injected = 0
    var losses = 0
    var unconfirmed = 0
    for point in Self.points(operations: clean.operations, of: kind) {
      let trial = try FaultTrial(subject, point)
      injected += 1
      losses += trial.losses.count
      unconfirmed += trial.isUnconfirmed ? 1 : 0
      if !trial.losses.isEmpty, losses < 20 {
        Issue.record("\(point), \(trial.struck ?? "the end"): \(trial.losses.joined(separator: "; "))")
      }
    }
    print(
      "\(kind.rawValue): \(clean.operations) operations, faults injected: \(injected), losses: \(losses)"
        + (unconfirmed > 0 ? ", failed at the commit and new: \(unconfirmed)" : ""))
    #expect(losses == 0)
    // One operation ends the transaction: it can fail, or be torn.
    #expect(unconfirmed <= 2)
  }

  /// Every fault at every operation; the power also goes when all is done, which must not undo it.
  private static func points(operations: Int, of subject: FaultSubject.Kind) -> [FaultPoint] {
    let all = FaultKind.allCases.flatMap { kind in
      (1...operations + (kind.isPowerCut ? 1 : 0)).flatMap { operation in
        (1...(kind == .partialPowerCut && isFull ? 3 : 1)).map { seed in
          FaultPoint(operation: operation, kind: kind, seed: UInt64(operation * 10 + seed))
        }
      }
    }
    if let text = ProcessInfo.processInfo.environment["MODELCTL_TORTURE_OPERATION"], let operation = Int(text) {
      return all.filter { $0.operation == operation }
    }
    guard !isFull else { return all }
    var generator = SeededGenerator(seed: UInt64(subject.rawValue.utf8.count))
    let last = all.filter { $0.operation > operations }
    return last + all.shuffled(using: &generator).prefix(sampleSize)
  }
}
