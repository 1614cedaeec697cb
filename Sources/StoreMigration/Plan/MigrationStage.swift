public import MappingModels
public import ModelFiles
import PersistentStores

/// A part of a migration that is planned, run and checked separately, on the result of the part before it.
public struct MigrationStage: Sendable {
  let part: PathPart
  /// The plan of the stage.
  public internal(set) var plan: MigrationPlan
  let layout: SQLStoreLayout

  /// The version it starts from.
  public var source: LoadedVersion { part.source }
  /// The version it reaches.
  public var destination: LoadedVersion { part.destination }
  /// The path of the mapping model's file, nil if the stage is inferred.
  public var mappingPath: String? { part.mappingPath }
  /// The entities that have another name in the destination and all of their rows there, by the new name.
  var formerNames: [String: String] { part.mapping.renamedEntities }
  /// The changes between the two versions.
  public var step: ModelStep { part.step }
}
