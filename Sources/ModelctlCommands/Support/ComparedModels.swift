import ModelKit

/// A model that an argument named, and how reports call it.
typealias NamedModel = (name: String, file: ModelFile, hierarchy: EntityHierarchy)

/// Two models with what changed between them.
struct ComparedModels {
  let source: NamedModel
  let destination: NamedModel
  let difference: ModelDifference
  let report: DifferenceReport

  /// Compares two models.
  init(_ models: (source: NamedModel, destination: NamedModel)) {
    (source, destination) = models
    difference = ModelDifference(from: source.hierarchy, to: destination.hierarchy)
    report = DifferenceReport(
      from: source.name, to: destination.name, difference,
      refusal: MappingModel.refusal(from: source.hierarchy, to: destination.hierarchy))
  }

  /// The same as a bundle of a branch, with what the migration from the one to the other loses.
  func bundle(path: String, sourcePath: String? = nil, addedVersions: [String] = []) -> BranchReport.Bundle {
    let mapping = try? MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
    let losses = mapping?.losses(source: source.hierarchy, destination: destination.hierarchy) ?? []
    return BranchReport.Bundle(
      path: path, sourcePath: sourcePath, addedVersions: addedVersions, report, losses: losses.map(\.element))
  }
}

extension BranchReport {
  /// Reports what changed in the bundles of this project since a revision of git.
  ///
  /// - Throws: ``CommandError`` for a model whose inheritance is broken, and as `BundleChange.since(_:in:_:)`.
  static func since(_ base: String) throws -> BranchReport {
    try BundleChange.since(base, in: Project.here.search()) { changes, revision in
      try BranchReport(changes, since: "\(revision.revision)")
    }
  }

  /// Reports what changed in the bundles of this project between two revisions of git.
  ///
  /// - Throws: as ``since(_:)``.
  static func between(_ range: RevisionRange) throws -> BranchReport {
    try BundleChange.between(range.source, range.destination, in: Project.here.search()) { changes in
      try BranchReport(changes, since: range.source)
    }
  }

  private init(_ changes: [BundleChange], since base: String) throws {
    self.init(base: base, try changes.map { try Bundle($0, since: base) })
  }
}

extension BranchReport.Bundle {
  /// Takes a bundle at two states.
  ///
  /// - Throws: ``CommandError`` for a model whose inheritance is broken.
  fileprivate init(_ change: BundleChange, since base: String) throws {
    func named(_ version: BundleChange.Version, _ name: String) throws -> NamedModel {
      do {
        return (name, version.file, try EntityHierarchy(version.file.model))
      } catch {
        throw WorkspaceError(error, in: version.file, named: name)
      }
    }
    guard let source = change.source, let destination = change.destination else {
      let entities = (change.source ?? change.destination)?.file.model.entities.count ?? 0
      self.init(
        path: change.path, isAdded: change.source == nil, addedVersions: change.addedVersions, entityCount: entities)
      return
    }
    let isEdited = source.name == destination.name
    let models = (
      source: try named(source, isEdited ? "\(source.name) of \(base)" : source.name),
      destination: try named(destination, destination.name)
    )
    self = ComparedModels(models).bundle(
      path: change.path, sourcePath: change.sourcePath, addedVersions: change.addedVersions)
  }
}
