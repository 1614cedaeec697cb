import ModelDescription

extension ExpressionTyping {
  private static let arithmetic = [
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "modulus:by:",
  ]
  private static let texts = ["uppercase:", "lowercase:", "canonical:"]
  private static let rounding = ["trunc:", "abs:", "floor:", "ceiling:"]
  private static let transcendental = ["sqrt:", "ln:", "log:", "exp:"]

  /// The functions over a collection with the collection operator that does the same.
  package static let aggregates: [String: CollectionOperator] = [
    "sum:": .sum, "count:": .count, "min:": .minimum, "max:": .maximum, "average:": .average,
  ]

  private static let known =
    arithmetic + texts + rounding + transcendental + aggregates.keys.sorted() + ["length:", "now"]

  func function(
    _ name: String, _ arguments: [ValueExpression], _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    if let collecting = Self.aggregates[name] { return try aggregate(name, collecting, arguments, expression, depth) }
    if name.hasPrefix("random") { throw fail(expression, .random) }
    guard Self.known.contains(name) else {
      throw fail(expression, .unknownFunction(name, near: NearNames.nearest(to: name, among: Self.known)))
    }
    let expected = name.count { $0 == ":" }
    guard arguments.count == expected else {
      let words = ["no arguments", "one argument", "two arguments"][min(expected, 2)]
      throw fail(expression, .argumentCount(name, expected: words, found: arguments.count))
    }
    if name == "now" { return .value(.date) }
    var types: [ExpressionType] = []
    for argument in arguments { types.append(try scalar(argument, depth)) }
    if Self.arithmetic.contains(name) { return try arithmetic(name, types, arguments, expression) }
    guard let type = types.first, let argument = arguments.first else { return .unknown }
    if Self.texts.contains(name) || name == "length:" {
      guard type.isText else { throw fail(argument, .argument(name, expected: "a text", found: type)) }
      return .value(name == "length:" ? .integer64 : .string)
    }
    guard type.isNumber else { throw fail(argument, .argument(name, expected: "a number", found: type)) }
    if Self.transcendental.contains(name) { return .value(.double) }
    return type == .truth || type == .value(.boolean) ? .value(.integer64) : type
  }

  private func arithmetic(
    _ name: String, _ types: [ExpressionType], _ arguments: [ValueExpression], _ expression: ValueExpression
  ) throws(ExpressionTypeError) -> ExpressionType {
    guard let first = types.first, let second = types.last else { return .unknown }
    if name == "add:to:", first.isText, second.isText, types.contains(.value(.string)) { return .value(.string) }
    for (type, argument) in zip(types, arguments) where !type.isNumber {
      throw fail(argument, .argument(name, expected: "numbers", found: type))
    }
    switch name {
    case "modulus:by:":
      for (type, argument) in zip(types, arguments) where !type.isWholeNumber && type != .null && type != .unknown {
        throw fail(argument, .argument(name, expected: "whole numbers", found: type))
      }
      return .value(.integer64)
    case "raise:toPower:": return .value(.double)
    default: return Self.number(first, second)
    }
  }

  private func aggregate(
    _ name: String, _ collecting: CollectionOperator, _ arguments: [ValueExpression], _ expression: ValueExpression,
    _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    guard arguments.count == 1, let argument = arguments.first else {
      throw fail(expression, .argumentCount(name, expected: "one collection", found: arguments.count))
    }
    let found = try type(of: argument, depth: depth)
    let member: ExpressionType
    switch found {
    case .values(.undefined): member = .null
    case .values(let type): member = .value(type)
    case .objects(let entity, _): member = .object(entity: entity)
    default: throw fail(argument, .argument(name, expected: "a collection", found: found))
    }
    do {
      return .value(try ResolvedKeyPath.aggregate(collecting, of: member))
    } catch {
      throw fail(expression, error)
    }
  }

  func cast(
    _ value: ValueExpression, to name: String, _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    if name == ValueExpression.objectClass { return try object(value, expression, depth) }
    guard let cast = ExpressionCast(rawValue: name) else {
      let known = ExpressionCast.allCases.map(\.rawValue) + [ValueExpression.objectClass]
      throw fail(expression, .unknownCast(name, near: NearNames.nearest(to: name, among: known)))
    }
    let found = try scalar(value, depth)
    guard cast.takes(found) else { throw fail(expression, .uncastable(found, to: name)) }
    if case .constant(.string(let text)) = value, (try? CastText.value(of: text, as: cast)) == nil {
      throw fail(expression, .unreadable(text, as: name))
    }
    if cast == .number, found.isWholeNumber { return .value(.integer64) }
    return found == .null ? .null : .value(cast.type)
  }

  /// An object that is named by its entity and its key.
  private func object(
    _ value: ValueExpression, _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    guard case .constant(.string(let text)) = value else {
      throw fail(expression, .uncastable(try scalar(value, depth), to: ValueExpression.objectClass))
    }
    guard let entity = expression.objectReference?.entity else {
      throw fail(expression, .unreadable(text, as: ValueExpression.objectClass))
    }
    guard source.entity(named: entity) != nil else {
      let known = source.model.entities.map(\.name)
      throw fail(expression, .unknownEntity(entity, near: NearNames.nearest(to: entity, among: known)))
    }
    return .object(entity: entity)
  }
}
