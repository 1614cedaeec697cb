public import MappingModels
public import MigrationSQL
import ModelDescription

/// Why a request has no meaning for a model.
public enum RecordRequestError: Error, Hashable, Sendable {
  /// The model has no such entity.
  case unknownEntity(String, near: [String])
  /// The store has no table of the entity's objects.
  case noTable(entity: String)
  /// The entity has no such property, or the store keeps none of it.
  case unknownProperty(String, entity: String, near: [String])
  /// The property is an element of a composite attribute, which is read as a whole.
  case element(String, attribute: String)
  /// The property is a to-many relationship, which is asked for by itself.
  case several(String, entity: String)
  /// The entity has no such relationship.
  case unknownRelationship(String, entity: String, near: [String])
  /// The property is no relationship that a store keeps.
  case noLinks(String, entity: String)
  /// An argument of a predicate, counted from 1, is no value that can be compared.
  case argument(Int)
  /// The model has no such fetch request template.
  case unknownTemplate(String, near: [String])
  /// The entity has no such fetched property, or it has no fetch request.
  case unknownFetchedProperty(String, entity: String, near: [String])
  /// What is given for a variable of a template is no value that can be compared.
  case variable(String, template: String)
  /// A template's variables and those that are given are not the same.
  case variables(template: String, missing: [String], unused: [String])
  /// A template asks for something else than objects, or in a way that is not known.
  case templateSetting(String, key: String, value: String)
  /// A template cannot be asked.
  indirect case template(String, RecordRequestError)
  /// A text is no predicate.
  case syntax(ExpressionSyntaxError, text: String)
  /// A predicate or a sort key means nothing for the entity; the place is counted in Unicode scalars from 0.
  case meaning(ExpressionTypeError, text: String, offset: Int? = nil)
  /// A predicate or a sort key cannot be asked of SQLite.
  case notAskable(text: String, QueryError)

  /// What keeps a predicate or a sort key from being asked of SQLite.
  public enum QueryError: Error, Hashable, Sendable {
    /// It has no SQL, such as that of a property for which the store has no room.
    case expression(ExpressionError)
    /// Groups have an order of their own.
    case sortedGroups
    /// There are no groups of what a key path gives.
    case noGroups(ExpressionType)
  }
}

extension RecordRequestError: CustomStringConvertible {
  /// The cause, with what to write instead.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let near): "there is no entity \(name)\(Self.list(near))"
    case .noTable(let entity): "the store has no table of the objects of \(entity)"
    case .unknownProperty(let name, let entity, let near): "\(entity) has no “\(name)” in a store\(Self.list(near))"
    case .element(let name, let attribute): "“\(name)” is an element of \(attribute); ask for \(attribute)"
    case .several(let name, let entity): "\(entity).\(name) leads to several objects; ask for it with --include \(name)"
    case .unknownRelationship(let name, let entity, let near):
      "\(entity) has no relationship “\(name)” in a store\(Self.list(near))"
    case .noLinks(let name, let entity): "\(entity).\(name) is no relationship that a store keeps"
    case .unknownTemplate(let name, let near):
      "the model has no fetch request template “\(name)”\(Self.list(near)); those of a compiled model are not read"
    case .unknownFetchedProperty(let name, let entity, let near):
      "\(entity) has no fetched property “\(name)”\(Self.list(near))"
    case .variable(let name, let template):
      "\(template): $\(name) is no value that can be compared; give a value of an attribute or an object"
    case .variables(let template, let missing, let unused):
      "\(template): "
        + [("needs", missing), ("has no", unused)].filter { !$0.1.isEmpty }
        .map { "it \($0) \($1.map { "$\($0)" }.joined(separator: ", "))" }.joined(separator: " and ")
    case .templateSetting(let template, let key, let value):
      "\(template): \(key)=\(value) cannot be asked; fetch the objects by their entity and the predicate instead"
    case .template(let name, let error): "\(name): \(error)"
    case .argument(let number):
      "argument \(number) is no value that can be compared; give a value of an attribute or an object"
    case .syntax(let error, _): "at character \(error.offset + 1): \(Self.sentence(error))"
    case .meaning(let error, _, let offset):
      (offset.map { "at character \($0 + 1): " } ?? "") + "\(error.expression): \(Self.sentence(error.reason))"
    case .notAskable(_, .expression(let error)): error.description
    case .notAskable(_, .sortedGroups): "groups are sorted by what they have in common; leave the order out"
    case .notAskable(let text, .noGroups(let type)):
      "\(text): \(type) has no groups; name an attribute or a relationship to one object"
    }
  }

  /// What is no text of a predicate, without the remedies that only a mapping has.
  private static func sentence(_ error: ExpressionSyntaxError) -> String {
    guard case .unsupported = error.reason else { return error.sentence }
    return "\(error.cause); use a collection operator such as @count"
  }

  /// The same of what means nothing.
  private static func sentence(_ reason: ExpressionTypeError.Reason) -> String {
    switch reason {
    case .random: return "a random number differs in every run; write a number"
    case .unknownVariable(let name, let near):
      let known = near.filter { !["source", "manager", "entityPolicy"].contains($0) }
      guard known.isEmpty else { return "unknown variable $\(name)\(list(known.map { "$\($0)" }))" }
      return "unknown variable $\(name); only SUBQUERY(…) gives names to objects"
    case .refusedVariable(let name), .variableAsValue(let name):
      return "$\(name) exists only in a mapping; write a key path or SELF"
    default: return reason.description
    }
  }

  private static func list(_ near: [String]) -> String { NearNames.clause(near) }
}
