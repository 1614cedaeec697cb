import Foundation
public import MappingModels
public import ModelFiles
public import PersistentStores
public import StoreMigration

/// A rehearsal of all or some older versions of a bundle, with their paths to one version.
public struct RehearsalRequest: Sendable {
  /// The bundle's versions, oldest first.
  public var versions: [LoadedVersion]
  /// The version to reach.
  public var destination: LoadedVersion
  /// The versions to start from, with synthetic stores.
  public var sources: [LoadedVersion]
  /// The stores to start from besides; they are copied, and no byte of them changes.
  public var stores: [RehearsedStore] = []
  /// The number of versions that are rehearsed at the same time.
  public var jobs = ProcessInfo.processInfo.activeProcessorCount
  /// The custom mapping models.
  public var mappings: [KnownMapping]
  /// Mapping models that cannot be used.
  public var unusable: [UnusableMapping]
  /// The content of the stores.
  public var rows: SyntheticRows
  /// The options of the migrations; losses are always allowed.
  public var options: MigrationOptions
  /// The policies in code that mapping models may name.
  public var policies: PolicyRegistry
  /// The existing folder in which the stores are created.
  public var folder: String
  /// True to leave the stores there.
  public var keepsStores: Bool

  /// Creates a request for every version before the destination that has other hashes.
  public init(
    versions: [LoadedVersion], destination: LoadedVersion, rows: SyntheticRows, folder: String,
    mappings: [KnownMapping] = [], unusable: [UnusableMapping] = [], options: MigrationOptions = MigrationOptions(),
    policies: PolicyRegistry = PolicyRegistry(), keepsStores: Bool = false
  ) {
    (self.versions, self.destination) = (versions, destination)
    sources = Array(versions.prefix { $0.name != destination.name })
    (self.rows, self.folder, self.mappings, self.unusable) = (rows, folder, mappings, unusable)
    (self.options, self.policies, self.keepsStores) = (options, policies, keepsStores)
  }
}

/// A store that the user gave for a rehearsal; modelctl migrates copies of it.
public struct RehearsedStore: Sendable {
  /// The store, for messages.
  public let path: String
  /// The SQLite file that is copied: the store itself, or a copy of a store of a different type.
  public let file: String
  /// Finds what a migration of the store loses that the SQLite file does not show.
  let unseenLosses: @Sendable (MigrationRequest) throws -> [DataLoss]

  /// Names a store.
  public init(
    path: String, file: String? = nil,
    unseenLosses: @escaping @Sendable (MigrationRequest) throws -> [DataLoss] = { _ in [] }
  ) {
    (self.path, self.file, self.unseenLosses) = (path, file ?? path, unseenLosses)
  }

  /// Opens the SQLite file for reading; messages name the store.
  func reader(interruption: (@Sendable () -> Bool)? = nil) throws(StoreError) -> StoreReader {
    try StoreReader(path: path, file: file, interruption: interruption)
  }
}
