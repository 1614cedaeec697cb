public import MappingModels
public import PersistentStores

/// The versions that a migration passes and the one mapping that equals passing them all.
public struct MigrationRoute: Sendable {
  /// The versions on the way, source first, destination last.
  public let versions: [KnownVersion]
  /// The mapping from the first to the last.
  public let mapping: MappingModel
  /// Why not every version between is passed, when that is so.
  public let note: String?
}
