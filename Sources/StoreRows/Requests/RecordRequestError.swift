public import MappingModels
import ModelDescription

/// Why a request has no meaning for a model.
public enum RecordRequestError: Error, Hashable, Sendable {
  /// The model has no such entity.
  case unknownEntity(String, near: [String])
  /// The entity has no such property, or the store keeps none of it.
  case unknownProperty(String, entity: String, near: [String])
  /// The property is a to-many relationship, which is asked for by itself.
  case several(String, entity: String)
  /// The entity has no such relationship.
  case unknownRelationship(String, entity: String, near: [String])
  /// The property is no relationship that a store keeps.
  case noLinks(String, entity: String)
  /// A text is no predicate.
  case syntax(ExpressionSyntaxError, text: String)
  /// A predicate or a sort key means nothing for the entity.
  case meaning(ExpressionTypeError, text: String)
  /// A predicate or a sort key cannot be asked of SQLite.
  case notAskable(text: String, reason: String)
}

extension RecordRequestError: CustomStringConvertible {
  /// The cause, with what to write instead.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let near): "there is no entity \(name)\(Self.list(near))"
    case .unknownProperty(let name, let entity, let near): "\(entity) has no “\(name)” in a store\(Self.list(near))"
    case .several(let name, let entity): "\(entity).\(name) leads to several objects; ask for it with --include \(name)"
    case .unknownRelationship(let name, let entity, let near):
      "\(entity) has no relationship “\(name)” in a store\(Self.list(near))"
    case .noLinks(let name, let entity): "\(entity).\(name) is no relationship that a store keeps"
    case .syntax(let error, _): "\(error)"
    case .meaning(let error, _): "\(error)"
    case .notAskable(_, let reason): reason
    }
  }

  private static func list(_ near: [String]) -> String {
    near.isEmpty ? "" : "; nearest: \(near.joined(separator: ", "))"
  }
}
