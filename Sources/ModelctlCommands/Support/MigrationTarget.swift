import ModelKit

/// A bundle's versions for a store and the one to reach.
struct MigrationTarget {
  /// The versions, oldest first.
  let versions: [KnownVersion]
  /// The version to reach.
  let destination: KnownVersion
}
