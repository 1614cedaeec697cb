import ModelDescription
import ModelFiles
import PersistentStores
public import StoreMigration

/// The possible migrations between versions.
public struct MatrixReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The bundles in the given order.
  public let bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, bundles
  }

  /// Creates a report of bundles.
  public init(_ bundles: [Bundle]) { self.bundles = bundles }

  /// Whether a migration is impossible.
  public var hasImpossible: Bool { bundles.contains { $0.pairs.contains { $0.verdict == .impossible } } }

  /// One bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// Its versions, oldest first.
    public let versions: [String]
    /// Its current version.
    public let current: String?
    /// The pairs, ordered by source and destination.
    public let pairs: [Pair]
    /// The steps by mapping models, each once, in the order in which they are met.
    let mappedSteps: [Step]

    private enum CodingKeys: CodingKey {
      case path, versions, current, pairs
    }

    /// Creates a bundle from verdicts.
    ///
    /// - Parameter verdicts: the verdicts to list, ordered by source and destination.
    public init(_ matrix: MigrationMatrix, verdicts: [MigrationVerdict]) {
      path = matrix.versions.first?.bundle ?? ""
      versions = matrix.versions.map(\.name)
      current = matrix.versions.first(where: \.isCurrent)?.name
      var numbers: [ObjectIdentifier: Int] = [:]
      var mappedSteps: [Step] = []
      // Many pairs break at one step, the reason of which is put into words once.
      var refusals: [[String]: Refusal] = [:]
      pairs = verdicts.map { verdict -> Pair in
        let steps = verdict.steps.map { step -> Step in
          guard let identity = step.mappingIdentity else { return Step(step) }
          if let known = numbers[identity] { return mappedSteps[known - 1] }
          let new = Step(step, number: mappedSteps.count + 1)
          numbers[identity] = new.number
          mappedSteps.append(new)
          return new
        }
        let refusal = verdict.refusal.map { broken -> Refusal in
          let step = [broken.source.name, broken.destination.name]
          if let known = refusals[step] { return known }
          let new = Refusal(from: step[0], to: step[1], reason: broken.reason)
          refusals[step] = new
          return new
        }
        return Pair(verdict, steps, refusal)
      }
      self.mappedSteps = mappedSteps
    }
  }

  /// Two versions.
  public struct Pair: Encodable, Hashable, Sendable {
    /// The source version.
    public let from: String
    /// The destination version.
    public let to: String
    /// The verdict on the migration.
    public let verdict: MigrationVerdict.Kind
    /// Whether Core Data can infer the direct migration.
    public let isInferable: Bool
    /// The readers that can run every step; empty if there is no path.
    public let readers: [MigrationReader]
    /// The steps of the shortest path.
    public let steps: [Step]
    /// The step that fails.
    public let refusal: Refusal?

    private enum CodingKeys: String, CodingKey {
      case from, to, verdict, isInferable, readers, steps
      case refusal = "obstacle"
    }

    init(_ verdict: MigrationVerdict, _ steps: [Step], _ refusal: Refusal?) {
      from = verdict.source.name
      to = verdict.destination.name
      self.verdict = verdict.kind
      isInferable = verdict.isInferable
      readers = verdict.readers
      (self.steps, self.refusal) = (steps, refusal)
    }
  }

  /// One step of a path.
  public struct Step: Encodable, Hashable, Sendable {
    /// The source version.
    public let from: String
    /// The destination version.
    public let to: String
    /// The mapping model's file; nil when the step is inferred.
    public let mapping: String?
    /// The readers that can run the mapping model; nil if the step is inferred.
    public let readers: [MigrationReader]?
    /// The reason why modelctl cannot run it.
    public let refusal: String?
    /// Its number among the steps with mapping models, from 1; nil if the step is inferred.
    let number: Int?

    private enum CodingKeys: CodingKey {
      case from, to, mapping, readers, refusal
    }

    init(_ step: MigrationVerdict.Step, number: Int? = nil) {
      (from, to, mapping) = (step.source.name, step.destination.name, step.mappingPath)
      readers = number == nil ? nil : step.readers
      refusal = number == nil ? nil : step.refusal.map { "\($0)" }
      self.number = number
    }
  }

  /// The step that makes a path impossible.
  public struct Refusal: Encodable, Hashable, Sendable {
    /// The source version.
    public let from: String
    /// The destination version.
    public let to: String
    /// The reason why it is impossible.
    public let reason: String
  }
}

extension MatrixReport.Bundle {
  /// The versions, and the number of pairs per verdict, as a sentence.
  var summary: String {
    let found = pairs.reduce(into: [MigrationVerdict.Kind: Int]()) { $0[$1.verdict, default: 0] += 1 }
    let counts = MigrationVerdict.Kind.allCases.compactMap { kind in found[kind].map { "\($0) \(kind.rawValue)" } }
    let current = current.map { ", current \($0)" } ?? ""
    let sum = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
    return "\(Quantity.text(versions.count, "version"))\(current); \(Quantity.text(pairs.count, "pair"))\(sum)"
  }

  /// The steps that break, each once, in the order in which they are met.
  var refusals: [MatrixReport.Refusal] {
    var seen: Set<MatrixReport.Refusal> = []
    return pairs.compactMap(\.refusal).filter { seen.insert($0).inserted }
  }

  /// The most steps of a path that the text lists.
  static let longestListedPath = 12

  /// Whether the text only counts the steps of some path.
  var hasLongPaths: Bool { pairs.contains { $0.verdict == .staged && $0.steps.count > Self.longestListedPath } }

  /// Every source with its pairs, grouped by verdict and path.
  var groups: [(source: String, groups: [Group])] {
    let numbers = Numbers(self)
    var rest = pairs[...]
    return versions.compactMap { source in
      let pairs = rest.prefix { $0.from == source }
      guard !pairs.isEmpty else { return nil }
      rest = rest.dropFirst(pairs.count)
      var groups: [Group] = []
      var positions: [Group.Key: Int] = [:]
      for pair in pairs {
        let key = Group.Key(verdict: pair.verdict, sentence: Self.sentence(pair, numbers))
        let position = positions[key] ?? groups.count
        positions[key] = position
        if position == groups.count { groups.append(Group(key: key)) }
        groups[position].add(pair)
      }
      return (source, groups)
    }
  }

  /// Pairs of a single source with the same verdict and path.
  struct Group {
    struct Key: Hashable {
      let verdict: MigrationVerdict.Kind
      /// The path, or the reason why there is none; nil for paths that are too long to list.
      let sentence: String?
    }

    let key: Key
    private(set) var destinations: [String] = []
    private var counts: ClosedRange<Int>?

    init(key: Key) { self.key = key }

    mutating func add(_ pair: MatrixReport.Pair) {
      destinations.append(pair.to)
      let count = pair.steps.count
      counts = min(counts?.lowerBound ?? count, count)...max(counts?.upperBound ?? count, count)
    }

    /// The words after the names of the destinations.
    var sentence: String {
      if let sentence = key.sentence { return sentence }
      guard let counts, counts.lowerBound < counts.upperBound else { return "in \(counts?.lowerBound ?? 0) steps" }
      return "in \(counts.lowerBound) to \(counts.upperBound) steps"
    }
  }

  /// The numbers of reasons that are listed once.
  struct Numbers {
    private let refusals: [MatrixReport.Refusal: Int]

    init(_ bundle: MatrixReport.Bundle) {
      refusals = Dictionary(bundle.refusals.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
    }

    /// The reason why a pair is impossible, or the mapping models on its path; nil for an inferred path.
    func words(of pair: MatrixReport.Pair) -> String? {
      if let refusal = pair.refusal { return refusals[refusal].map { "reason \($0)" } }
      let numbers = pair.steps.compactMap(\.number)
      guard !numbers.isEmpty else { return nil }
      return "mapping model\(numbers.count == 1 ? "" : "s") \(Self.runs(of: numbers).joined(separator: ", "))"
    }

    /// Three or more numbers in a row are written by the first and the last.
    private static func runs(of numbers: [Int]) -> [String] {
      var runs: [ClosedRange<Int>] = []
      for number in numbers {
        if let last = runs.last, last.upperBound + 1 == number {
          runs[runs.count - 1] = last.lowerBound...number
        } else {
          runs.append(number...number)
        }
      }
      return runs.flatMap { run in run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map(String.init) }
    }
  }

  private static func sentence(_ pair: MatrixReport.Pair, _ numbers: Numbers) -> String? {
    numbers.words(of: pair) ?? (pair.steps.count > longestListedPath ? nil : pair.between)
  }

  /// The places of the versions by name.
  var positions: [String: Int] { Dictionary(versions.enumerated().map { ($1, $0) }) { first, _ in first } }

  /// Versions as they are listed: four or more in a row are shown by the first and the last.
  ///
  /// - Parameters:
  ///   - names: their names.
  ///   - positions: the places of all versions by name.
  func list(_ names: [String], _ positions: [String: Int]) -> String {
    guard names.count > 1 else { return names.first ?? "" }
    var parts: [String] = []
    var run: [String] = []
    func close() {
      if run.count > 3, let first = run.first, let last = run.last {
        parts.append(
          TextWidth.isSpoken
            ? "from \(first) to \(last), \(run.count) versions" : "\(first) … \(last) (\(run.count) versions)")
      } else {
        parts += run
      }
      run = []
    }
    for name in names {
      if let last = run.last, let position = positions[last], positions[name] != position + 1 {
        close()
      }
      run.append(name)
    }
    close()
    return parts.joined(separator: TextWidth.isSpoken && parts.count < names.count ? "; " : ", ")
  }
}

extension MatrixReport.Pair {
  /// The versions on the path; empty for a path of a single step.
  var between: String { steps.count > 1 ? "through \(steps.dropLast().map(\.to).joined(separator: ", "))" : "" }
}

extension MatrixReport.Step {
  /// The step with its mapping model, and its readers if they are limited.
  var words: String {
    let step = "from \(from) to \(to)\(mapping.map { " by \($0)" } ?? "")"
    switch readers {
    case [.coreData]?: return "\(step); only Core Data runs it, in the app: \(refusal ?? "")"
    case [.modelctl]?: return "\(step); only modelctl runs it"
    case []?: return "\(step); neither Core Data nor modelctl runs it as it is: \(refusal ?? "")"
    default: return step
    }
  }
}
