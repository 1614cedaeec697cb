public import MigrationSQL
import ModelDescription

/// Why an entity mapping cannot be planned.
public enum MappingRefusal: Error, Hashable, Sendable {
  /// Two entity mappings have its name, by which expressions refer to them.
  case nameIsTaken
  /// The source model has no such entity.
  case unknownSource(String)
  /// The destination model has no such entity.
  case unknownDestination(String)
  /// The destination entity has no such property that is stored.
  case unknownProperty(String)
  /// Two property mappings lead to one property.
  case propertyIsTaken(String)
  /// The expression of a relationship names a mapping that is not there.
  case unknownMapping(String, property: String)
  /// The expression of a relationship names a source relationship that is not there.
  case unknownRelationship(String, property: String)
  /// The named mapping makes objects that the relationship cannot hold.
  case wrongObjects(mapping: String, property: String)
  /// The expression of a relationship gives no destination objects.
  case noDestinationObjects(property: String)
  /// An expression has no SQL.
  case expression(property: String?, ExpressionError)
  /// The policy class has no implementation and nothing stands in for it.
  case missingPolicy(className: String)
  /// Expressions call functions of a policy class that its replacement does not have.
  case missingFunctions([String], className: String)
  /// What stands in for a policy class gives SQL for a name that is no attribute and no function called.
  case unusedStandIn(String, className: String, near: [String])
}

extension MappingRefusal: CustomStringConvertible {
  /// The cause and what to do.
  public var description: String {
    switch self {
    case .nameIsTaken: "another entity mapping has the same name; rename one of them"
    case .unknownSource(let name): "the source model has no entity \(name)"
    case .unknownDestination(let name): "the destination model has no entity \(name)"
    case .unknownProperty(let name): "the destination entity stores no property \(name)"
    case .propertyIsTaken(let name): "two mappings lead to \(name); remove one of them"
    case .unknownMapping(let name, let property):
      "\(property) looks up objects of the entity mapping \(name), which is not there"
    case .unknownRelationship(let name, let property):
      "\(property) looks up objects along \(name), which is no relationship of the source entity"
    case .wrongObjects(let mapping, let property): "\(property) cannot hold the objects that \(mapping) makes"
    case .noDestinationObjects(let property):
      """
      the value of \(property) is not a look-up of destination objects; use FUNCTION($manager, \
      "destinationInstancesForEntityMappingNamed:sourceInstances:", …)
      """
    case .expression(let property, let error): "\(property ?? "the filter"): \(error)"
    case .missingPolicy(let className):
      """
      the policy class \(className) is not here. Register a policy of that name in code, give SQL in its place in the \
      mapping file, or have it treated as the default, with --policy \(className)=default
      """
    case .unusedStandIn(let name, let className, let near):
      "the SQL in place of \(className).\(name) is never asked for" + NearNames.clause(near, else: "; remove it")
    case .missingFunctions(let selectors, let className):
      """
      the replacement of the policy class \(className) lacks \(selectors.joined(separator: ", ")), which expressions \
      call; give SQL for each function with --policy '\(className)/\(selectors.first ?? "")=SQL', or for the attributes \
      that they fill
      """
    }
  }
}
