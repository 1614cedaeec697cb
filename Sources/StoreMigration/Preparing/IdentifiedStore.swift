import ModelFiles
import PersistentStores

/// A store as its migration finds it: its version, where it is to go, its schema, and the path there.
struct IdentifiedStore {
  /// What it says about itself.
  let metadata: StoreMetadata
  /// Its version.
  let source: LoadedVersion
  /// The version to reach.
  let destination: LoadedVersion
  /// The versions that may be passed on the way.
  let versions: [LoadedVersion]
  /// What it holds, its rows not counted.
  let snapshot: StoreSnapshot
  /// True when Core Data gave its tables their names.
  let isOfCoreData: Bool
  /// The versions and mappings that lead there; nil when it has the version to reach.
  var path: MigrationRoute?
  /// True when the first stage on the path reads or writes rows, so that they are counted before it is planned.
  var touchesRows = false

  /// True when it has the version to reach.
  var isCurrent: Bool { source.versionHashes == destination.versionHashes }

  /// What is known of the names of its join tables, from references first.
  func names(_ references: [JoinNameReference]) -> SelfJoinNames {
    SelfJoinNames(
      of: snapshot, hierarchy: source.hierarchy, frameworkVersion: metadata.frameworkVersion,
      isOfCoreData: isOfCoreData, references: references)
  }
}
