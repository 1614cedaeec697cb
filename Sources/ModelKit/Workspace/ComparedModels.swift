package import MappingModels
package import ModelDescription
package import Reports

/// Two models and the step between them.
package struct ComparedModels {
  /// A model, and how reports call it.
  package typealias Model = (name: String, hierarchy: EntityHierarchy)

  package let source: Model
  package let destination: Model
  /// The step from the source to the destination.
  package let step: ModelStep
  /// The report of the difference.
  package let report: DifferenceReport

  package init(from source: Model, to destination: Model) {
    (self.source, self.destination) = (source, destination)
    step = ModelStep(from: source.hierarchy, to: destination.hierarchy)
    report = DifferenceReport(from: source.name, to: destination.name, step)
  }

  /// The difference as a bundle of a branch, with the losses of the migration.
  package func bundle(path: String, sourcePath: String? = nil, addedVersions: [String] = []) -> BranchReport.Bundle {
    BranchReport.Bundle(
      path: path, sourcePath: sourcePath, addedVersions: addedVersions, report, losses: step.losses.map(\.element))
  }
}
