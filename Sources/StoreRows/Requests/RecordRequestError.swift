public import MappingModels
public import MigrationSQL
public import ModelDescription

/// An error if a request does not fit the model.
public enum RecordRequestError: Error, Hashable, Sendable {
  /// The model lacks this entity.
  case unknownEntity(String, near: [String])
  /// The store lacks a table for the objects of the entity.
  case noTable(entity: String)
  /// The entity lacks this property, or the property is not stored.
  case unknownProperty(String, entity: String, near: [String])
  /// The property is an element of a composite attribute. A request can only read the complete attribute.
  case element(String, attribute: String)
  /// The property is a to-many relationship. A request includes it separately.
  case several(String, entity: String)
  /// The entity lacks this relationship.
  case unknownRelationship(String, entity: String, near: [String])
  /// The property is not a stored relationship.
  case noLinks(String, entity: String)
  /// An argument of a predicate, counted from 1, cannot be compared.
  case argument(Int)
  /// The model lacks this fetch request template.
  case unknownTemplate(String, near: [String])
  /// The entity lacks this fetched property, or the property has no fetch request.
  case unknownFetchedProperty(String, entity: String, near: [String])
  /// The value for a variable of a template cannot be compared.
  case variable(String, template: String)
  /// The given variables differ from the variables of the template.
  case variables(template: String, missing: [String], unused: [String])
  /// A template requests a result other than objects, or has an unsupported setting.
  case templateSetting(String, key: String, value: String)
  /// The request of a template cannot be run.
  indirect case template(String, RecordRequestError)
  /// A text is not a valid predicate.
  case syntax(ExpressionSyntaxError, text: String)
  /// A predicate or a sort key does not fit the entity. The offset is counted in Unicode scalars from 0.
  case meaning(ExpressionTypeError, text: String, offset: Int? = nil)
  /// A predicate or a sort key cannot be translated for SQLite.
  case notAskable(text: String, QueryError)

  /// The reason why a predicate or a sort key cannot be translated for SQLite.
  public enum QueryError: Error, Hashable, Sendable {
    /// It lacks SQL, such as the expression of a property that the store lacks a column for.
    case expression(ExpressionError)
    /// Groups have a fixed order.
    case sortedGroups
    /// The result of a key path cannot define groups.
    case noGroups(ExpressionType)
  }
}

extension RecordRequestError: AdvisedError {
  /// Nil: the cause names the entity or the property.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The expression or the name to write instead.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch self {
    case .unknownEntity(let name, let near): .init(CommonWords.unknown("entity", name, in: "the model", near: near))
    case .noTable(let entity): .init("the store has no table for the objects of \(entity)")
    case .unknownProperty(let name, let entity, let near):
      .init(CommonWords.unknown("stored property", name, in: entity, near: near))
    case .element(let name, let attribute):
      .init("“\(name)” is an element of \(attribute)", "request the composite attribute \(attribute) instead")
    case .several(let name, let entity):
      .init("\(entity).\(name) is a to-many relationship", "include its objects instead: \(option: "--include", name)")
    case .unknownRelationship(let name, let entity, let near):
      .init(CommonWords.unknown("stored relationship", name, in: entity, near: near))
    case .noLinks(let name, let entity): .init("\(entity).\(name) is not a relationship that a store keeps")
    case .unknownTemplate(let name, let near):
      .init(
        CommonWords.unknown("fetch request template", name, in: "the model", near: near),
        "give the model's source if the model is compiled, because templates of compiled models are not read")
    case .unknownFetchedProperty(let name, let entity, let near):
      .init(CommonWords.unknown("fetched property", name, in: entity, near: near))
    case .variable(let name, let template):
      .init("\(template): the value of $\(name) cannot be compared", Self.comparable)
    case .variables(let template, let missing, let unused):
      .init(
        "\(template): "
          + [("needs", missing), ("does not have", unused)].filter { !$0.1.isEmpty }
          .map { "it \($0) \($1.map { "$\($0)" }.joined(separator: ", "))" }.joined(separator: " and "))
    case .templateSetting(let template, let key, let value):
      .init(
        "\(template): the setting \(key)=\(value) is not supported",
        "fetch the objects by their entity and the predicate instead")
    case .template(let name, let error): .init("\(name): \(error.cause)", error.advice)
    case .argument(let number): .init("argument \(number) cannot be compared", Self.comparable)
    case .syntax(let error, _): Self.words(of: error).leading("at character \(error.offset + 1): ")
    case .meaning(let error, _, let offset):
      Self.words(of: error.reason)
        .leading((offset.map { "at character \($0 + 1): " } ?? "") + "\(error.expression): ")
    case .notAskable(_, .expression(let error)): .init(error.description)
    case .notAskable(_, .sortedGroups): .init("groups are sorted by the values they share", "omit the order")
    case .notAskable(let text, .noGroups(let type)):
      .init("\(text): \(type) cannot define a group", "group by an attribute or a to-one relationship")
    }
  }

  private static let comparable: Advice = "give a value of an attribute or an object"

  /// The words of a syntax error, without the remedies that apply only to mappings.
  private static func words(of error: ExpressionSyntaxError) -> ErrorWords {
    guard case .unsupported = error.reason else { return ErrorWords(error.cause, error.advice) }
    return ErrorWords(error.cause, "use a collection operator such as @count")
  }

  /// The words of a type error, without the remedies that apply only to mappings.
  private static func words(of reason: ExpressionTypeError.Reason) -> ErrorWords {
    switch reason {
    case .random: return .init("a random number differs in every run", "write a number")
    case .unknownVariable(let name, let near):
      let known = near.filter { !["source", "manager", "entityPolicy"].contains($0) }.map { "$\($0)" }
      let cause = "unknown variable $\(name)\(NearNames.clause(known))"
      return .init(cause, known.isEmpty ? "use SUBQUERY(…) to name objects" : nil)
    case .refusedVariable(let name), .variableAsValue(let name):
      return .init("$\(name) exists only in a mapping", "write a key path or SELF")
    default: return .init(reason.description)
    }
  }
}

extension ErrorWords {
  /// The same words with a text before the cause.
  fileprivate func leading(_ text: String) -> ErrorWords { ErrorWords(text + cause, advice) }
}
