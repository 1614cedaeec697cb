import ModelComparison
import ModelDescription

extension MappingFinding {
  /// The finding as a sentence, without its full stop.
  public var sentence: String {
    switch kind {
    case .noEntities: "the mapping names neither a source entity nor a destination entity"
    case .otherVersion(let side, let entity): "it was made for a different version of the \(side) entity \(entity)"
    case .unknownEntity(let side, let name, let near):
      CommonWords.unknown("entity", name, in: "the \(side) model", near: near)
    case .unknownProperty(let name, let entity, let near):
      CommonWords.unknown("property", name, in: "the destination entity \(entity)", near: near)
    case .wrongPropertyKind(let name, let entity, true): "\(entity).\(name) is an attribute, mapped as a relationship"
    case .wrongPropertyKind(let name, let entity, false): "\(entity).\(name) is a relationship, mapped as an attribute"
    case .notStored(let name, let entity): "\(entity).\(name) is transient, so stores do not keep its value"
    case .duplicateName: "another entity mapping has the same name, and expressions refer to mappings by name"
    case .duplicateProperty(let name): "\(name) is mapped twice"
    case .abstractDestination(let entity): "\(entity) is abstract, so the mapping cannot create objects of it"
    case .uncoveredSource(let entity, let isInDestination):
      "no entity mapping reads \(entity): all its objects are lost"
        + (isInDestination ? ", although the destination also has this entity" : "")
    case .uncoveredDestination(let entity): "no entity mapping creates objects of \(entity), so it starts empty"
    case .unfilled(let name, let entity, .defaultValue(let value)):
      "nothing fills \(entity).\(name), so it gets the default value \(AspectValue.value(value))"
    case .unfilled(let name, let entity, .noValue): "nothing fills \(entity).\(name), so it has no value"
    case .unfilled(let name, let entity, .noObjects): "nothing fills \(entity).\(name), so it has no objects"
    case .unfilledRequired(let name, let entity): "nothing fills \(entity).\(name), and it is required"
    case .expression(let error): "\(error)"
    case .filter(let error): "the filter: \(error)"
    case .missingPolicy(let name): "the policy class \(name) exists only in an app, and it has no replacement here"
    case .functionWithoutPolicy(let selector):
      "an expression calls the policy function \(selector), but the mapping names no policy class"
    case .missingFunction(let selector, let policy):
      "an expression calls \(selector) of \(policy), but the replacement of the class has no such function"
    case .otherObjects(let mapping, let made, let relationship, let wanted):
      "\(relationship) holds \(wanted), but \(mapping.map { "the mapping \($0)" } ?? "a mapping") creates \(made)"
    case .unmappedObjects(let entity, let relationship):
      "no entity mapping reads \(entity), so \(relationship) gets no objects"
    case .entityCycle(let entities):
      "objects change entities in a circle: \((entities + entities.prefix(1)).joined(separator: " → "))"
    }
  }

  /// The advice, without a full stop.
  public var advice: String {
    switch kind {
    case .noEntities: "give it a source, a destination or both, or remove the entity mapping"
    case .otherVersion:
      "check the changes in the entity, adapt the mapping, then refresh it: in Xcode by Editor > Refresh Data Models"
    case .unknownEntity, .unknownProperty: "correct the name, or remove this part of the mapping model"
    case .wrongPropertyKind(_, _, true): "move it to the attributes"
    case .wrongPropertyKind(_, _, false): "move it to the relationships"
    case .notStored: "delete the property mapping"
    case .duplicateName: "give one of them another name"
    case .duplicateProperty: "remove one of the two mappings"
    case .abstractDestination: "name a sub-entity that is not abstract"
    case .uncoveredSource(let entity, _):
      "add an entity mapping with the source \(entity), or an entity mapping without a destination to delete its objects"
    case .uncoveredDestination: "add an entity mapping if the entity needs objects"
    case .unfilled: "give it an expression if it needs another value"
    case .unfilledRequired: "give it an expression, or a default value in the model"
    case .expression, .filter: "correct the expression"
    case .missingPolicy: "give SQL or a Swift policy as its replacement, or treat it as the default policy"
    case .functionWithoutPolicy: "name the policy class, or write an expression without the function"
    case .missingFunction(let selector, _): "give SQL for \(selector)"
    case .otherObjects: "name a mapping that creates objects of the relationship's destination"
    case .unmappedObjects: "add an entity mapping that reads these objects, or delete the property mapping"
    case .entityCycle: "correct the entities, unless the circle is intended"
    }
  }

}

extension MappingFinding: CustomStringConvertible {
  /// The severity, the location, the sentence and the advice.
  public var description: String {
    let place = [mapping, property].compactMap { $0 }.joined(separator: ".")
    return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(sentence); \(advice)"
  }
}
