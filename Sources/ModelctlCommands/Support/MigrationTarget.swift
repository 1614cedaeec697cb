import ModelKit

/// A bundle's versions for a store and the one to reach.
struct MigrationTarget {
  /// The versions, oldest first; of a merged model, those on the path.
  let versions: [KnownVersion]
  /// The version to reach.
  let destination: KnownVersion
  /// The versions of the bundles that are merged; none for a single bundle.
  var bundleVersions: [KnownVersion] = []

  /// The versions that mapping models may be between.
  var mappableVersions: [KnownVersion] { versions + bundleVersions }
}
