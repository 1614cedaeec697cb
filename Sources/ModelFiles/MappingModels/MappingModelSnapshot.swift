public import ModelDescription
public import VersionHashing

/// One of the two models that an Xcode mapping model carries: what its author saw, whatever became of the model since.
public struct MappingModelSnapshot: Hashable, Sendable {
  /// The last two components of the path the file names, such as `Shop.xcdatamodeld/Shop 2.xcdatamodel`.
  public var versionPath: String
  /// The model; its inheritance is sound.
  public var model: ManagedObjectModel
  /// The hashes of its entities, by which Core Data picks the mapping model.
  public var hashes: VersionHashes
  /// Where it stands in the file.
  public var location: SourceLocation

  /// The name of the version without folder and extension.
  public var versionName: String { BundlePath.stem(versionPath) }
}
