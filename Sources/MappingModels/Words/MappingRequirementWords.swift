import ModelDescription

extension MappingRequirement {
  /// What Core Data's migration fails with.
  public var code: CoreDataError { if case .unique = self { .constraintViolation } else { .migration } }

  /// Core Data's own wording where it is known, so that people can search for it.
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

  /// What it means, in our words; the rows that break it are the caller's to add.
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
      \(entity).\(attribute) becomes \(Self.names(of: conversions)), and a value that does not survive it would be \
      changed without a word
      """
    case .atMostOne(let entity, let relationship):
      "\(entity).\(relationship) can hold one object, so no object may be linked with more"
    case .oneOwner(let entity, let relationship):
      """
      without a to-many inverse every object stands in the \(entity).\(relationship) of one object only, so no object may \
      be linked from more
      """
    case .noRowsOfAbstract(let entity):
      "\(entity) becomes abstract, and objects of an abstract entity cannot exist; delete them, or make them sub-entities"
    }
  }

  private static func names(of conversions: [TypeConversion]) -> String {
    conversions.map { "\($0.to.name) from \($0.from.name)" }.joined(separator: ", then ")
  }
}

extension MappingRequirement: CustomStringConvertible {
  /// The place, Core Data's code and words, ours, and the option that helps.
  public var description: String {
    let sentence = "\(element): \(reason) (\(code)): \(explanation)"
    return remedy.map { "\(sentence); \($0.option)" } ?? sentence
  }
}
