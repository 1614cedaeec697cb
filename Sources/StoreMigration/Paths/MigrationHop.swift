public import MappingModels
public import PersistentStores

/// One part of a way that is migrated at once.
public struct MigrationHop: Sendable {
  /// What says how objects get from the first version to the last.
  public enum Mapping: Sendable {
    /// Inferred, and composed from the steps of all versions passed.
    case inferred(MappingModel)
    /// Written by somebody.
    case written(KnownMapping)
  }

  /// The versions passed, at least two.
  public let versions: [KnownVersion]
  /// How objects get from the first to the last.
  public let mapping: Mapping
  /// The version it starts from.
  public let source: KnownVersion
  /// The version it reaches.
  public let destination: KnownVersion

  package init(_ versions: [KnownVersion], from source: KnownVersion, to destination: KnownVersion, by mapping: Mapping)
  {
    self.versions = [source] + versions + [destination]
    self.source = source
    self.destination = destination
    self.mapping = mapping
  }

  /// The path of the mapping model's file, nil when the hop is inferred.
  public var mappingPath: String? {
    guard case .written(let mapping) = mapping else { return nil }
    return mapping.path
  }
}
