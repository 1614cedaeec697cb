public import ModelDescription

extension MappingModel {
  /// The mapping whose result equals that of this one followed by another.
  ///
  /// An attribute or entity that went and came back is new. Composition is associative.
  ///
  /// - Parameters:
  ///   - second: the mapping from the version between to the last one.
  ///   - middle: the version that this mapping makes and the second reads.
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

/// Why two mappings have no equal that reads the first version and makes the last at once.
public enum CompositionRefusal: Error, Hashable, Sendable {
  /// A value that is derived only in the version between becomes an ordinary one.
  case derivedValueKept(entity: String, attribute: String)
  /// Links that a relationship gets from its new inverse in the version between outlive that inverse.
  case linksOfIntermediateInverse(entity: String, relationship: String)
}

extension CompositionRefusal: CustomStringConvertible {
  /// The cause and what to do.
  public var description: String {
    switch self {
    case .derivedValueKept(let entity, let attribute):
      """
      \(entity).\(attribute) keeps values that a version on the way derives; migrate to that version first, \
      then to the next
      """
    case .linksOfIntermediateInverse(let entity, let relationship):
      """
      \(entity).\(relationship) keeps links that it gets from its inverse in a version on the way; migrate to that \
      version first, then to the next
      """
    }
  }
}
