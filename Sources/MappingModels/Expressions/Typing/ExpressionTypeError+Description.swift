import ModelDescription

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
    case .bareKey:
      "an attribute's value starts at $source; write $source.… for a property, or \"…\" for a text"
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
    case .refusedVariable(let name):
      "$\(name) is not there while rows are made as sets; compute the value from $source"
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

  private static func list(_ near: [String]) -> String {
    near.isEmpty ? "" : "; nearest: \(near.joined(separator: ", "))"
  }

  private static func remedy(_ type: AttributeType) -> String {
    ExpressionCast(storing: type).map { "; write CAST(…, \"\($0.rawValue)\")" } ?? ""
  }
}
