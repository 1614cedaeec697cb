import CSQLiteConnection
import GRDB
import ModelDescription
import PersistentStores

/// The faults of a store that its migration mends first, in the same transaction or copy.
///
/// Everything else that `verify` finds in rows is carried, and the result may have as much of it as the store had.
struct SourceMending: Sendable {
  /// The indexes that do not have the entries of the rows, and are rebuilt before anything is asked.
  var staleIndexes: [IndexCheck.StaleIndex] = []
  /// The links that lead to nothing, and are left out.
  var links = DanglingLinks()

  var isEmpty: Bool { staleIndexes.isEmpty && links.isEmpty }

  var notes: [PlanNote] {
    (staleIndexes.isEmpty ? [] : [.indexesRebuilt(staleIndexes.map(\.name))])
      + (links.isEmpty ? [] : [.linksToNothing(links)])
  }

  /// Looks for what is to be mended, on the connection that holds the store.
  static func needed(_ writer: StoreWriter, of hierarchy: EntityHierarchy) throws -> SourceMending {
    var mending = SourceMending(staleIndexes: try writer.access { try IndexCheck.stale(in: $0) })
    mending.links = try writer.access(after: mending.change(path: writer.path, hierarchy)) {
      try DanglingLinks.found(in: $0, of: hierarchy)
    }
    return mending
  }

  /// The change that mends it in the open transaction; nil if nothing is wrong.
  ///
  /// - Parameter path: the store's path, for errors.
  func change(path: String, _ hierarchy: EntityHierarchy) -> ((Database) throws -> Void)? {
    guard !isEmpty else { return nil }
    return { database in
      try IndexCheck.rebuild(staleIndexes, in: database, path: path)
      guard !links.isEmpty else { return }
      // The app's own triggers stay silent, as in the migration itself.
      _ = modelctl_enable_triggers(database.sqliteConnection, 0)
      _ = try DanglingLinks.remove(in: database, of: hierarchy)
    }
  }
}
