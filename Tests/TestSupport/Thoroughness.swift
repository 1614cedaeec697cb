import Foundation

/// The share of a large set of cases that a run uses.
public enum Thoroughness {
  /// True when `MODELCTL_THOROUGH` is set: every case, as `scripts/torture` wants it.
  public static let isFull = !(ProcessInfo.processInfo.environment["MODELCTL_THOROUGH"] ?? "").isEmpty

  /// Chooses positions, evenly spread, the first and the last included; a run of the whole corpus looks at all as well.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - limit: how many are enough when the run is not full.
  /// - Returns: the positions.
  public static func positions(of count: Int, atMost limit: Int) -> Set<Int> {
    guard !isFull, !CorpusSample.isWhole, count > limit, limit > 1 else { return Set(0..<count) }
    return Set((0..<limit).map { $0 * (count - 1) / (limit - 1) })
  }
}
