import Foundation

/// How much of a large set of cases a run goes through.
public enum Thoroughness {
  /// True when `MODELCTL_THOROUGH` is set: every case, as `scripts/torture` wants it.
  public static let isFull = !(ProcessInfo.processInfo.environment["MODELCTL_THOROUGH"] ?? "").isEmpty

  /// The positions to look at: all of them in a full run, else at most a number of them, evenly spread, the first and
  /// the last included. A run of the whole corpus looks at all as well.
  public static func positions(of count: Int, atMost limit: Int) -> Set<Int> {
    guard !isFull, !CorpusSample.isWhole, count > limit, limit > 1 else { return Set(0..<count) }
    return Set((0..<limit).map { $0 * (count - 1) / (limit - 1) })
  }
}
