import MappingModels
public import Rehearsals
import StoreMigration

/// What came of rehearsing the migrations of old versions, for people and programs.
public struct RehearsalReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// What the rows depended on.
  public let seed: UInt64
  /// The rows of every entity, as asked for.
  public let rows: Int
  /// True when somebody interrupted the rehearsal, so that versions are missing.
  public var isInterrupted: Bool
  /// The bundles in the order in which they were rehearsed.
  public var bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, seed, rows, isInterrupted, bundles
  }

  /// Takes the bundles.
  public init(seed: UInt64, rows: Int, isInterrupted: Bool = false, bundles: [Bundle]) {
    self.seed = seed
    self.rows = rows
    self.isInterrupted = isInterrupted
    self.bundles = bundles
  }

  /// One bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// The version that was reached.
    public let to: String
    /// The old versions in their order.
    public var sources: [Source]
    /// The versions that cannot be used, so that nothing is known of stores of them.
    public let unusable: [String]

    /// Takes a bundle of which nothing is known but what cannot be used.
    public init(path: String, to destination: String, unusable: [String] = []) {
      self.path = path
      to = destination
      sources = []
      self.unusable = unusable
    }
  }

  /// One old version.
  public struct Source: Encodable, Hashable, Sendable {
    /// The version.
    public let from: String
    /// The store that was given, nil for synthetic ones.
    public let store: String?
    /// `same`, `lightweight`, `staged`, `mapped` or `impossible`.
    public let verdict: String
    /// `passed`, `refused` where gaps or duplicates of rows stand in the way and nothing else is wrong, or `failed`.
    public let outcome: String
    /// The stores: a second one, without gaps, when rows of the first were refused.
    public let stores: [Store]
    /// Everything that is wrong.
    public let failures: [Failure]
    /// The command that does this version alone.
    public let command: String
  }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// True when every optional value was given and values differ as far as they can.
    public let isComplete: Bool
    /// The rows of every entity; fewer than asked for where a constraint allows no more; nil for a store that was given.
    public let rows: Int?
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
    /// `one hop in place`, `one hop by clone`, `step by step`, `next step, then one hop` or `straight`.
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

  /// True when rows stand in the way of something.
  public var hasRefusals: Bool { bundles.contains { $0.sources.contains { $0.outcome == "refused" } } }
}

extension RehearsalReport.Source {
  /// Takes what came of a version, with the command that does it alone.
  public init(_ version: RehearsedVersion, command: String) {
    from = version.source
    store = version.store
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
      if case .refused(let place, let refusal) = trip.ending { (step, reason) = (place.description, refusal.reason) }
      return RehearsalReport.Path(
        path: trip.path.rawValue, versions: trip.versions, outcome: trip.ending.word, step: step, reason: reason)
    }
    comparedValues = attempt.comparedValues
    comparedLinks = attempt.comparedLinks
    losses = Set(attempt.losses.map { "\($0.element): \($0.sentence)" }).sorted()
    notes = attempt.notes.map(\.sentence)
  }
}
