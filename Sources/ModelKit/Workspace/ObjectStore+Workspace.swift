import Foundation
public import ObjectStores
import StoreMigration

extension ObjectStore {
  /// Opens a store of the models of a workspace: makes a missing one of the current version, opens a current one, migrates an
  /// older one.
  ///
  /// ```swift
  /// let store = try ObjectStore.open("shop.sqlite", models: Workspace(at: "Models/Orders.xcdatamodeld").load())
  /// ```
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - models: the bundle of the store with all versions it may have; several where the app merges them.
  ///   - options: what opening may do.
  /// - Returns: the store.
  /// - Throws: ``WorkspaceError`` when the bundle or the version is not clear, and as `open(_:options:)`.
  public static func open(
    _ path: String, models: LoadedWorkspace, options: OpeningOptions = OpeningOptions()
  ) throws -> ObjectStore {
    try open(models.opening(of: path, busyTimeout: options.busyTimeout), options: options)
  }

  /// Opens a store of the models of a workspace; nothing waits on a thread of Swift's meanwhile.
  ///
  /// - Throws: as the form that is not asynchronous.
  public static func open(
    _ path: String, models: LoadedWorkspace, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(path, models: models, options: options) }
  }
}

extension LoadedWorkspace {
  /// What becomes of a store that is opened, which need not be there.
  fileprivate func opening(of path: String, busyTimeout: Double) throws -> MigrationRequest {
    if FileManager.default.fileExists(atPath: path) { return try migration(of: path, busyTimeout: busyTimeout) }
    let targets = try targets(to: nil)
    guard let target = targets.first, targets.count == 1 else {
      throw WorkspaceError.severalBundles(folder: place, candidates: targets.map(\.destination.bundle))
    }
    return try migration(of: path, to: target)
  }
}
