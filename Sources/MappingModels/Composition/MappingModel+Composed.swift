public import ModelDescription

extension MappingModel {
  /// The mapping whose result equals that of this one followed by another.
  ///
  /// An attribute or entity that went and came back is new. Composition is associative.
  ///
  /// - Parameters:
  ///   - second: the mapping from the version between to the last one.
  ///   - source: the version that this mapping reads.
  ///   - middle: the version that this mapping makes and the second reads.
  ///   - destination: the version that the second mapping makes.
  /// - Returns: the mapping from the source to the destination.
  /// - Throws: ``CompositionRefusal`` when only the version between can compute a value.
  public func composed(
    with second: MappingModel,
    from source: EntityHierarchy,
    through middle: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(CompositionRefusal) -> MappingModel {
    let composition = MappingComposition(
      first: self,
      second: second,
      source: source,
      middle: middle,
      destination: destination
    )
    return try composition.mappingModel()
  }
}
