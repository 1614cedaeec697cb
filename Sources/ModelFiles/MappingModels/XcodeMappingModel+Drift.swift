public import MappingModels
public import ModelDescription

extension XcodeMappingModel {
  /// How the models changed since they were saved into the mapping model.
  ///
  /// - Parameters:
  ///   - source: the source model as its file has it, nil to leave it out.
  ///   - destination: the destination model as its file has it, nil to leave it out.
  /// - Returns: what changed, the source's changes first; empty exactly when all hashes are equal.
  /// - Throws: `ModelStructureError`.
  public func drift(
    source: EntityHierarchy?, destination: EntityHierarchy?
  ) throws(ModelStructureError) -> [MappingDrift] {
    var drifts: [MappingDrift] = []
    if let source {
      drifts += try MappingDrift.between(self.source.hierarchy, and: source, side: .source)
    }
    if let destination {
      drifts += try MappingDrift.between(self.destination.hierarchy, and: destination, side: .destination)
    }
    return drifts
  }
}
