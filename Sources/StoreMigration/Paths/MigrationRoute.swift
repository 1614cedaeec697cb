public import PersistentStores

/// The way from one version to another.
public struct MigrationRoute: Sendable {
  /// The parts of the way, each migrated at once, in their order.
  public let hops: [MigrationHop]
  /// Why not every version between is passed, when that is so.
  public let note: String?

  /// The versions on the way, source first, destination last.
  public var versions: [KnownVersion] {
    (hops.first.map { [$0.source] } ?? []) + hops.flatMap { $0.versions.dropFirst() }
  }
}
