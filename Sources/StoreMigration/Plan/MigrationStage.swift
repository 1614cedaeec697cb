public import ModelFiles
import PersistentStores

/// A part of a migration that is planned, run and checked by itself, on what the part before has left.
public struct MigrationStage: Sendable {
  /// The version it starts from.
  public let source: LoadedVersion
  /// The version it reaches.
  public let destination: LoadedVersion
  /// The path of the mapping model's file, nil when the stage is inferred.
  public let mappingPath: String?
  /// What is done.
  public internal(set) var plan: MigrationPlan
  /// The tables to be made.
  let layout: SQLStoreLayout
}
