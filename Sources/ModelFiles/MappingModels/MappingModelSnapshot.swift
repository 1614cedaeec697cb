public import ModelDescription
public import VersionHashing

/// One of the two models that an Xcode mapping model carries: what its author saw, whatever became of the model since.
public struct MappingModelSnapshot: Sendable {
  /// The last two components of the path the file names, such as `Shop.xcdatamodeld/Shop 2.xcdatamodel`.
  public var versionPath: String
  /// The model with its inheritance, which is sound.
  public var hierarchy: EntityHierarchy
  /// The hashes of its entities, by which Core Data picks the mapping model.
  public var hashes: VersionHashes
  /// Where it stands in the file.
  public var location: SourceLocation

  /// The model.
  public var model: ManagedObjectModel { hierarchy.model }

  /// The name of the version without folder and extension.
  public var versionName: String { BundlePath.stem(versionPath) }
}

extension MappingModelSnapshot: Hashable {
  /// True for the same model from the same place.
  public static func == (first: MappingModelSnapshot, second: MappingModelSnapshot) -> Bool {
    first.versionPath == second.versionPath && first.hashes == second.hashes && first.location == second.location
      && first.model == second.model
  }

  /// Hashes what distinguishes snapshots.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(versionPath)
    hasher.combine(hashes)
    hasher.combine(location)
  }
}
