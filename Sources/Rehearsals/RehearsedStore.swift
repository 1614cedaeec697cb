import PersistentStores

/// A store that somebody gave to rehearse; copies of it are migrated.
public struct RehearsedStore: Hashable, Sendable {
  /// The store, for messages.
  public let path: String
  /// The SQLite file that is copied: the store, or what stands for a store of another kind.
  public let file: String

  /// Names a store.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - file: the SQLite store that stands for it and must last as long as the rehearsal; nil for a SQLite store.
  public init(path: String, file: String? = nil) {
    (self.path, self.file) = (path, file ?? path)
  }

  /// Opens the SQLite file for reading; messages name the store.
  ///
  /// - Throws: `StoreError`.
  func reader(interruption: (@Sendable () -> Bool)? = nil) throws(StoreError) -> StoreReader {
    try StoreReader(path: path, file: file, interruption: interruption)
  }
}
