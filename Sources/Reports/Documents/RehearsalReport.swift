import MappingModels
import ModelDescription
public import Rehearsals
public import StoreMigration

/// The results of rehearsed migrations of older versions.
public struct RehearsalReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The seed of the synthetic rows.
  public let seed: UInt64
  /// The requested number of rows per entity.
  public let rows: Int
  /// Whether the rehearsal was interrupted, so that versions are missing.
  public var isInterrupted: Bool
  /// The bundles in the order in which they were rehearsed.
  public var bundles: [Bundle]

  private enum CodingKeys: CodingKey {
    case version, seed, rows, isInterrupted, bundles
  }

  /// Creates a report of bundles.
  public init(seed: UInt64, rows: Int, isInterrupted: Bool = false, bundles: [Bundle]) {
    (self.seed, self.rows, self.isInterrupted, self.bundles) = (seed, rows, isInterrupted, bundles)
  }

  /// One bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// The destination version.
    public let to: String
    /// The older versions in order.
    public var sources: [Source]
    /// The versions that cannot be used, so that their stores are not rehearsed.
    public let unusable: [String]

    /// Creates a bundle with only its unusable versions.
    public init(path: String, to destination: String, unusable: [String] = []) {
      self.path = path
      to = destination
      sources = []
      self.unusable = unusable
    }
  }

  /// One old version.
  public struct Source: Encodable, Hashable, Sendable {
    /// The outcome of a version.
    public enum Outcome: String, Encodable, Hashable, Sendable, CaseIterable {
      /// Every path results in the same store.
      case passed
      /// Incomplete or duplicate rows block a migration, and there are no failures.
      case refused
      /// A failure that is not caused by rows.
      case failed
    }

    /// The version.
    public let from: String
    /// The given store; nil for synthetic stores.
    public let store: String?
    /// The verdict on the migration to the destination.
    public let verdict: MigrationVerdict.Kind
    /// The outcome of the version.
    public let outcome: Outcome
    /// The stores; if rows of the first store are refused, a second store with complete rows follows.
    public let stores: [Store]
    /// The failures.
    public let failures: [Finding]
    /// The command that rehearses only this version.
    public let command: String
  }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// Whether every optional value is set and all values differ as far as possible.
    public let isComplete: Bool
    /// The number of rows per entity; fewer than requested if a constraint allows only fewer; nil for a given store.
    public let rows: Int?
    /// The number of objects.
    public let objects: Int
    /// The paths in their order.
    public let paths: [Path]
    /// The values that were compared between paths.
    public let comparedValues: Int
    /// The links that were compared between paths.
    public let comparedLinks: Int
    /// The data losses.
    public let losses: [String]
    /// Further notes for the user.
    public let notes: [String]
  }

  /// One path.
  public struct Path: Encodable, Hashable, Sendable {
    /// The outcome of a path.
    public enum Outcome: String, Encodable, Hashable, Sendable {
      case migrated
      case refused
      case failed
    }

    /// The kind of the path.
    public let path: RehearsedVersion.Path
    /// The versions on it.
    public let versions: [String]
    /// The outcome of the path.
    public let outcome: Outcome
    /// The step at which rows blocked the migration.
    public let step: String?
    let refusal: RehearsedVersion.Refusal?

    private enum CodingKeys: CodingKey {
      case path, versions, outcome, step, reason
    }

    /// The blockers, with the options that resolve them, one line each.
    public var reason: String? { refusal?.reason }

    /// Encodes the reason in words; keys without a value are left out.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(versions, forKey: .versions)
      try container.encode(outcome, forKey: .outcome)
      try container.encodeIfPresent(step, forKey: .step)
      try container.encodeIfPresent(reason, forKey: .reason)
    }
  }

  /// A failure.
  public struct Finding: Encodable, Hashable, Sendable {
    /// The path of the failure.
    public let path: String?
    /// The failure as a sentence.
    public let sentence: String
    let step: String?
    /// The failure, without the step.
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
      (self.step, reason) = (step.description, error.sentence)
    }
  }

  /// Whether there is a failure.
  public var hasFailures: Bool { bundles.contains { $0.sources.contains { !$0.failures.isEmpty } } }

  /// Whether rows block a migration.
  public var hasRefusals: Bool { bundles.contains { $0.sources.contains { $0.outcome == .refused } } }
}

extension RehearsalReport.Source {
  /// Creates a report of a version, with the command that rehearses only this version.
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
