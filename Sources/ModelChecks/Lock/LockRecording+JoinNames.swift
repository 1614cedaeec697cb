import ModelFiles
public import PersistentStores

extension LockRecording {
  /// The version of the bundle that a store was written with.
  ///
  /// - Parameter store: the store.
  /// - Returns: nil when no version here has its hashes.
  public func version(of store: ReferenceStore) -> String? {
    let matches = reading.usable.filter { $0.versionHashes == store.versionHashes }.map(\.name)
    return matches.first { lock.entries[$0] != nil } ?? matches.first
  }

  /// Adds the names of a store's join tables to the entry of its version, which is recorded already.
  ///
  /// - Parameters:
  ///   - store: a store that Core Data made.
  ///   - name: its version.
  /// - Returns: what it did; nil where the version is not recorded.
  /// - Throws: `JoinNameReferenceError`.
  public mutating func recordJoinNames(of store: ReferenceStore, version name: String) throws -> LockRecord? {
    guard let version = reading.usable.first(where: { $0.name == name }), let entry = lock.entries[name] else {
      return nil
    }
    let names = Set(try store.reference(for: version).naming.map(\.description))
    setJoinNames(names, of: name)
    return LockRecord(
      version: name, state: entry.state, hashes: entry.hashes, allowedLosses: entry.allowedLosses.sorted(),
      droppedLosses: [], outcome: names == entry.joinNames ? .unchanged : .updated, edits: [], joinNames: names.sorted()
    )
  }
}
