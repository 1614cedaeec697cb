public import ModelDescription
import VersionHashing

/// One of several equal parts of many stores, so that several machines can share the work.
///
/// The part of a store depends only on its path: the first 15 hexadecimal digits of the SHA-256 of the path in UTF-8,
/// modulo the number of parts. It is the same on every machine and in every version.
public struct Shard: Hashable, Sendable {
  /// The number of the part, from 1.
  public let index: Int
  /// The number of parts.
  public let count: Int

  /// Chooses a part.
  ///
  /// - Returns: nil unless 1 ≤ index ≤ count.
  public init?(index: Int, of count: Int) {
    guard index >= 1, index <= count else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Parses a text such as `2/8`.
  ///
  /// - Returns: nil if the text is not a valid part.
  public init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Self.number(String($0)) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1] else { return nil }
    self.init(index: index, of: count)
  }

  /// Returns true if a store belongs to this part.
  ///
  /// - Parameter path: the store's path relative to the given folder, or as the user gave it.
  /// - Returns: true for exactly one of the parts.
  public func contains(_ path: String) -> Bool {
    guard count > 1 else { return true }
    let digits = TextDigest.hexadecimal(path).prefix(15)
    return Int(digits, radix: 16).map { $0 % count == index - 1 } ?? false
  }

  /// Parses a number of digits only; `Int.init` also accepts a sign.
  static func number(_ text: String) -> Int? { text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil }
}

extension Shard: CustomStringConvertible {
  /// The part as `2/8`.
  public var description: String { "\(index)/\(count)" }
}

/// The reason why the environment does not name a part.
public enum ShardError: Hashable, Sendable {
  /// No known scheduler has started this process.
  case none
  /// The variables of more than one scheduler are set.
  case several([String])
  /// A variable is not set or has an unusable value.
  case value(variable: String, text: String?, expected: String)
  /// Two variables contradict each other.
  case contradiction(String)
  /// The numbers of a Slurm array have gaps.
  case gaps(count: Int, first: Int, last: Int)
}

extension ShardError: AdvisedError {
  /// Nil: the cause names the variable.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .none:
      """
      the environment does not set JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID (Slurm) or PARALLEL_SEQ \
      (GNU parallel)
      """
    case .several(let variables):
      "the environment sets \(variables.joined(separator: " and ")), and only one of them can be used"
    case .value(let variable, let text, let expected):
      text.map { "\(variable) is “\($0)”; expected \(expected)" } ?? "\(variable) is not set"
    case .contradiction(let words): words
    case .gaps(let count, let first, let last): "the array has \(count) tasks from \(first) to \(last), with gaps"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    let option: Advice = "name the part: \(option: "--shard", "I/N")"
    switch self {
    case .none, .several: return option
    case .value(_, nil, let expected): return "set it to \(expected)"
    case .value, .contradiction: return nil
    case .gaps: return "use an array without gaps, such as 0-7; or \(option)"
    }
  }
}

extension Shard {
  /// The variable for the number of parts, for schedulers that do not set it.
  public static let countVariable = "MODELCTL_SHARDS"

  /// The part that this process was started for by Kubernetes, Slurm or GNU parallel.
  ///
  /// - Throws: ``ShardError`` if the variables are missing, wrong or contradictory.
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

  /// Takes the index from the scheduler and the count from ``countVariable``.
  private static func counted(
    _ environment: [String: String], index variable: String, from first: Int
  ) throws(ShardError) -> Shard {
    let index = try number(variable, in: environment, expected: "a number from \(first)")
    let count = try number(countVariable, in: environment, expected: "the number of shards")
    guard let shard = Shard(index: index - first + 1, of: count) else {
      throw .contradiction(
        "\(variable) is \(index) and \(countVariable) is \(count); the index must be from \(first) to \(count - 1 + first)"
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
      throw .gaps(count: count, first: first, last: last)
    }
    if let text = environment[countVariable], number(text) != count {
      throw .contradiction("\(countVariable) is \(text) and SLURM_ARRAY_TASK_COUNT is \(count)")
    }
    guard index >= first, let shard = Shard(index: index - first + 1, of: count) else {
      throw .contradiction("SLURM_ARRAY_TASK_ID is \(index), and the array is from \(first) to \(last)")
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
