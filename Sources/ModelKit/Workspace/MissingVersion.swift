import ModelChecks
import ModelComparison
import ModelDescription
package import ModelFiles
import PersistentStores
import VersionHashing

/// The version that wrote a store, and that no file has any more.
package struct MissingVersion {
  /// A plan that restores the version; nothing is written yet.
  package enum Repair {
    /// A new version; true if the bundle has a lock file that should record it.
    case made(NewModelVersion, isUnrecorded: Bool)
    /// A version whose file is restored.
    case restored(RestoredVersion)
  }

  let bundle: ModelBundle
  let version: ModelVersion
  /// The name under which the bundle's lock file records the store's hashes; nil if it does not.
  ///
  /// If it is the version's own name, its file has been edited since.
  let recordedName: String?
  /// The identifiers of the model that the store was written with.
  let identifiers: [String]
  let recovered: RecoveredModel

  /// Plans how to restore the version.
  ///
  /// If the current version was edited since, its edits move to a new version. The file of an older edited version is
  /// restored.
  ///
  /// - Parameters:
  ///   - name: the name of the version; nil for the recorded or a suitable name.
  ///   - addsIdentifiers: whether elements of a new version get their own name as renaming identifier.
  ///   - store: the store, as messages name it.
  package func repair(named name: String?, addsIdentifiers: Bool, from store: String) throws -> Repair {
    let isEdited = recordedName == version.name
    if isEdited, version.name == bundle.currentVersionName {
      let renames = try ModelDifference.likelyRenames(from: recovered.model, to: version.load().model)
      return .made(
        try NewModelVersion.plan(
          of: bundle, named: name, addsIdentifiers: addsIdentifiers,
          restoration: .init(revision: store, contents: recovered.contents, renames: renames)),
        isUnrecorded: false)
    }
    guard !isEdited || name != nil else {
      return .restored(try RestoredVersion.plan(version, to: recovered.contents, in: bundle))
    }
    let made = try NewModelVersion.plan(
      recovering: recovered.contents, like: version, in: bundle, named: name ?? recordedName, orAfter: identifiers)
    let lock = try LockFile.read(beside: bundle)
    return .made(made, isUnrecorded: lock.map { $0.entries[made.name] == nil } ?? false)
  }

  /// The version recorded with these hashes in a lock file, and the version that differs least from it.
  fileprivate static func recorded(
    with hashes: VersionHashes, _ workspace: LoadedWorkspace, columns: StoreColumns
  ) -> (name: String, nearest: NearestVersion)? {
    for bundle in workspace.bundles {
      let lock = (try? LockFile.read(beside: bundle)) ?? nil
      let names = VersionOrder.sorted(lock?.entries.filter { $0.value.hashes == hashes }.map(\.key) ?? [])
      let versions = workspace.versions.filter { $0.bundle == bundle.path }
      let edited = versions.filter { names.contains($0.name) }
      guard let first = names.first,
        let nearest = NearestVersion(to: hashes, among: edited.isEmpty ? versions : edited, columns: columns)
      else { continue }
      return (edited.isEmpty ? first : nearest.version.name, nearest)
    }
    return nil
  }
}

extension LoadedWorkspace {
  package func missingVersion(of store: String) throws -> MissingVersion {
    let reader = try reader(of: store)
    defer { reader.close() }
    let metadata = try reader.metadata()
    let identification = try identify(by: reader)
    if let version = identification.version { throw WorkspaceError.versionIsHere(store: store, version: version.name) }
    let recorded = MissingVersion.recorded(
      with: metadata.versionHashes, self, columns: identification.nearest?.columns ?? .none)
    guard let nearest = recorded?.nearest ?? identification.nearest,
      let bundle = bundles.first(where: { $0.path == nearest.version.bundle }),
      let version = bundle.version(named: nearest.version.name)
    else { throw WorkspaceError.storeOfNoVersion(path: store) }
    guard version.form == .contents else { throw WorkspaceError.notEditable(name: version.filePath) }
    let document = try ContentsDocument(FileBytes.read(version.filePath), path: version.filePath)
    do throws(RecoveredModel.RecoveryError) {
      let recovered = try RecoveredModel(
        of: metadata, nearest: nearest, document: document,
        among: versions.filter { $0.bundle == bundle.path }, cached: identification.model)
      return MissingVersion(
        bundle: bundle, version: version, recordedName: recorded?.name, identifiers: metadata.identifiers,
        recovered: recovered)
    } catch {
      throw WorkspaceError.notRecoverable(store: store, error)
    }
  }
}
