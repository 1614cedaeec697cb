public import ModelDescription

extension MappingModel {
  /// Returns one mapping with the same result as this mapping followed by another.
  ///
  /// An attribute or entity that was removed and added again is new. Composition is associative.
  ///
  /// - Parameters:
  ///   - second: the mapping from the intermediate version to the destination.
  ///   - middle: the intermediate version.
  /// - Throws: ``CompositionRefusal`` if only the intermediate version can compute a value.
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

/// The reason that no single mapping has the result of two mappings.
public enum CompositionRefusal: Error, Hashable, Sendable {
  /// A value that only the intermediate version derives becomes an ordinary value.
  case derivedValueKept(entity: String, attribute: String)
  /// A relationship keeps links from an inverse that only the intermediate version has.
  case linksOfIntermediateInverse(entity: String, relationship: String)
}

extension CompositionRefusal: AdvisedError {
  /// Nil, because the cause names the property.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .derivedValueKept(let entity, let attribute):
      "\(entity).\(attribute) keeps values that an intermediate version derives"
    case .linksOfIntermediateInverse(let entity, let relationship):
      "\(entity).\(relationship) keeps links that it gets from its inverse in an intermediate version"
    }
  }

  /// The same advice for every cause.
  public var advice: Advice? { "migrate to that version first, then to the next version" }
}
