import MappingModels
package import ModelComparison
package import ModelDescription
package import Reports

/// Two models with what changed between them.
package struct ComparedModels {
  /// A model, and how reports call it.
  package typealias Model = (name: String, hierarchy: EntityHierarchy)

  /// The older model.
  package let source: Model
  /// The newer model.
  package let destination: Model
  /// What changed.
  package let difference: ModelDifference
  /// The same for people and programs.
  package let report: DifferenceReport
  /// The mapping that is inferred between them, nil where none is.
  private let mapping: MappingModel?

  /// Compares two models.
  package init(from source: Model, to destination: Model) {
    (self.source, self.destination) = (source, destination)
    difference = ModelDifference(from: source.hierarchy, to: destination.hierarchy)
    let refusal: InferenceRefusal?
    do {
      mapping = try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy)
      refusal = nil
    } catch {
      mapping = nil
      refusal = error
    }
    report = DifferenceReport(from: source.name, to: destination.name, difference, refusal: refusal)
  }

  /// The same as a bundle of a branch, with what the migration from the one to the other loses.
  package func bundle(
    path: String, sourcePath: String? = nil, addedVersions: [String] = []
  ) -> BranchReport.Bundle {
    let losses = mapping?.losses(source: source.hierarchy, destination: destination.hierarchy) ?? []
    return BranchReport.Bundle(
      path: path, sourcePath: sourcePath, addedVersions: addedVersions, report, losses: losses.map(\.element))
  }
}
