public import MappingModels
public import ModelFiles

/// A part of a migration path that is migrated in one go.
public struct PathPart: Sendable {
  /// The versions that it visits, at least two.
  public let versions: [LoadedVersion]
  /// The mapping from the first version to the last: custom, or inferred and composed from the steps of all versions.
  public let mapping: MappingModel
  /// The custom mapping model; nil if the part is inferred.
  public let writtenMapping: KnownMapping?

  /// Creates an inferred part that visits intermediate versions.
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

  /// The version at its start.
  public var source: LoadedVersion { versions[0] }

  /// The version at its end.
  public var destination: LoadedVersion { versions[versions.count - 1] }

  /// The step from the first version to the last.
  public var step: ModelStep {
    let (source, destination) = (source.hierarchy, destination.hierarchy)
    guard let writtenMapping else { return ModelStep(from: source, to: destination, inferring: mapping) }
    return ModelStep(from: source, to: destination, by: mapping, writtenMapping.origin)
  }

  /// The path of the mapping model's file, nil if the part is inferred.
  public var mappingPath: String? { writtenMapping?.path }
}
