public import ModelDescription

extension MappingModel {
  /// Everything that is wrong, doubtful or left open between the mapping and two models.
  ///
  /// - Parameters:
  ///   - source: the model of the stores that are migrated.
  ///   - destination: the model they are migrated to.
  ///   - hasPolicy: tells whether a policy class of a name is implemented; stand-ins need not be.
  /// - Returns: the findings in the order of the entity mappings and their properties, those of the whole at the end.
  public func findings(
    from source: EntityHierarchy, to destination: EntityHierarchy, hasPolicy: (String) -> Bool = { _ in false }
  ) -> [MappingFinding] {
    let policies = Set(entityMappings.compactMap(\.policyClassName)).filter(hasPolicy)
    var search = MappingFindingSearch(self, source: source, destination: destination, policies: policies)
    return search.findings()
  }
}
