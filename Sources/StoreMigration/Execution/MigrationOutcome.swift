public import PersistentStores

/// The result of a migration.
public struct MigrationOutcome: Hashable, Sendable {
  /// The result.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The store has the new version.
    case migrated
    /// The store had the wanted version already; nothing was written.
    case alreadyCurrent = "already-current"
    /// A dry run: everything was tried on a copy, which was then deleted.
    case rehearsed
  }

  /// The reason why there is no backup.
  public enum BackupAbsence: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The user declined a backup.
    case declined
    /// The store was changed in a single transaction without losses.
    case nothingLost = "nothing-lost"
    /// The store is unchanged.
    case unchanged
  }

  /// A part of the path that was migrated in one go.
  public struct PathPart: Hashable, Sendable {
    /// The names of the versions that it visits, at least two.
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
  /// The strategy of the plan; nil if there was nothing to run.
  public var strategy: MigrationStrategy?
  /// The number of statements that were run.
  public var stepCount: Int
  /// The rows of every entity that has any, nil if they were not counted.
  public var rows: [String: Int]?
  /// The rows that every entity of the source version had, if any; nil if they were not counted.
  public var sourceRows: [String: Int]?
  /// The entities that had another name in the source version, by their names in the destination.
  public internal(set) var formerNames: [String: String] = [:]
  /// The allowed losses, in the order of the steps.
  public internal(set) var losses: [MigrationBlocked.UnconsentedLoss] = []
  /// The parts of the path; empty if there was nothing to do.
  public var parts: [PathPart] = []
  /// The path of the untouched original; nil if it was not kept.
  public var backup: String?
  /// The reason why there is no backup; nil if there is a backup.
  public var backupAbsence: BackupAbsence?
  /// The result.
  public var result: Result
  /// The join tables whose ends are the same entity, with the evidence for their names.
  public internal(set) var selfJoins: [SelfJoin] = []
  /// Remarks about the plan.
  public var notes: [PlanNote]
  /// The amount of work; nil if there was nothing to run.
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
  /// The seconds since the store was locked.
  public var seconds: Double
  /// The bytes that the process wrote to disks in this time; nil if the system does not report them.
  public var bytesWritten: Int64?
}
