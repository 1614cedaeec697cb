import ModelComparison
import ModelDescription

extension MappingFinding {
  /// What is the matter, in one sentence without a full stop.
  public var sentence: String {
    switch kind {
    case .noEntities: "the mapping names neither a source entity nor a destination entity"
    case .otherVersion(let side, let entity): "it was made for another version of the \(side) entity \(entity)"
    case .unknownEntity(let side, let name, let near): "the \(side) model has no entity \(name)\(Self.list(near))"
    case .unknownProperty(let name, let entity, let near):
      "the destination entity \(entity) has no property \(name)\(Self.list(near))"
    case .wrongPropertyKind(let name, let entity, true): "\(entity).\(name) is an attribute, mapped as a relationship"
    case .wrongPropertyKind(let name, let entity, false): "\(entity).\(name) is a relationship, mapped as an attribute"
    case .notStored(let name, let entity): "\(entity).\(name) is transient, so no store keeps what it is given"
    case .duplicateName: "another entity mapping has the same name, by which expressions refer to it"
    case .duplicateProperty(let name): "\(name) is filled twice"
    case .abstractDestination(let entity): "\(entity) is abstract, so no objects of it can be made"
    case .uncoveredSource(let entity, let isInDestination):
      "no entity mapping reads \(entity): all its objects are lost"
        + (isInDestination ? ", though the destination has this entity too" : "")
    case .uncoveredDestination(let entity): "no entity mapping makes \(entity): it starts without objects"
    case .unfilled(let name, let entity, .defaultValue(let value)):
      "nothing fills \(entity).\(name): it gets its default, \(AspectValue.value(value))"
    case .unfilled(let name, let entity, .noValue): "nothing fills \(entity).\(name): it gets no value"
    case .unfilled(let name, let entity, .noObjects): "nothing fills \(entity).\(name): it leads to no object"
    case .unfilledRequired(let name, let entity): "nothing fills \(entity).\(name), which must have a value"
    case .expression(let error): "\(error)"
    case .filter(let error): "the filter: \(error)"
    case .missingPolicy(let name): "the policy class \(name) exists only in an app, and nothing stands in for it"
    case .functionWithoutPolicy(let selector): "an expression calls \(selector) of a policy, and the mapping has none"
    case .missingFunction(let selector, let policy):
      "an expression calls \(selector) of \(policy), and what stands in for the class has no such function"
    case .otherObjects(let mapping, let made, let relationship, let wanted):
      "\(relationship) leads to \(wanted), and \(mapping.map { "the mapping \($0)" } ?? "a mapping") makes \(made)"
    case .unmappedObjects(let entity, let relationship):
      "no entity mapping reads \(entity), so \(relationship) leads to no object"
    case .entityCycle(let entities):
      "objects change entities in a circle: \((entities + entities.prefix(1)).joined(separator: " → "))"
    }
  }

  /// What to do about it.
  public var advice: String {
    switch kind {
    case .noEntities: "give it a source, a destination or both, or take the entity mapping out"
    case .otherVersion:
      "check what changed in the entity, adapt the mapping, then refresh it: in Xcode by Editor > Refresh Data Models"
    case .unknownEntity, .unknownProperty: "correct the name, or take this part out of the mapping model"
    case .wrongPropertyKind(_, _, true): "write it among the attributes"
    case .wrongPropertyKind(_, _, false): "write it among the relationships"
    case .notStored: "delete the property mapping"
    case .duplicateName: "give one of them another name"
    case .duplicateProperty: "keep one of the two"
    case .abstractDestination: "name a sub-entity that is not abstract"
    case .uncoveredSource(let entity, _):
      "add an entity mapping with the source \(entity), or one without a destination if the objects are to go"
    case .uncoveredDestination: "add an entity mapping if it is to have objects"
    case .unfilled: "give it an expression if it is to have another value"
    case .unfilledRequired: "give it an expression, or a default in the model"
    case .expression, .filter: "correct the expression"
    case .missingPolicy: "name SQL in its place, a policy in Swift, or have it treated as the default"
    case .functionWithoutPolicy: "name the policy class, or write an expression without it"
    case .missingFunction(let selector, _): "give SQL for \(selector)"
    case .otherObjects: "name a mapping that makes objects of the relationship's destination"
    case .unmappedObjects: "add an entity mapping that reads them, or delete the property mapping"
    case .entityCycle: "correct the entities unless this is meant"
    }
  }

  private static func list(_ near: [String]) -> String { NearNames.clause(near) }
}

extension MappingFinding: CustomStringConvertible {
  /// The severity, the place, the sentence and the advice.
  public var description: String {
    let place = [mapping, property].compactMap { $0 }.joined(separator: ".")
    return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(sentence); \(advice)"
  }
}
