import PersistentStores

/// A version that stores start from, and those they pass, as a store of its configuration sees them.
struct RehearsalSource: Sendable {
  let version: KnownVersion
  let versions: [KnownVersion]
  let destination: KnownVersion
  /// The store that was given, nil for synthetic ones.
  let store: String?
}

extension RehearsalSource {
  /// Synthetic stores of a version.
  init(_ version: KnownVersion, in request: RehearsalRequest) {
    self.init(version: version, versions: request.versions, destination: request.destination, store: nil)
  }
}
