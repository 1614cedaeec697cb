import MappingModels
public import Rehearsals
public import StoreMigration

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
    (self.seed, self.rows, self.isInterrupted, self.bundles) = (seed, rows, isInterrupted, bundles)
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
    /// What came of it.
    public enum Outcome: String, Encodable, Hashable, Sendable, CaseIterable {
      /// Every path leads to the same store.
      case passed
      /// Gaps or duplicates of rows stand in the way and nothing else is wrong.
      case refused
      /// Something is wrong that no row is to blame for.
      case failed
    }

    /// The version.
    public let from: String
    /// The store that was given, nil for synthetic ones.
    public let store: String?
    /// How the version to reach is reached.
    public let verdict: MigrationVerdict.Kind
    /// What came of it.
    public let outcome: Outcome
    /// The stores: a second one, without gaps, when rows of the first were refused.
    public let stores: [Store]
    /// Everything that is wrong.
    public let failures: [Finding]
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
    /// How it ended.
    public enum Outcome: String, Encodable, Hashable, Sendable {
      case migrated
      case refused
      case failed
    }

    /// The way.
    public let path: RehearsedVersion.Path
    /// The versions on it.
    public let versions: [String]
    /// How it ended.
    public let outcome: Outcome
    /// The step at which rows were in the way.
    public let step: String?
    let refusal: RehearsedVersion.Refusal?

    private enum CodingKeys: CodingKey {
      case path, versions, outcome, step, reason
    }

    /// What is in the way, and the option that helps; a line each.
    public var reason: String? { refusal?.reason }

    /// Writes the reason in words; a key without a value is left out.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(versions, forKey: .versions)
      try container.encode(outcome, forKey: .outcome)
      try container.encodeIfPresent(step, forKey: .step)
      try container.encodeIfPresent(reason, forKey: .reason)
    }
  }

  /// Something that must not be.
  public struct Finding: Encodable, Hashable, Sendable {
    /// The path it is on.
    public let path: String?
    /// What is wrong.
    public let sentence: String
    let step: String?
    /// What is wrong, without the step.
    let reason: String

    private enum CodingKeys: CodingKey {
      case path, sentence
    }

    init(_ finding: RehearsedVersion.Finding) {
      (path, sentence) = (finding.path?.rawValue, finding.sentence)
      guard case .migration(let step, let error) = finding.cause else {
        (self.step, reason) = (nil, sentence)
        return
      }
      (self.step, reason) = (step.description, MigrationErrorText.full(error))
    }
  }

  /// True when something failed.
  public var hasFailures: Bool { bundles.contains { $0.sources.contains { !$0.failures.isEmpty } } }

  /// True when rows stand in the way of something.
  public var hasRefusals: Bool { bundles.contains { $0.sources.contains { $0.outcome == .refused } } }
}

extension RehearsalReport.Source {
  /// Takes what came of a version, with the command that does it alone.
  public init(_ version: RehearsedVersion, command: String) {
    from = version.source
    store = version.store
    verdict = version.kind
    stores = version.attempts.map(RehearsalReport.Store.init)
    failures = version.failures.map { RehearsalReport.Finding($0) }
    outcome = !failures.isEmpty ? .failed : version.isRefused ? .refused : .passed
    self.command = command
  }
}

extension RehearsalReport.Store {
  init(_ attempt: RehearsedVersion.Attempt) {
    isComplete = attempt.isComplete
    rows = attempt.rowsPerEntity
    objects = attempt.objectCount
    paths = attempt.trips.map { RehearsalReport.Path($0) }
    comparedValues = attempt.comparedValues
    comparedLinks = attempt.comparedLinks
    losses = Set(attempt.losses.map { "\($0.element): \($0.sentence)" }).sorted()
    notes = attempt.notes.map(\.sentence)
  }
}

extension RehearsalReport.Path {
  fileprivate init(_ trip: RehearsedVersion.Trip) {
    (path, versions) = (trip.path, trip.versions)
    switch trip.ending {
    case .migrated: (outcome, step, refusal) = (.migrated, nil, nil)
    case .refused(let step, let refusal): (outcome, self.step, self.refusal) = (.refused, step.description, refusal)
    case .failed: (outcome, step, refusal) = (.failed, nil, nil)
    }
  }
}
