public import ModelFiles
public import PersistentStores

/// A store's migration path to a version, planned for the content of the store.
public struct PreparedMigration: Sendable {
  /// The store's identity.
  public let uuid: String
  /// The store's version.
  public let source: LoadedVersion
  /// The version to reach.
  public let destination: LoadedVersion
  /// The parts of the migration in their order; empty if the store already has the version.
  public let stages: [MigrationStage]
  /// The reason why the path skips versions; nil if it visits all of them.
  public let detour: MigrationPath.Detour?
  /// The content of the store.
  public let snapshot: StoreSnapshot
  /// The strategy of the migration; nil if there is nothing to run.
  public let strategy: MigrationStrategy?
  /// False if what is asked of the objects that a mapping model makes could not be tried out.
  var isFullyAsked = true
  /// The folder of the store's large values, if it is missing.
  var missingFolder: MissingSupportFolder?
  /// The faults of the store that are mended first.
  var mending = SourceMending()

  /// The reason for the strategy.
  public var strategyReason: StrategyReason? {
    guard let first = stages.first else { return nil }
    return stages.count > 1 && first.plan.strategy != strategy
      ? .severalStages(stages.count) : first.plan.strategyReason
  }

  /// The versions on the path, source first.
  public var path: [String] { [source.name] + stages.flatMap { $0.plan.path.dropFirst() } }

  /// The parts of the path with their mapping models.
  public var parts: [MigrationOutcome.PathPart] {
    stages.map { MigrationOutcome.PathPart(versions: $0.plan.path, mappingPath: $0.mappingPath) }
  }

  /// The entities that have another name in the source, by their names in the destination.
  var formerNames: [String: String] {
    stages.reduce(into: [:]) { names, stage in
      let renamed = stage.formerNames.mapValues { names[$0] ?? $0 }
      names = names.filter { !stage.formerNames.values.contains($0.key) }.merging(renamed) { _, new in new }
    }
  }

  /// Remarks that the steps do not show.
  public var notes: [PlanNote] {
    stages.flatMap(\.plan.notes) + (detour.map { [.versionsPassedOver($0)] } ?? [])
      + mending.notes
      + (isFullyAsked ? [] : [.objectsUntried]) + (missingFolder.map { [.folderMissing($0)] } ?? [])
      + (snapshot.isMirrored ? [.mirrored] : [])
  }

  /// The new join tables whose ends are the same entity, with the evidence for their names.
  public var selfJoins: [SelfJoin] { stages.last?.layout.selfJoins ?? [] }

  /// The number of statements in all stages.
  public var stepCount: Int { stages.reduce(0) { $0 + $1.plan.steps.count } }

  /// True if a step reads or writes rows.
  public var touchesRows: Bool { stages.contains { $0.plan.touchesRows } }
}

/// A store as its migration finds it: its version, where it is to go, its schema, and the path there.
struct IdentifiedStore {
  /// The metadata of the store.
  let metadata: StoreMetadata
  let source: LoadedVersion
  let destination: LoadedVersion
  /// The versions that the path may visit.
  let versions: [LoadedVersion]
  /// The content of the store without counts of its rows.
  let snapshot: StoreSnapshot
  /// True if Core Data gave its tables their names.
  let isOfCoreData: Bool
  /// The versions and mappings that lead there; nil if it has the version to reach.
  var path: MigrationPath?
  /// True if the first stage on the path reads or writes rows, so that they are counted before it is planned.
  var touchesRows = false

  var isCurrent: Bool { source.versionHashes == destination.versionHashes }

  /// The known names of its join tables; references come first.
  func names(_ references: [JoinNameReference]) -> SelfJoinNames {
    SelfJoinNames(
      of: snapshot, hierarchy: source.hierarchy, frameworkVersion: metadata.frameworkVersion,
      isOfCoreData: isOfCoreData, references: references)
  }
}
