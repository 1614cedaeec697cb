public import ModelDescription

/// Why an expression has no meaning for the models of a mapping.
public struct ExpressionTypeError: Error, Hashable, Sendable {
  /// What is wrong with the part.
  public enum Reason: Error, Hashable, Sendable {
    /// An entity or a type of value has no such key.
    case unknownKey(String, of: String, near: [String])
    /// The key path reads what is not stored.
    case transient(String, of: String)
    /// A composite attribute is no value; its elements are.
    case composite(String, elements: [String])
    /// A collection stands where one value is needed.
    case severalValues(ExpressionType)
    /// A collection operator follows something that is no collection.
    case noCollection(operator: String, found: ExpressionType)
    /// Nobody knows the collection operator.
    case unknownOperator(String, near: [String])
    /// The collection operator gives one value, and keys follow it; or it needs keys, and none follow.
    case misplacedOperator(String)
    /// A to-many relationship of several objects gives collections of collections.
    case nestedCollection(relationship: String)
    /// Nobody knows the function.
    case unknownFunction(String, near: [String])
    /// A function got more or fewer arguments than it takes.
    case argumentCount(String, expected: String, found: Int)
    /// A function got an argument that it cannot take.
    case argument(String, expected: String, found: ExpressionType)
    /// The divisor is the number 0 itself.
    case divisionByZero
    /// Nobody knows the variable.
    case unknownVariable(String, near: [String])
    /// The variable is Core Data's and has no meaning for sets of rows.
    case refusedVariable(String)
    /// The variable has a meaning already, so that it cannot stand for a member of a `SUBQUERY`.
    case variableTaken(String)
    /// The variable can only be sent messages.
    case variableAsValue(String)
    /// The object of the migration has no such method.
    case unknownSelector(String, target: String, near: [String])
    /// The message goes to something else than `$manager` or `$entityPolicy`.
    case unknownTarget
    /// No entity mapping has this name.
    case unknownMapping(String, near: [String])
    /// The entity mapping makes objects of other sources or of another destination.
    case otherMapping(String, mapped: String, found: String)
    /// The method gives objects, and stands where a value is needed; or the other way round.
    case misplacedLookup
    /// These two cannot be compared in this way.
    case incomparable(ExpressionType, ExpressionType, how: String)
    /// This does not become the attribute's type by itself.
    case unassignable(ExpressionType, to: AttributeType, property: String)
    /// This is not what a relationship refers to.
    case noLinks(ExpressionType, property: String)
    /// A number does not fit the attribute.
    case outOfRange(AttributeType, property: String)
    /// A text is not of the type it is cast to.
    case unreadable(String, as: String)
    /// Nobody knows the type to cast to.
    case unknownCast(String, near: [String])
    /// This cannot become a value of that type.
    case uncastable(ExpressionType, to: String)
    /// A condition is neither true nor false.
    case noCondition(ExpressionType)
    /// Two branches or members have types that do not go together.
    case mixed(ExpressionType, ExpressionType)
    /// A key stands where nothing is to be read from, as when a text lost its quotes.
    case bareKey
    /// The regular expression is none.
    case invalidPattern(detail: String)
    /// A random number would be another one in every run.
    case random
    /// A fetch request stands outside the choice of source objects.
    case fetch
    /// SQLite's functions read the text up to its first NUL only.
    case textWithNUL
    /// Expressions stand in one another deeper than this.
    case tooDeep(limit: Int)
  }

  /// The part of the expression, as people write it.
  public var expression: String
  /// What is wrong with it.
  public var reason: Reason

  package init(expression: String, reason: Reason) { (self.expression, self.reason) = (expression, reason) }
}

extension ExpressionTypeError: CustomStringConvertible {
  /// The part, what is wrong with it, and what to write instead.
  public var description: String { "\(expression): \(reason)" }
}

extension ExpressionTypeError.Reason: CustomStringConvertible {
  /// What is wrong, and what to write instead.
  public var description: String {
    switch self {
    case .unknownKey, .transient, .composite, .severalValues, .noCollection, .unknownOperator, .misplacedOperator,
      .nestedCollection, .bareKey:
      keyPathText
    case .unknownFunction, .argumentCount, .argument, .divisionByZero, .unknownVariable, .refusedVariable,
      .variableTaken, .variableAsValue,
      .unknownSelector, .unknownTarget, .unknownMapping, .otherMapping, .misplacedLookup, .random,
      .fetch:
      callText
    default: valueText
    }
  }

  private var keyPathText: String {
    switch self {
    case .unknownKey(let key, let owner, let near): "\(owner) has no “\(key)”\(Self.list(near))"
    case .transient(let key, let owner): "\(owner).\(key) is transient: a store holds no value of it"
    case .composite(let name, let elements):
      "\(name) is a composite attribute; name one of its elements: \(elements.joined(separator: ", "))"
    case .severalValues(let type):
      "this gives \(type) where one value is needed; take @count, @sum.…, @min.…, @max.… or @avg.… of them"
    case .noCollection(let name, let found): "\(name) needs a collection, and before it stands \(found)"
    case .unknownOperator(let name, let near): "there is no collection operator \(name)\(Self.list(near))"
    case .misplacedOperator(let name):
      "\(name) is misplaced: @count ends a key path, @sum, @avg, @min, @max and @distinctUnionOf… need a key after them"
    case .nestedCollection(let relationship):
      "\(relationship) gives a collection for each of several objects; write @distinctUnionOfSets.\(relationship)"
    case .bareKey: "an attribute's value starts at $source; write $source.… for a property, or \"…\" for a text"
    default: ""
    }
  }

  private var callText: String {
    switch self {
    case .unknownFunction(let name, let near): "there is no function \(name)\(Self.list(near))"
    case .argumentCount(let name, let expected, let found): "\(name) takes \(expected), and got \(found)"
    case .divisionByZero: "it divides by zero"
    case .argument(let name, let expected, let found): "\(name) takes \(expected), and got \(found)"
    case .unknownVariable(let name, let near): "there is no variable $\(name)\(Self.list(near.map { "$\($0)" }))"
    case .refusedVariable(let name): "$\(name) is not there while rows are made as sets; compute the value from $source"
    case .variableTaken(let name):
      "$\(name) has a meaning already; call the member of SUBQUERY something else, such as $x"
    case .variableAsValue(let name): "$\(name) is no value; it can only be sent messages by FUNCTION(…)"
    case .unknownSelector(let name, let target, let near): "$\(target) has no method \(name)\(Self.list(near))"
    case .unknownTarget: "FUNCTION(…) sends messages to $manager and $entityPolicy only"
    case .unknownMapping(let name, let near): "no entity mapping is named \(name)\(Self.list(near))"
    case .otherMapping(let name, let mapped, let found): "the mapping \(name) is one of \(mapped), not of \(found)"
    case .misplacedLookup: "objects of the destination are values of relationships only"
    case .random: "a random number is another one in every run; compute the value from $source or give a policy"
    case .fetch: "FETCH(…) stands only in the choice of source objects"
    default: ""
    }
  }

  private var valueText: String {
    switch self {
    case .incomparable(let left, let right, let how): "\(left) and \(right) cannot be compared by \(how)"
    case .unassignable(let found, let type, let property):
      "\(found) is no value for \(property), whose type is \(type.name)\(Self.remedy(type))"
    case .noLinks(let found, let property):
      "\(found) is no value for the relationship \(property); look its objects up by a mapping's name"
    case .outOfRange(let type, let property): "the number is beyond \(type.name), the type of \(property)"
    case .unreadable(let text, let type): "“\(text)” is no text of a \(type)"
    case .unknownCast(let name, let near): "there is no type \(name) to cast to\(Self.list(near))"
    case .uncastable(let found, let name): "\(found) does not become a value of \(name)"
    case .noCondition(let found):
      "a condition is needed, and this is \(found); compare it, such as … == YES or … != nil"
    case .mixed(let first, let second): "\(first) and \(second) stand side by side; both must be of one type"
    case .invalidPattern(let detail): "this is no regular expression: \(detail)"
    case .textWithNUL: "the text has the character NUL, up to which SQLite reads it"
    case .tooDeep(let limit): "expressions stand in one another more than \(limit) deep"
    default: ""
    }
  }

  private static func list(_ near: [String]) -> String { NearNames.clause(near) }

  private static func remedy(_ type: AttributeType) -> String {
    ExpressionCast(storing: type).map { "; write CAST(…, \"\($0.rawValue)\")" } ?? ""
  }
}
