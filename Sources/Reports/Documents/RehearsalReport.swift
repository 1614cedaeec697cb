public import StoreMigration

/// What came of rehearsing the migrations of old versions, for people and programs.
public struct RehearsalReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// What the rows depended on.
  public let seed: UInt64
  /// The rows of every entity, as asked for.
  public let rows: Int
  /// The bundles in the order in which they were rehearsed.
  public let bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, seed, rows, bundles
  }

  /// Takes the bundles.
  public init(seed: UInt64, rows: Int, bundles: [Bundle]) {
    self.seed = seed
    self.rows = rows
    self.bundles = bundles
  }

  /// One bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// The version that was reached.
    public let to: String
    /// The old versions in their order.
    public let sources: [Source]
  }

  /// One old version.
  public struct Source: Encodable, Hashable, Sendable {
    /// The version.
    public let from: String
    /// `same`, `lightweight`, `staged`, `mapped` or `impossible`.
    public let verdict: String
    /// `passed`, `refused` where rows stand in the way and nothing else is wrong, or `failed`.
    public let outcome: String
    /// The stores: a second one, without gaps, when rows of the first were refused.
    public let stores: [Store]
    /// Everything that is wrong.
    public let failures: [Failure]
    /// The command that does this version alone.
    public let command: String
  }

  /// One synthetic store.
  public struct Store: Encodable, Hashable, Sendable {
    /// True when every optional value was given and values differ as far as they can.
    public let isComplete: Bool
    /// The rows of every entity; fewer than asked for where a constraint allows no more.
    public let rows: Int
    /// The objects in it.
    public let objects: Int
    /// The paths in their order.
    public let paths: [Path]
    /// The values that were compared between paths.
    public let comparedValues: Int
    /// The links that were compared between paths.
    public let comparedLinks: Int
    /// What was given up.
    public let losses: [String]
    /// What else a reader should know.
    public let notes: [String]
  }

  /// One path.
  public struct Path: Encodable, Hashable, Sendable {
    /// `one hop in place`, `one hop by clone`, `step by step` or `straight`.
    public let path: String
    /// The versions on it.
    public let versions: [String]
    /// `migrated`, `refused` or `failed`.
    public let outcome: String
    /// The step at which rows were in the way.
    public let step: String?
    /// What is in the way, and the option that helps.
    public let reason: String?
  }

  /// Something that must not be.
  public struct Failure: Encodable, Hashable, Sendable {
    /// The path it is on.
    public let path: String?
    /// What is wrong.
    public let sentence: String
  }
}

extension RehearsalReport {
  /// True when something failed.
  public var hasFailures: Bool { bundles.contains { $0.sources.contains { !$0.failures.isEmpty } } }
}

extension RehearsalReport.Bundle {
  /// Takes what came of a bundle's versions.
  ///
  /// - Parameters:
  ///   - path: the bundle's path.
  ///   - destination: the version that was reached.
  ///   - versions: what came of each version.
  ///   - command: the command that does a version alone.
  public init(
    path: String, to destination: String, _ versions: [RehearsedVersion], command: (RehearsedVersion) -> String
  ) {
    self.path = path
    to = destination
    sources = versions.map { RehearsalReport.Source($0, command: command($0)) }
  }
}

extension RehearsalReport.Source {
  init(_ version: RehearsedVersion, command: String) {
    from = version.source
    verdict = version.kind.rawValue
    stores = version.attempts.map(RehearsalReport.Store.init)
    failures = version.failures.map { RehearsalReport.Failure(path: $0.path?.rawValue, sentence: $0.sentence) }
    outcome = !failures.isEmpty ? "failed" : version.isRefused ? "refused" : "passed"
    self.command = command
  }
}

extension RehearsalReport.Store {
  init(_ attempt: RehearsedVersion.Attempt) {
    isComplete = attempt.isComplete
    rows = attempt.rowsPerEntity
    objects = attempt.objectCount
    paths = attempt.trips.map { trip in
      var (step, reason): (String?, String?) = (nil, nil)
      if case .refused(let place, let words) = trip.ending { (step, reason) = (place, words) }
      return RehearsalReport.Path(
        path: trip.path.rawValue, versions: trip.versions, outcome: trip.ending.word, step: step, reason: reason)
    }
    comparedValues = attempt.comparedValues
    comparedLinks = attempt.comparedLinks
    losses = attempt.losses
    notes = attempt.notes
  }
}
