import ModelDescription
package import ModelFiles
package import Reports

extension Workspace {
  /// Reports what changed in the bundles of the project since a revision of git.
  ///
  /// - Throws: ``WorkspaceError`` for a model whose inheritance is broken, and as `BundleChange.since(_:in:_:)`.
  package func branchReport(since base: String) throws -> BranchReport {
    try BundleChange.since(base, in: project.search()) { changes, revision in
      try BranchReport(changes, since: "\(revision.revision)")
    }
  }

  /// Reports what changed in the bundles of the project between two revisions of git.
  ///
  /// - Throws: as ``branchReport(since:)``.
  package func branchReport(between range: RevisionRange) throws -> BranchReport {
    try BundleChange.between(range.source, range.destination, in: project.search()) { changes in
      try BranchReport(changes, since: range.source)
    }
  }
}

extension BranchReport {
  fileprivate init(_ changes: [BundleChange], since base: String) throws {
    self.init(base: base, try changes.map { try Bundle($0, since: base) })
  }
}

extension BranchReport.Bundle {
  /// Takes a bundle at two states.
  ///
  /// - Throws: ``WorkspaceError`` for a model whose inheritance is broken.
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
    self = models.bundle(
      path: change.path, sourcePath: change.sourcePath, addedVersions: change.addedVersions)
  }
}
