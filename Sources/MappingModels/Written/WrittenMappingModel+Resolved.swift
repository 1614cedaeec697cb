import ModelComparison
public import ModelDescription

extension WrittenMappingModel {
  /// Decides everything that is not written, as inference does.
  ///
  /// A property that a written entity mapping does not name gets the value of the property it continues, by renaming
  /// identifier or name; one that becomes mandatory gets its default where that is empty. A relationship leads to the
  /// objects that the mapping of the source relationship's destination makes. Derived and transient properties are not
  /// mapped.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  /// - Returns: the written entity mappings in their order, then those that are inferred.
  /// - Throws: ``MappingResolutionError`` with the place of the first thing that means nothing for these models.
  public func resolved(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> MappingModel {
    try MappingResolver(written: self, pairing: EntityPairing(from: source, to: destination)).resolved()
  }

  /// The same where inference cannot decide everything: what it cannot is left empty.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  /// - Returns: the mapping model, and what nobody has decided, each with its place.
  /// - Throws: ``MappingResolutionError`` with the place of the first thing that means nothing for these models.
  public func resolvedAsFarAsPossible(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingResolutionError) -> (model: MappingModel, undecided: [MappingResolutionError]) {
    let pairing = EntityPairing(from: source, to: destination)
    let resolver = MappingResolver(written: self, pairing: pairing, leavesUndecided: true)
    return (try resolver.resolved(), try resolver.undecided())
  }
}
