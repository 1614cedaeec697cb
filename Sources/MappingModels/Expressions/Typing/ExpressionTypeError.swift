public import ModelDescription

/// The reason that an expression is not valid for the models of a mapping.
public struct ExpressionTypeError: Error, Hashable, Sendable {
  /// The reason of a type error.
  public enum Reason: Error, Hashable, Sendable {
    /// An entity or a type lacks this key.
    case unknownKey(String, of: String, near: [String])
    /// The model lacks this entity.
    case unknownEntity(String, near: [String])
    /// The key path reads a transient property.
    case transient(String, of: String)
    /// A composite attribute is used as a value; only its elements are values.
    case composite(String, elements: [String])
    /// The part is a collection, and one value is needed.
    case severalValues(ExpressionType)
    /// A collection operator follows a single value.
    case noCollection(operator: String, found: ExpressionType)
    /// The collection operator is unknown.
    case unknownOperator(String, near: [String])
    /// Keys follow an operator that gives one value, or an operator that needs keys has none.
    case misplacedOperator(String)
    /// A to-many relationship of several objects gives nested collections.
    case nestedCollection(relationship: String)
    /// The function is unknown.
    case unknownFunction(String, near: [String])
    /// A function is given too many or too few arguments.
    case argumentCount(String, expected: String, found: Int)
    /// A function is given an argument of a wrong type.
    case argument(String, expected: String, found: ExpressionType)
    /// The divisor is the constant 0.
    case divisionByZero
    /// The variable is unknown.
    case unknownVariable(String, near: [String])
    /// The variable belongs to Core Data and does not work for sets of rows.
    case refusedVariable(String)
    /// The variable has a meaning already, so a `SUBQUERY` cannot use it.
    case variableTaken(String)
    /// The variable is used as a value, and can only be sent messages.
    case variableAsValue(String)
    /// The object of the migration lacks this method.
    case unknownSelector(String, target: String, near: [String])
    /// The target of the message is not `$manager` or `$entityPolicy`.
    case unknownTarget
    /// No entity mapping has this name.
    case unknownMapping(String, near: [String])
    /// The entity mapping has a different source or destination.
    case otherMapping(String, mapped: String, found: String)
    /// The method gives objects and a value is needed, or it gives a value and objects are needed.
    case misplacedLookup
    /// The two values cannot be compared with this operator.
    case incomparable(ExpressionType, ExpressionType, how: String)
    /// The value does not convert to the attribute's type without a cast.
    case unassignable(ExpressionType, to: AttributeType, property: String)
    /// The value is not a destination object.
    case noLinks(ExpressionType, property: String)
    /// A number does not fit the attribute.
    case outOfRange(AttributeType, property: String)
    /// A text is not of the type it is cast to.
    case unreadable(String, as: String)
    /// The type of the cast is unknown.
    case unknownCast(String, near: [String])
    /// The value cannot be cast to the type.
    case uncastable(ExpressionType, to: String)
    /// A condition is needed, and the part is another value.
    case noCondition(ExpressionType)
    /// Two branches or members have incompatible types.
    case mixed(ExpressionType, ExpressionType)
    /// A key lacks an object to read from, for example because a text lacks quotation marks.
    case bareKey
    /// The regular expression is not valid.
    case invalidPattern(detail: String)
    /// A random number differs in every run.
    case random
    /// A fetch request is used outside the choice of source objects.
    case fetch
    /// The text contains NUL, and SQLite's functions stop there.
    case textWithNUL
    /// Expressions are nested too deeply.
    case tooDeep(limit: Int)
  }

  /// The part of the expression, as you write it.
  public var expression: String
  /// The reason of the error.
  public var reason: Reason

  package init(expression: String, reason: Reason) { (self.expression, self.reason) = (expression, reason) }
}

extension ExpressionTypeError: AdvisedError {
  /// The part of the expression.
  public var place: String? { expression }

  /// The cause as a sentence.
  public var cause: String { reason.cause }

  /// The text to write instead.
  public var advice: Advice? { reason.advice }
}

extension ExpressionTypeError.Reason: AdvisedError {
  /// Nil, because the error does not name the part.
  public var place: String? { nil }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The text to write instead.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch self {
    case .unknownKey, .transient, .composite, .severalValues, .noCollection, .unknownOperator, .misplacedOperator,
      .nestedCollection, .bareKey:
      keyPathWords
    case .unknownFunction, .argumentCount, .argument, .divisionByZero, .unknownVariable, .refusedVariable,
      .variableTaken, .variableAsValue,
      .unknownSelector, .unknownTarget, .unknownMapping, .otherMapping, .misplacedLookup, .random, .fetch,
      .unknownEntity:
      callWords
    default: valueWords
    }
  }

  private var keyPathWords: ErrorWords {
    switch self {
    case .unknownKey(let key, let owner, let near): .init(CommonWords.unknown("property", key, in: owner, near: near))
    case .transient(let key, let owner): .init("\(owner).\(key) is transient: stores do not keep its value")
    case .composite(let name, let elements):
      .init("\(name) is a composite attribute", "name one of its elements: \(elements.joined(separator: ", "))")
    case .severalValues(let type):
      .init("one value is needed, and this gives \(type)", "use @count, @sum.…, @min.…, @max.… or @avg.…")
    case .noCollection(let name, let found): .init("\(name) needs a collection, and follows \(found)")
    case .unknownOperator(let name, let near): .init("unknown collection operator “\(name)”\(NearNames.clause(near))")
    case .misplacedOperator(let name):
      .init("\(name) is misplaced", "end the key path with @count; write a key after any other operator")
    case .nestedCollection(let relationship):
      .init(
        "\(relationship) gives a collection for each of several objects", "write @distinctUnionOfSets.\(relationship)")
    case .bareKey:
      .init("the value of an attribute starts at $source", "write $source.… for a property, or \"…\" for a text")
    default: .init("")
    }
  }

  private var callWords: ErrorWords {
    switch self {
    case .unknownFunction(let name, let near): .init("unknown function “\(name)”\(NearNames.clause(near))")
    case .argumentCount(let name, let expected, let found): .init("\(name) takes \(expected), not \(found)")
    case .unknownEntity(let name, let near): .init(CommonWords.unknown("entity", name, in: "the model", near: near))
    case .divisionByZero: .init("the divisor is zero")
    case .argument(let name, let expected, let found): .init("\(name) takes \(expected), not \(found)")
    case .unknownVariable(let name, let near):
      .init("unknown variable $\(name)\(NearNames.clause(near.map { "$\($0)" }))")
    case .refusedVariable(let name):
      .init("$\(name) does not exist, because modelctl creates rows as sets", "compute the value from $source")
    case .variableTaken(let name):
      .init("$\(name) has a meaning already", "choose another name for the member of SUBQUERY, such as $x")
    case .variableAsValue(let name): .init("$\(name) is not a value", "send it a message with FUNCTION(…)")
    case .unknownSelector(let name, let target, let near):
      .init(CommonWords.unknown("method", name, in: "$\(target)", near: near))
    case .unknownTarget: .init("FUNCTION(…) sends messages only to $manager and $entityPolicy")
    case .unknownMapping(let name, let near):
      .init(CommonWords.unknown("entity mapping", name, in: "the mapping model", near: near))
    case .otherMapping(let name, let mapped, let found): .init("the mapping \(name) is for \(mapped), not for \(found)")
    case .misplacedLookup: .init("only relationships can have objects of the destination as values")
    case .random:
      .init("a random number differs in every run", "compute the value from $source, or write a policy")
    case .fetch: .init("FETCH(…) can only choose source objects")
    default: .init("")
    }
  }

  private var valueWords: ErrorWords {
    switch self {
    case .incomparable(let left, let right, let how):
      .init(
        "\(left) and \(right) cannot be compared by \(how)",
        [left, right].contains(.value(.date)) && [left, right].contains(.value(.string))
          ? "write a date as CAST(\"2026-01-31T12:00:00Z\", \"NSDate\")" : nil)
    case .unassignable(let found, let type, let property):
      .init(
        "\(found) cannot be assigned to \(property), an attribute of type \(type.name)",
        ExpressionCast(storing: type).map { "write CAST(…, \"\($0.rawValue)\")" })
    case .noLinks(let found, let property):
      .init("\(found) cannot be assigned to the relationship \(property)", "look up its objects by a mapping's name")
    case .outOfRange(let type, let property): .init("the number does not fit \(type.name), the type of \(property)")
    case .unreadable(let text, let type): .init("“\(text)” is not a valid \(type)")
    case .unknownCast(let name, let near): .init("unknown type “\(name)” in a cast\(NearNames.clause(near))")
    case .uncastable(let found, let name): .init("\(found) cannot be cast to \(name)")
    case .noCondition(let found):
      .init("a condition is needed, and this is \(found)", "compare it, such as … == YES or … != nil")
    case .mixed(let first, let second): .init("\(first) and \(second) are mixed", "give both the same type")
    case .invalidPattern(let detail): .init("this is not a valid regular expression: \(detail)")
    case .textWithNUL: .init("the text contains the character NUL, and SQLite ignores the rest")
    case .tooDeep(let limit): .init("expressions are nested more than \(limit) levels deep", "split the expression")
    default: .init("")
    }
  }
}
