import Foundation
public import ObjectStores
import StoreMigration

extension ObjectStore {
  /// Opens a store of a workspace's models; creates a missing store and migrates an older one.
  ///
  /// ```swift
  /// let store = try ObjectStore.open("shop.sqlite", model: Workspace(at: "Models/Orders.xcdatamodeld").load())
  /// ```
  ///
  /// - Parameters:
  ///   - workspace: its bundle, or the bundles that are merged, with the mapping models between their versions.
  ///   - options: what opening may do.
  /// - Throws: ``WorkspaceError`` when the bundle or the version is not clear, and as `open(_:options:)`.
  public static func open(
    _ path: String, model workspace: LoadedWorkspace, options: OpeningOptions = OpeningOptions()
  ) throws -> ObjectStore {
    var workspace = workspace
    workspace.kinds = options.kinds
    guard !FileManager.default.fileExists(atPath: path) else {
      return try open(workspace.migration(of: path, busyTimeout: options.busyTimeout), options: options)
    }
    let targets = try workspace.targets(to: nil)
    guard targets.count == 1, let target = targets.first else {
      throw WorkspaceError.severalBundles(folder: workspace.place, candidates: targets.map(\.destination.bundle))
    }
    return try open(workspace.migration(of: path, to: target), options: options)
  }

  /// Opens a store of a workspace's models without blocking a thread of Swift's cooperative pool.
  ///
  /// - Throws: as the synchronous version.
  public static func open(
    _ path: String, model workspace: LoadedWorkspace, options: OpeningOptions = OpeningOptions()
  ) async throws -> ObjectStore {
    try await elsewhere { try open(path, model: workspace, options: options) }
  }
}
