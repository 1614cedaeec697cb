import ModelDescription

extension MappingRequirement {
  /// The error that Core Data's migration fails with.
  public var code: CoreDataError { if case .unique = self { .constraintViolation } else { .migration } }

  /// Core Data's message if it is known, so that you can search for it.
  public var reason: String {
    switch self {
    case .mandatoryAttribute: "Validation error missing attribute values on mandatory destination attribute"
    case .mandatoryRelationship: "Validation error missing attribute values on mandatory destination relationship"
    case .unique: "Constraint violation during attempted migration"
    case .fits: "Cannot migrate store in-place: values do not fit the destination attribute type"
    case .atMostOne: "Cannot migrate store in-place: too many objects for a to-one destination relationship"
    case .oneOwner: "Cannot migrate store in-place: an object in several to-many relationships without inverse"
    case .noRowsOfAbstract: "Cannot migrate store in-place: objects of an entity that is abstract in the destination"
    }
  }

  /// The requirement in plain words, without the rows that break it.
  public var explanation: String {
    switch self {
    case .mandatoryAttribute(let entity, let attribute):
      """
      \(entity).\(attribute) is required and has no default value, so every object needs a value before it can migrate
      """
    case .mandatoryRelationship(let entity, let relationship):
      """
      \(entity).\(relationship) is required, so every object must be linked before it can migrate; make the relationship \
      optional in this version, link the objects, and require it in the next version
      """
    case .unique(let entity, let properties):
      """
      \(entity) is unique by \(properties.joined(separator: ", ")), so no two objects may have the same values
      """
    case .fits(let entity, let attribute, let conversions):
      """
      \(entity).\(attribute) changes \(Self.names(of: conversions)), and the migration would change values that do not \
      fit
      """
    case .atMostOne(let entity, let relationship):
      "\(entity).\(relationship) can hold only one object, so no object may have several links"
    case .oneOwner(let entity, let relationship):
      """
      \(entity).\(relationship) has no to-many inverse, so an object can be in the \(relationship) of only one \(entity)
      """
    case .noRowsOfAbstract(let entity):
      """
      \(entity) becomes abstract, and an abstract entity cannot have objects; delete its objects, or turn them into \
      objects of a sub-entity
      """
    }
  }

  private static func names(of conversions: [TypeConversion]) -> String {
    conversions.map { "from \($0.from.name) to \($0.to.name)" }.joined(separator: ", then ")
  }
}

extension MappingRequirement: CustomStringConvertible {
  /// The element, Core Data's message and code, the explanation and the remedy in words.
  public var description: String {
    let sentence = "\(element): \(reason) (\(code)): \(explanation)"
    return remedy.map { "\(sentence); \($0.advice.words)" } ?? sentence
  }
}
