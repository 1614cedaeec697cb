public import ModelDescription

extension MappingModel {
  /// What the rows must meet before this mapping may run, only for what is new in the destination.
  ///
  /// Core Data finds these while it migrates in place; here they are known before a store is read.
  ///
  /// - Parameters:
  ///   - source: the version that the mapping reads.
  ///   - destination: the version that the mapping makes.
  /// - Returns: the requirements in the order of the entity mappings, then those of uniqueness.
  public func requirements(source: EntityHierarchy, destination: EntityHierarchy) -> [MappingRequirement] {
    RequirementSearch(self, source: source, destination: destination).requirements()
  }

  /// What this mapping loses of the rows, each for the caller to consent to by name.
  ///
  /// - Parameters:
  ///   - source: the version that the mapping reads.
  ///   - destination: the version that the mapping makes.
  /// - Returns: the losses in the order of the source's entity numbers, properties by name.
  public func losses(source: EntityHierarchy, destination: EntityHierarchy) -> [DataLoss] {
    LossSearch(self, source: source, destination: destination).losses()
  }
}
