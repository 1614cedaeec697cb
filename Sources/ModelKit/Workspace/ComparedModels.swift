package import MappingModels
package import ModelDescription
package import Reports

/// Two models with the step from the one to the other.
package struct ComparedModels {
  /// A model, and how reports call it.
  package typealias Model = (name: String, hierarchy: EntityHierarchy)

  package let source: Model
  package let destination: Model
  /// What happens between them.
  package let step: ModelStep
  /// The same for people and programs.
  package let report: DifferenceReport

  package init(from source: Model, to destination: Model) {
    (self.source, self.destination) = (source, destination)
    step = ModelStep(from: source.hierarchy, to: destination.hierarchy)
    report = DifferenceReport(from: source.name, to: destination.name, step)
  }

  /// The same as a bundle of a branch, with what the migration from the one to the other loses.
  package func bundle(path: String, sourcePath: String? = nil, addedVersions: [String] = []) -> BranchReport.Bundle {
    BranchReport.Bundle(
      path: path, sourcePath: sourcePath, addedVersions: addedVersions, report, losses: step.losses.map(\.element))
  }
}
