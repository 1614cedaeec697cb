public import ModelDescription

/// A condition that the rows of a store must meet before a mapping runs, with the names of the destination.
public enum MappingRequirement: Hashable, Sendable {
  /// Every row that becomes an object of the entity has a value of the attribute.
  case mandatoryAttribute(entity: String, attribute: String)
  /// Every row that becomes an object of the entity has a link.
  case mandatoryRelationship(entity: String, relationship: String)
  /// The values of the properties are unique among the rows of the entity and its sub-entities.
  case unique(entity: String, properties: [String])
  /// Every value survives the conversions, in this order.
  case fits(entity: String, attribute: String, conversions: [TypeConversion])
  /// No row is linked to more than one object.
  case atMostOne(entity: String, relationship: String)
  /// No object is linked from more than one row.
  ///
  /// The rows of the objects store a to-many relationship that lacks an inverse.
  case oneOwner(entity: String, relationship: String)
  /// No row is of exactly this entity, because it becomes abstract.
  case noRowsOfAbstract(entity: String)

  /// A choice that lifts a requirement.
  public enum Remedy: Hashable, Sendable {
    /// Gives the rows without a value this value.
    case fill(entity: String, attribute: String)
    /// Converts the values, also if they do not fit.
    case cast(entity: String, attribute: String)
    /// Removes duplicates.
    case dedupe(entity: String)
    /// Keeps only the first link.
    case keepFirst(entity: String, relationship: String)

    /// The choice in words, with the options of a migration, in which you replace words in capitals.
    public var advice: Advice {
      switch self {
      case .fill(let entity, let attribute):
        "give every row without a value the same value: \(option: "--fill", "\(entity).\(attribute)=VALUE")"
      case .cast(let entity, let attribute): "convert the values: \(option: "--cast", "\(entity).\(attribute)")"
      case .dedupe(let entity):
        """
        keep the newest of equal rows: \(option: "--dedupe", "\(entity)=keep-newest"); or keep the oldest: \
        \(option: "--dedupe", "\(entity)=keep-oldest")
        """
      case .keepFirst(let entity, let relationship):
        "keep only the first link: \(option: "--keep-first", "\(entity).\(relationship)")"
      }
    }
  }

  /// The choice that lifts the requirement; nil if no choice does.
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

  /// The destination element that the requirement is about.
  public var element: ModelElement {
    switch self {
    case .mandatoryAttribute(let entity, let name), .mandatoryRelationship(let entity, let name),
      .fits(let entity, let name, _), .atMostOne(let entity, let name), .oneOwner(let entity, let name):
      .property(entity: entity, name: name)
    case .unique(let entity, _), .noRowsOfAbstract(let entity): .entity(entity)
    }
  }
}
