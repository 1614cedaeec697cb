import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores

/// All that the plan of a store depends on: two stores of one shape have one plan.
struct StoreShape: Sendable {
  /// What is known of the names of join tables.
  private struct Reference: Hashable {
    let hierarchy: ObjectIdentifier
    let naming: Set<PropertyAddress>
    let path: String
  }

  /// A part of the path.
  private struct Hop: Hashable {
    let names: [String]
    let hierarchies: [ObjectIdentifier]
    let mappingPath: String?
  }

  /// What two stores are compared by.
  private struct Key: Hashable {
    let metadata: StoreMetadata
    let snapshot: StoreSnapshot
    let isOfCoreData: Bool
    let references: [Reference]
    let hops: [Hop]
    let options: MigrationOptions
  }

  private let key: Key
  /// Kept, so that no other models have the identity of these meanwhile.
  private let kept: (path: MigrationRoute, references: [JoinNameReference])
  /// False when code of the app's own takes part, or what cannot be compared.
  let isComparable: Bool
  /// What `now()` gives; a plan that uses it is of one store alone.
  let now: Double

  /// Takes the shape of a store on a path.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - snapshot: what it holds.
  ///   - path: its path, found by the request's finder.
  ///   - request: what is to become of it.
  init(of store: IdentifiedStore, _ snapshot: StoreSnapshot, along path: MigrationRoute, _ request: MigrationRequest) {
    var (metadata, snapshot) = (store.metadata, snapshot)
    // The plan reads neither.
    (metadata.uuid, snapshot.byteCount) = ("", 0)
    key = Key(
      metadata: metadata, snapshot: snapshot, isOfCoreData: store.isOfCoreData,
      references: request.references.map {
        Reference(hierarchy: $0.hierarchy.identity, naming: $0.naming, path: $0.path)
      },
      hops: path.hops.map { hop in
        Hop(
          names: hop.versions.map(\.name), hierarchies: hop.versions.map(\.hierarchy.identity),
          mappingPath: hop.mappingPath)
      }, options: request.options)
    kept = (path, request.references)
    // The snapshot has the names of virtual tables and not how they were made.
    isComparable = request.policies.isEmpty && snapshot.virtualTables.isEmpty
    now = request.now
  }

  /// True when the plan of one is that of the other.
  func isEqual(to other: StoreShape) -> Bool { isComparable && key == other.key }
}
