public import PersistentStores

/// The result of a migration.
public struct MigrationOutcome: Hashable, Sendable {
  /// How it ended.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The store has the new version.
    case migrated
    /// The store had the wanted version already; nothing was written.
    case alreadyCurrent = "already-current"
    /// Everything was tried on a copy and nothing was kept.
    case rehearsed
  }

  /// Why there is no backup.
  public enum BackupAbsence: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Somebody asked for none.
    case declined
    /// The store was changed in one transaction, and nothing of it is lost.
    case nothingLost = "nothing-lost"
    /// The store is as it was.
    case unchanged
  }

  /// A part of the way that was migrated at once.
  public struct Hop: Hashable, Sendable {
    /// The names of the versions passed, at least two.
    public var versions: [String]
    /// The path of the mapping model's file, nil if the part is inferred.
    public var mappingPath: String?
  }

  /// The store.
  public var path: String
  /// The store's identity, which a migration keeps.
  public var uuid: String
  /// The version it had.
  public var from: String
  /// The version it has.
  public var to: String
  /// How the plan was run, nil if there was nothing to run.
  public var strategy: MigrationStrategy?
  /// The number of statements that were run.
  public var stepCount: Int
  /// The rows of every entity that has any, nil if they were not counted.
  public var rows: [String: Int]?
  /// The rows that every entity of the source version had, if any; nil if they were not counted.
  public var sourceRows: [String: Int]?
  /// The entities that had another name in the source version, by their names in the destination.
  public internal(set) var formerNames: [String: String] = [:]
  /// The allowed losses, as far as they were counted.
  public internal(set) var losses: [MigrationBlocked.UnconsentedLoss] = []
  /// The parts of the way, none if there was nothing to do.
  public var hops: [Hop] = []
  /// The path of the untouched original; nil if it was not kept.
  public var backup: String?
  /// Why there is no backup, nil if there is one.
  public var backupAbsence: BackupAbsence?
  /// How it ended.
  public var result: Result
  /// The join tables with both ends on one entity, and what their names rest on.
  public internal(set) var selfJoins: [SelfJoin] = []
  /// Remarks about the plan.
  public var notes: [PlanNote]
  /// How much was done, nil if there was nothing to run.
  public var work: MigrationWork?
  /// The forecast; nil if it was not requested or if no statement ran.
  public var forecast: MigrationForecast?
  /// The time and the bytes that the migration took.
  public var figures: MigrationFigures?

  /// Counts of the source version's entities by the names that these have now.
  public func renamed(_ rows: [String: Int]) -> [String: Int] {
    let names = Dictionary(formerNames.map { ($0.value, $0.key) }) { first, _ in first }
    return Dictionary(rows.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: +)
  }
}

/// The measured cost of a migration, to compare with the forecast.
public struct MigrationFigures: Hashable, Sendable {
  /// How long it took from the lock on, in seconds.
  public var seconds: Double
  /// The bytes that the process wrote to disks in this time; nil if the system does not report them.
  public var bytesWritten: Int64?
}
