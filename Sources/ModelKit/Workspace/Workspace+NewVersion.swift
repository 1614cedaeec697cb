import ModelChecks
import ModelComparison
import ModelDescription
package import ModelFiles
package import Reports

extension Workspace {
  /// Plans a copy of the current version of the only bundle, or of the bundle in the name.
  ///
  /// - Parameters:
  ///   - name: the new version's name, or `Bundle@name`; nil for the next name in the bundle's pattern.
  ///   - addsIdentifiers: whether elements without a renaming identifier get their own name as one.
  ///   - revision: the git revision to restore the copied version from; nil to keep it.
  package func newVersion(
    named name: String?, addsIdentifiers: Bool, restoring revision: String?
  ) throws -> NewModelVersion {
    try checkSingle()
    let (bundle, name) = try bundle(toExtendBy: name)
    let version = try NewModelVersion.plan(
      of: bundle, named: name, addsIdentifiers: addsIdentifiers,
      restoration: revision.map { try restoration($0, bundle, keepsIdentifiers: addsIdentifiers) })
    // A lock file that cannot be read takes no name; `check` says what is wrong with it.
    if let lock = try? LockFile.read(beside: bundle), let entry = lock.entries[version.name], entry.state != .draft {
      throw LockError.nameTaken(
        place: entry.location.map { "\($0)" } ?? lock.path, version: version.name,
        path: BundlePath.joined(bundle.path, "\(version.name).xcdatamodel"))
    }
    if revision == nil, let edited = RecordedRelease.editedCurrent(of: bundle) {
      report(.copiesEdited(edited, copy: version.name))
    }
    return version
  }

  /// The bundle, and the version's name in it, for a name such as `Bundle@version`.
  private func bundle(toExtendBy name: String?) throws -> (bundle: ModelBundle, name: String?) {
    guard let name, name.contains("@"),
      let bundle = LoadedWorkspace.bundle(qualifying: name, try bundles().filter(\.form.isEditable))
    else { return (try onlyBundle().whole(), name) }
    return (bundle, String(name.dropFirst(bundle.name.count + 1)))
  }

  /// The earlier state of the current version, and the elements that look renamed since.
  private func restoration(
    _ revision: String, _ bundle: ModelBundle, keepsIdentifiers: Bool
  ) throws -> NewModelVersion.Restoration {
    let version = try bundle.currentVersion()
    var (restoration, old) = try NewModelVersion.Restoration.read(revision, of: version)
    restoration.renames = try ModelDifference.likelyRenames(from: old.model, to: version.load().model)
    if version.form != .contents, !keepsIdentifiers {
      for (element, identifier) in restoration.renames.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        report(.looksRenamed(element, identifier: identifier))
      }
      restoration.renames = [:]
    }
    return restoration
  }

  /// Reports the changes in the project's bundles since a git revision.
  ///
  /// - Throws: ``WorkspaceError`` if the inheritance of a model is broken, and as `BundleChange.since(_:in:_:)`.
  package func branchReport(since base: String) throws -> BranchReport {
    try refusingNoBundle {
      try BundleChange.since(base, in: project.search()) { changes, revision in
        try BranchReport(changes, since: revision.shortRevision)
      }
    }
  }

  /// Reports the changes in the project's bundles between two git revisions.
  package func branchReport(between range: RevisionRange) throws -> BranchReport {
    try refusingNoBundle {
      try BundleChange.between(range.source, range.destination, in: project.search()) { changes in
        try BranchReport(changes, since: range.source)
      }
    }
  }

  /// Refuses a project without a bundle in the words of all commands.
  private func refusingNoBundle(_ body: () throws -> BranchReport) throws -> BranchReport {
    do {
      return try body()
    } catch ModelFileError.noBundle(let folder) {
      throw try project.noBundle(under: folder)
    }
  }
}

extension BranchReport {
  fileprivate init(_ changes: [BundleChange], since base: String) throws {
    self.init(base: base, try changes.map { try Bundle($0, since: base) })
  }
}

extension BranchReport.Bundle {
  /// Creates a report of two states of a bundle.
  fileprivate init(_ change: BundleChange, since base: String) throws {
    func model(_ version: BundleChange.Version, _ name: String) throws -> ComparedModels.Model {
      (name, try WorkspaceError.locating(in: version.file, named: name) { try EntityHierarchy(version.file.model) })
    }
    guard let source = change.source, let destination = change.destination else {
      let entities = (change.source ?? change.destination)?.file.model.entities.count ?? 0
      self.init(
        path: change.path, isAdded: change.source == nil, addedVersions: change.addedVersions, entityCount: entities)
      return
    }
    let isEdited = source.name == destination.name
    let models = ComparedModels(
      from: try model(source, isEdited ? "\(source.name) of \(base)" : source.name),
      to: try model(destination, destination.name))
    self = models.bundle(path: change.path, sourcePath: change.sourcePath, addedVersions: change.addedVersions)
  }
}
