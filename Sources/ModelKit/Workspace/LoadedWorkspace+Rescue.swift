import ModelDescription
import ModelFiles
public import StoreContents
import StoreMigration

extension LoadedWorkspace {
  /// Prepares the rescue of a store that does not open into a new store of the given version.
  ///
  /// - Parameters:
  ///   - store: the store's path.
  ///   - name: the version of the new store; nil for the current version of the store's bundle.
  /// - Returns: the rescue, with the versions and mapping models of the workspace.
  /// - Throws: ``WorkspaceError`` if the workspace does not have the version.
  public func rescue(of store: String, to name: String? = nil) throws -> StoreRescue {
    var rescue = StoreRescue(of: store, versions: versions)
    (rescue.mergesBundles, rescue.kinds) = (mergesBundles, kinds)
    if let name { rescue.assumed = try namedVersion(name) }
    rescue.migration = { staged, version in try migrated(staged, from: version, to: name) }
    return rescue
  }

  /// The version with a name, in the named bundle or in the only bundle that has it; or the version of a store.
  private func namedVersion(_ name: String) throws -> LoadedVersion {
    if let stored = try version(ofStoreAt: name) { return stored }
    let (bundle, version) = qualified(name)
    let bundles = Set(versions.map(\.bundle))
    let candidates = bundle.map { [$0] } ?? bundles.sorted()
    var failure: (any Error)?
    for bundle in candidates {
      do { return try target(in: bundle, to: version, name).destination } catch { failure = failure ?? error }
    }
    throw try failure ?? workspace.models.noBundle(under: place)
  }

  /// Migrates a new store to the destination; if the migration fails, or if there is no model, the store is unchanged.
  private func migrated(_ store: String, from version: LoadedVersion, to name: String?) throws -> MigratedRescue {
    if name == nil, versions.isEmpty, failures.isEmpty { return MigratedRescue(version: version, refusal: nil) }
    do {
      let target = try target(of: store, to: name)
      let wanted = target.destination
      if wanted.restricted(to: version.versionHashes) != nil { return MigratedRescue(version: version, refusal: nil) }
      var request = try migration(of: store, to: target)
      request.keepsBackup = false
      if version.bundle.isEmpty { request.versions = [version] + request.versions }
      let outcome =
        try mirror(of: store).map { try $0.migrate(request) } ?? StoreMigrator(request).migrate()
      let reached = request.versions.first { $0.name == outcome.to } ?? wanted
      let configuration = target.source?.configuration
      return MigratedRescue(
        version: configuration.flatMap { reached.restricted(toConfiguration: $0) } ?? reached, refusal: nil)
    } catch let error as StoreError {
      throw error
    } catch let error as WorkspaceError {
      // The option of a rescue has a different name than that of a migration.
      let advice = error.advice?.renaming("--to", to: "--version")
      return MigratedRescue(version: version, refusal: error.text(advising: advice))
    } catch {
      return MigratedRescue(version: version, refusal: error.sentence)
    }
  }
}
