/// A fault of a kind at the n-th operation of a run.
struct FaultPoint: Sendable, CustomStringConvertible {
  /// The first operation has the number 1; 0 lets all happen.
  var operation: Int
  var kind: FaultKind
  /// Chooses what a partial power cut leaves.
  var seed: UInt64

  var description: String { "\(kind.rawValue) at operation \(operation), seed \(seed)" }
}
