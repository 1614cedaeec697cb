public import MappingModels
import PersistentStores
public import StoreMigration

/// A store that somebody gave to rehearse; copies of it are migrated.
public struct RehearsedStore: Sendable {
  /// The store, for messages.
  public let path: String
  /// The SQLite file that is copied: the store, or what stands for a store of another kind.
  public let file: String
  /// Finds what a migration of the store loses that the SQLite file does not show.
  let unseenLosses: @Sendable (MigrationRequest) throws -> [DataLoss]

  /// Names a store.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - file: the SQLite store that stands for it and must last as long as the rehearsal; nil for a SQLite store.
  ///   - unseenLosses: finds what a migration of the store loses that the SQLite store does not show.
  public init(
    path: String, file: String? = nil,
    unseenLosses: @escaping @Sendable (MigrationRequest) throws -> [DataLoss] = { _ in [] }
  ) {
    (self.path, self.file, self.unseenLosses) = (path, file ?? path, unseenLosses)
  }

  /// Opens the SQLite file for reading; messages name the store.
  ///
  /// - Throws: `StoreError`.
  func reader(interruption: (@Sendable () -> Bool)? = nil) throws(StoreError) -> StoreReader {
    try StoreReader(path: path, file: file, interruption: interruption)
  }
}
