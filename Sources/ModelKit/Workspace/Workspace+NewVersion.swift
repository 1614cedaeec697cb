import ModelComparison
import ModelDescription
package import ModelFiles

extension Workspace {
  /// Plans a copy of the current version of the only bundle, or of the one that the name stands in.
  ///
  /// - Parameters:
  ///   - name: the new version's name, or `Bundle@name`; nil for the next one in the bundle's pattern.
  ///   - addsIdentifiers: whether elements without a renaming identifier get their own name as one.
  ///   - revision: what git knows as the state that the copied version gets back; nil to leave it.
  /// - Returns: the version, of which nothing is written yet.
  /// - Throws: `NewVersionError`, `RevisionError`, `ModelFileError` and ``WorkspaceError``.
  package func newVersion(
    named name: String?, addsIdentifiers: Bool, restoring revision: String?
  ) throws -> NewModelVersion {
    try checkSingle()
    let (bundle, name) = try bundle(toExtendBy: name)
    return try NewModelVersion.plan(
      of: bundle, named: name, addsIdentifiers: addsIdentifiers,
      restoration: revision.map { try restoration($0, bundle, keepsIdentifiers: addsIdentifiers) })
  }

  /// The bundle, and the name without that of the bundle where it is given as `Bundle@version`.
  private func bundle(toExtendBy name: String?) throws -> (bundle: ModelBundle, name: String?) {
    guard let name, name.contains("@"),
      let bundle = LoadedWorkspace.bundle(qualifying: name, try bundles().filter(\.form.isEditable))
    else { return (try onlyBundle().whole(), name) }
    return (bundle, String(name.dropFirst(bundle.name.count + 1)))
  }

  /// What the current version was, and what looks renamed since.
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
}
