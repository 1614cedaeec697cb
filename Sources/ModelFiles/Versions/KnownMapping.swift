public import MappingModels

/// A written mapping model together with the two versions it maps.
public struct KnownMapping: Sendable {
  /// The path of its file.
  public let path: String
  /// The version whose stores it migrates.
  public let source: LoadedVersion
  /// The version they get.
  public let destination: LoadedVersion
  /// What it says.
  public let model: MappingModel

  /// Makes a mapping between two versions.
  public init(path: String, source: LoadedVersion, destination: LoadedVersion, model: MappingModel) {
    self.path = path
    self.source = source
    self.destination = destination
    self.model = model
  }
}
