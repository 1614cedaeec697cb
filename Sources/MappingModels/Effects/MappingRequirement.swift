public import ModelDescription

/// What the rows of a store must meet before a mapping may run; names are the destination's.
public enum MappingRequirement: Hashable, Sendable {
  /// No row that becomes one of the entity may lack the attribute's value.
  case mandatoryAttribute(entity: String, attribute: String)
  /// No row that becomes one of the entity may lack the object at the other end.
  case mandatoryRelationship(entity: String, relationship: String)
  /// No two rows of the entity and its sub-entities may have the same values.
  case unique(entity: String, properties: [String])
  /// Every value must survive the conversions, which happen in this order.
  case fits(entity: String, attribute: String, conversions: [TypeConversion])
  /// No row may be linked with more than one object.
  case atMostOne(entity: String, relationship: String)
  /// No object may be linked from more than one, because a to-many without inverse is kept in the rows of its objects.
  case oneOwner(entity: String, relationship: String)
  /// No row may be of exactly this entity, which becomes abstract.
  case noRowsOfAbstract(entity: String)

  /// The option of `modelctl migrate` that lifts a requirement.
  public enum Remedy: Hashable, Sendable {
    case fill(entity: String, attribute: String)
    case cast(entity: String, attribute: String)
    case dedupe(entity: String)
    case keepFirst(entity: String, relationship: String)

    /// The option as people type it; a word in capitals is theirs to replace.
    public var option: String {
      switch self {
      case .fill(let entity, let attribute): "--fill \(entity).\(attribute)=VALUE"
      case .cast(let entity, let attribute): "--cast \(entity).\(attribute)"
      case .dedupe(let entity): "--dedupe \(entity)=keep-newest (or keep-oldest)"
      case .keepFirst(let entity, let relationship): "--keep-first \(entity).\(relationship)"
      }
    }
  }

  /// The option that lifts the requirement, nil when none does.
  public var remedy: Remedy? {
    switch self {
    case .mandatoryAttribute(let entity, let attribute): .fill(entity: entity, attribute: attribute)
    case .mandatoryRelationship, .noRowsOfAbstract: nil
    case .unique(let entity, _): .dedupe(entity: entity)
    case .fits(let entity, let attribute, let conversions):
      conversions.allSatisfy(\.isInferable) ? .cast(entity: entity, attribute: attribute) : nil
    case .atMostOne(let entity, let relationship), .oneOwner(let entity, let relationship):
      .keepFirst(entity: entity, relationship: relationship)
    }
  }

  /// The destination element that it is about.
  public var element: ModelElement {
    switch self {
    case .mandatoryAttribute(let entity, let name), .mandatoryRelationship(let entity, let name),
      .fits(let entity, let name, _), .atMostOne(let entity, let name), .oneOwner(let entity, let name):
      .property(entity: entity, name: name)
    case .unique(let entity, _), .noRowsOfAbstract(let entity): .entity(entity)
    }
  }
}
