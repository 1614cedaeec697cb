import VersionHashing

/// One of several equal parts of many stores, so that several machines share them.
///
/// Which part a store is in follows from its path alone: SHA-256 of the path in UTF-8, its first 15 hexadecimal digits
/// as a number, modulo the number of parts. It is the same on every machine and in every version.
public struct Shard: Hashable, Sendable {
  /// Which part, from 1.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// Chooses a part.
  ///
  /// - Returns: nil unless 1 ≤ index ≤ count.
  public init?(index: Int, of count: Int) {
    guard index >= 1, index <= count else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Takes `2/8` apart.
  ///
  /// - Returns: nil for what is no part.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Self.number(String($0)) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
    self.init(index: index, of: count)
  }

  /// Tells whether a store is in this part.
  ///
  /// - Parameter path: the store's path from the folder that was given, or as it was given itself.
  /// - Returns: true for one of the parts, false for all others.
  public func contains(_ path: String) -> Bool {
    guard count > 1 else { return true }
    let digits = TextDigest.hexadecimal(path).prefix(15)
    return Int(digits, radix: 16).map { $0 % count == index - 1 } ?? false
  }

  /// A number in digits only; Swift's own reading takes a sign as well.
  static func number(_ text: String) -> Int? { text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }
}

extension Shard: CustomStringConvertible {
  /// The form `2/8`.
  public var description: String { "\(index)/\(count)" }
}

/// Why the environment names no part.
public enum ShardError: Error, Hashable, Sendable {
  /// Nothing that shares out work has started this process.
  case none
  /// More than one thing has, so that it is not clear which counts.
  case several([String])
  /// A variable has no usable value.
  case value(variable: String, text: String?, expected: String)
  /// Two variables contradict each other.
  case contradiction(String)
}

extension ShardError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .none:
      """
      the environment has none of JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID (Slurm) and PARALLEL_SEQ \
      (GNU parallel); say --shard I/N
      """
    case .several(let variables):
      "the environment has \(variables.joined(separator: " and ")), and only one can count; say --shard I/N"
    case .value(let variable, let text, let expected):
      text.map { "\(variable) is “\($0)”, not \(expected)" } ?? "\(variable) is not set; set it to \(expected)"
    case .contradiction(let words): words
    }
  }
}

extension Shard {
  /// The variable that says how many parts there are where nothing else does.
  public static let countVariable = "MODELCTL_SHARDS"

  /// The part that this process was started for by Kubernetes, Slurm or GNU parallel.
  ///
  /// - Throws: ``ShardError`` when nothing is said, or what is said is wrong or contradictory.
  public static func detected(in environment: [String: String]) throws(ShardError) -> Shard {
    let starters = ["JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "PARALLEL_SEQ"].filter { environment[$0] != nil }
    guard let starter = starters.first else { throw .none }
    guard starters.count == 1 else { throw .several(starters) }
    switch starter {
    case "JOB_COMPLETION_INDEX": return try counted(environment, index: starter, from: 0)
    case "PARALLEL_SEQ": return try counted(environment, index: starter, from: 1)
    default: return try slurm(environment)
    }
  }

  /// The index is the starter's, the count ours.
  private static func counted(
    _ environment: [String: String], index variable: String, from first: Int
  ) throws(ShardError) -> Shard {
    let index = try number(variable, in: environment, expected: "a number from \(first)")
    let count = try number(countVariable, in: environment, expected: "the number of shards")
    guard let shard = Shard(index: index - first + 1, of: count) else {
      throw .contradiction(
        "\(variable) is \(index) and \(countVariable) is \(count); the index goes from \(first) to \(count - 1 + first)"
      )
    }
    return shard
  }

  private static func slurm(_ environment: [String: String]) throws(ShardError) -> Shard {
    let index = try number("SLURM_ARRAY_TASK_ID", in: environment, expected: "a number")
    let count = try number("SLURM_ARRAY_TASK_COUNT", in: environment, expected: "the number of tasks")
    let first = try number("SLURM_ARRAY_TASK_MIN", in: environment, expected: "the first task's number")
    let last = try number("SLURM_ARRAY_TASK_MAX", in: environment, expected: "the last task's number")
    guard last >= first, last - first == count - 1 else {
      throw .contradiction(
        """
        the array has \(count) tasks from \(first) to \(last), with gaps; give every number between, as in \
        --array=0-7, or say --shard I/N
        """)
    }
    if let text = environment[countVariable], number(text) != count {
      throw .contradiction("\(countVariable) is \(text) and SLURM_ARRAY_TASK_COUNT is \(count)")
    }
    guard index >= first, let shard = Shard(index: index - first + 1, of: count) else {
      throw .contradiction("SLURM_ARRAY_TASK_ID is \(index), and the array goes from \(first) to \(last)")
    }
    return shard
  }

  private static func number(
    _ variable: String, in environment: [String: String], expected: String
  ) throws(ShardError) -> Int {
    let text = environment[variable]
    guard let text, let number = number(text), number < 1_000_000_000 else {
      throw .value(variable: variable, text: text, expected: expected)
    }
    return number
  }
}
