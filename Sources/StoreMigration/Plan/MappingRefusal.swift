public import MigrationSQL
public import ModelDescription

/// The reason why an entity mapping cannot be planned.
public enum MappingRefusal: Hashable, Sendable {
  /// Two entity mappings have the same name, and expressions refer to mappings by name.
  case nameIsTaken
  /// The source model does not have this entity.
  case unknownSource(String)
  /// The destination model does not have this entity.
  case unknownDestination(String)
  /// The destination entity does not store a property of this name.
  case unknownProperty(String)
  /// Two property mappings are for a single property.
  case propertyIsTaken(String)
  /// The relationships lead between more pairs of entity mappings than the limit.
  case tooManyLinks(limit: Int)
  /// The expression of a relationship names an entity mapping that does not exist.
  case unknownMapping(String, property: String)
  /// The expression of a relationship names a source relationship that does not exist.
  case unknownRelationship(String, property: String)
  /// The named mapping creates objects that the relationship cannot hold.
  case wrongObjects(mapping: String, property: String)
  /// The expression of a relationship does not return destination objects.
  case noDestinationObjects(property: String)
  /// An expression cannot be written in SQL.
  case expression(property: String?, ExpressionError)
  /// The policy class has neither an implementation nor a replacement.
  case missingPolicy(className: String)
  /// Expressions call functions of a policy class that its replacement does not have.
  case missingFunctions([String], className: String)
  /// The replacement of a policy class gives SQL for a name that is neither an attribute nor a called function.
  case unusedReplacement(String, className: String, near: [String])
}

extension MappingRefusal: AdvisedError {
  /// Nil: the caller knows the file.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .nameIsTaken: "another entity mapping has the same name"
    case .unknownSource(let name): CommonWords.unknown("entity", name, in: "the source model", near: [])
    case .unknownDestination(let name): CommonWords.unknown("entity", name, in: "the destination model", near: [])
    case .unknownProperty(let name):
      CommonWords.unknown("stored property", name, in: "the destination entity", near: [])
    case .tooManyLinks(let limit):
      "the relationships of the mapping model lead between more than \(limit) pairs of entity mappings"
    case .propertyIsTaken(let name): "two property mappings are for \(name)"
    case .unknownMapping(let name, let property):
      "\(property) looks up objects of the entity mapping \(name), which does not exist"
    case .unknownRelationship(let name, let property):
      "\(property) looks up objects along \(name), which is not a relationship of the source entity"
    case .wrongObjects(let mapping, let property): "\(property) cannot hold the objects that \(mapping) creates"
    case .noDestinationObjects(let property): "the value of \(property) is not a look-up of destination objects"
    case .expression(let property, let error): "\(property ?? "the filter"): \(error)"
    case .missingPolicy(let className): "the policy class \(className) is not available"
    case .missingFunctions(let selectors, let className):
      """
      the replacement of the policy class \(className) lacks \(selectors.joined(separator: ", ")), and expressions call \
      \(selectors.count == 1 ? "it" : "them")
      """
    case .unusedReplacement(let name, let className, let near):
      "no expression or attribute uses the SQL in place of \(className).\(name)\(NearNames.clause(near))"
    }
  }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? {
    switch self {
    case .nameIsTaken: "rename one of them"
    case .propertyIsTaken: "remove one of them"
    case .tooManyLinks: "make the objects of an entity with fewer entity mappings"
    case .noDestinationObjects:
      """
      use FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", …)
      """
    case .missingPolicy(let className):
      """
      register a policy of this name in code, or give SQL in its place in the mapping file; or treat it as the default \
      policy: \(option: "--policy", "\(className)=default")
      """
    case .missingFunctions(let selectors, let className):
      """
      give SQL for each function, or for the attributes that use it: \
      \(option: "--policy", "\(className)/\(selectors.first ?? "")=SQL")
      """
    case .unusedReplacement(_, _, let near): near.isEmpty ? "remove it" : nil
    case .unknownSource, .unknownDestination, .unknownProperty, .unknownMapping, .unknownRelationship, .wrongObjects,
      .expression:
      nil
    }
  }
}
