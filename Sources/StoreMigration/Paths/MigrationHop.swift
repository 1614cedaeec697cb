public import MappingModels
public import ModelFiles

/// One part of a way that is migrated at once.
public struct MigrationHop: Sendable {
  /// The versions passed, at least two.
  public let versions: [LoadedVersion]
  /// How objects get from the first to the last: inferred, and composed from the steps of all versions passed, or written.
  public let mapping: MappingModel
  /// The mapping model somebody wrote, nil when the hop is inferred.
  public let writtenMapping: KnownMapping?

  /// Makes a hop that is inferred, passing versions.
  package init(
    _ versions: [LoadedVersion], from source: LoadedVersion, to destination: LoadedVersion, by mapping: MappingModel
  ) {
    self.init([source] + versions + [destination], mapping, nil)
  }

  package init(from source: LoadedVersion, to destination: LoadedVersion, by mapping: KnownMapping) {
    self.init([source, destination], mapping.model, mapping)
  }

  private init(_ versions: [LoadedVersion], _ mapping: MappingModel, _ writtenMapping: KnownMapping?) {
    (self.versions, self.mapping, self.writtenMapping) = (versions, mapping, writtenMapping)
  }

  /// The version it starts from.
  public var source: LoadedVersion { versions[0] }

  /// The version it reaches.
  public var destination: LoadedVersion { versions[versions.count - 1] }

  /// The step from the first version to the last.
  public var step: ModelStep {
    let (source, destination) = (source.hierarchy, destination.hierarchy)
    guard let writtenMapping else { return ModelStep(from: source, to: destination, inferring: mapping) }
    return ModelStep(from: source, to: destination, by: mapping, writtenMapping.origin)
  }

  /// The path of the mapping model's file, nil when the hop is inferred.
  public var mappingPath: String? { writtenMapping?.path }
}
