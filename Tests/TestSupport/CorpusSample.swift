import Foundation

/// The cases of the corpus that a run uses: a seeded sample, or every case with `MODELCTL_CORPUS_ALL=1`.
public enum CorpusSample {
  /// True when `MODELCTL_CORPUS_ALL` is set.
  public static let isWhole = !(ProcessInfo.processInfo.environment["MODELCTL_CORPUS_ALL"] ?? "").isEmpty

  /// The seed of the choice: `MODELCTL_SEED`, else one for all runs, so that a commit passes tomorrow if it passes today.
  public static let seed: UInt64 = ProcessInfo.processInfo.environment["MODELCTL_SEED"].flatMap { UInt64($0) } ?? 1

  /// Chooses among cases.
  ///
  /// - Parameters:
  ///   - cases: every case.
  ///   - limit: how many a run goes through that is not whole.
  /// - Returns: the chosen cases in their order.
  public static func of<Case>(_ cases: [Case], atMost limit: Int) -> [Case] {
    of(cases, share: 1, atMost: limit)
  }

  /// Chooses among cases that take long each: in a whole run one of a few.
  ///
  /// - Parameters:
  ///   - cases: every case.
  ///   - share: one of how many a whole run goes through.
  ///   - limit: how many a run goes through that is not whole.
  /// - Returns: the chosen cases in their order.
  public static func of<Case>(_ cases: [Case], share: Int, atMost limit: Int) -> [Case] {
    let limit = isWhole ? max(limit, cases.count / share) : limit
    guard cases.count > limit else { return cases }
    var generator = SeededGenerator(seed: seed)
    return cases.indices.shuffled(using: &generator).prefix(limit).sorted().map { cases[$0] }
  }

  /// The cases in an order that the seed chooses, for tests that go on until they have seen enough.
  ///
  /// - Parameter cases: every case.
  /// - Returns: all of them.
  public static func mixed<Case>(_ cases: [Case]) -> [Case] {
    var generator = SeededGenerator(seed: seed)
    return cases.shuffled(using: &generator)
  }

  /// The number that a count must exceed, so that a sample is allowed less and a whole run is not.
  ///
  /// - Parameters:
  ///   - whole: what a whole run exceeds.
  ///   - sampled: what a sample exceeds.
  /// - Returns: the one that fits this run.
  public static func least(_ whole: Int, sampled: Int) -> Int {
    isWhole ? whole : sampled
  }

  /// What a test prints about how much of the corpus it went through.
  ///
  /// - Parameters:
  ///   - count: how many cases it went through.
  ///   - total: how many there are.
  /// - Returns: both counts, and the seed where cases were left out.
  public static func scope(_ count: Int, of total: Int) -> String {
    count == total ? "all \(total)" : "\(count) of \(total) (MODELCTL_SEED=\(seed))"
  }
}
