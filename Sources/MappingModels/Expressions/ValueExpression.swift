public import ModelDescription

/// An expression of a mapping model: `NSExpression` and `NSPredicate` as one tree.
///
/// Arithmetic operators are the functions that `NSExpression` creates from them: `a + b` is `add:to:`.
public indirect enum ValueExpression: Hashable, Sendable {
  /// `nil`, no value.
  case null
  /// A constant value.
  case constant(AttributeValue)
  /// `SELF`, or the start of a key path without an operand.
  case selfObject
  /// A variable such as `$source`, without its dollar sign.
  case variable(String)
  /// Keys followed from an object or a collection; a key that begins with `@` is a collection operator.
  case keyPath([String], of: ValueExpression)
  /// A built-in function by its selector, such as `uppercase:`, `add:to:` or `now`.
  case function(String, [ValueExpression])
  /// `FUNCTION(target, "selector", …)`: a method of an object of the migration.
  case invocation(of: ValueExpression, selector: String, arguments: [ValueExpression])
  /// Two values compared.
  case comparison(ExpressionComparison)
  /// `AND`: true when every part is.
  case conjunction([ValueExpression])
  /// `OR`: true when a part is.
  case disjunction([ValueExpression])
  /// `NOT`.
  case negation(ValueExpression)
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case truth(Bool)
  /// `TERNARY(condition, value, other)`.
  case conditional(ValueExpression, then: ValueExpression, else: ValueExpression)
  /// `CAST(value, "type")`.
  case cast(ValueExpression, to: String)
  /// `{a, b}`.
  case collection([ValueExpression])
  /// `SUBQUERY(collection, $variable, condition)`: the members that fulfil the condition, in which the variable is the
  /// member.
  case subquery(of: ValueExpression, variable: String, where: ValueExpression)
  /// `FETCH(request, context, countsOnly)`.
  case fetch(request: ValueExpression, context: ValueExpression, countsOnly: Bool)

  /// The expression for a message, shortened if it is long; a fixed text if it is too deep.
  package var shortText: String {
    guard !isDeeper(than: 2 * ExpressionTyping.depthLimit) else { return "an expression" }
    let text = description
    return text.count > 160 ? text.prefix(160) + "…" : text
  }

  /// The variables that no `SUBQUERY` around them names.
  package var freeVariables: Set<String> {
    switch self {
    case .variable(let name): [name]
    case .subquery(let collection, let variable, let condition):
      collection.freeVariables.union(condition.freeVariables.subtracting([variable]))
    default: parts.reduce(into: []) { $0.formUnion($1.freeVariables) }
    }
  }

  /// The number of levels of the expression; one more than the limit if it is deeper than the limit.
  var depth: Int { depth(atMost: Self.depthLimit + 1) }

  private func depth(atMost limit: Int) -> Int {
    limit <= 1 ? 1 : 1 + (parts.map { $0.depth(atMost: limit - 1) }.max() ?? 0)
  }

  private func isDeeper(than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    return parts.contains { $0.isDeeper(than: limit - 1) }
  }

  /// The direct parts of the expression.
  package var parts: [ValueExpression] {
    switch self {
    case .null, .constant, .selfObject, .variable, .truth: []
    case .keyPath(_, let base): [base]
    case .function(_, let arguments): arguments
    case .invocation(let target, _, let arguments): [target] + arguments
    case .comparison(let comparison): [comparison.left, comparison.right]
    case .conjunction(let parts), .disjunction(let parts), .collection(let parts): parts
    case .negation(let part), .cast(let part, _): [part]
    case .conditional(let condition, let value, let other): [condition, value, other]
    case .subquery(let collection, _, let condition): [collection, condition]
    case .fetch(let request, let context, _): [request, context]
    }
  }

  /// The class that a cast names to mean an object by its entity and its key.
  package static let objectClass = "NSManagedObjectID"

  /// One object of a store: `CAST("Customer/p7", "NSManagedObjectID")`, like the end of its URI.
  ///
  /// - Parameter entity: the entity of the object, or one of its ancestors.
  public static func object(entity: String, key: Int64) -> ValueExpression {
    .cast(.constant(.string("\(entity)/p\(key)")), to: objectClass)
  }

  /// The entity and the key of the object that the expression names; nil for any other expression.
  package var objectReference: (entity: String, key: Int64)? {
    guard case .cast(.constant(.string(let text)), Self.objectClass) = self else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, !name.isEmpty, let end = parts.last, end.hasPrefix("p"),
      end.dropFirst().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let key = Int64(end.dropFirst())
    else { return nil }
    return (String(name), key)
  }

  /// `$source.key`, or more keys in a row.
  package static func sourceValue(_ keys: [String]) -> ValueExpression { .keyPath(keys, of: .variable("source")) }

  /// The destination objects that one entity mapping creates from source objects.
  package static func objects(madeBy mapping: String, from objects: ValueExpression) -> ValueExpression {
    .invocation(of: .variable("manager"), selector: madeByMapping, arguments: [.constant(.string(mapping)), objects])
  }

  /// The destination objects that all mappings of a source relationship's entity make of its objects.
  package static func objects(madeFromRelationship relationship: String) -> ValueExpression {
    .invocation(
      of: .variable("manager"),
      selector: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      arguments: [.constant(.string(relationship)), .sourceValue([relationship])]
    )
  }

  private static let madeByMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  /// The mapping and the source objects of ``objects(madeBy:from:)``, nil for another expression.
  package var madeObjects: (mapping: String, sources: ValueExpression)? {
    guard case .invocation(of: .variable("manager"), Self.madeByMapping, let arguments) = self, arguments.count == 2,
      case .constant(.string(let mapping)) = arguments[0]
    else { return nil }
    return (mapping, arguments[1])
  }

  /// The expression with `SELF` in the role of `$source`.
  package var withoutSource: ValueExpression {
    switch self {
    case .null, .constant, .selfObject, .truth: return self
    case .variable(let name): return name == "source" ? .selfObject : self
    case .keyPath(let keys, let base): return .keyPath(keys, of: base.withoutSource)
    case .function(let name, let arguments): return .function(name, arguments.map(\.withoutSource))
    case .invocation(let target, let selector, let arguments):
      return .invocation(of: target.withoutSource, selector: selector, arguments: arguments.map(\.withoutSource))
    case .comparison(var comparison):
      (comparison.left, comparison.right) = (comparison.left.withoutSource, comparison.right.withoutSource)
      return .comparison(comparison)
    case .conjunction(let parts): return .conjunction(parts.map(\.withoutSource))
    case .disjunction(let parts): return .disjunction(parts.map(\.withoutSource))
    case .negation(let part): return .negation(part.withoutSource)
    case .conditional(let condition, let value, let other):
      return .conditional(condition.withoutSource, then: value.withoutSource, else: other.withoutSource)
    case .cast(let value, let type): return .cast(value.withoutSource, to: type)
    case .collection(let members): return .collection(members.map(\.withoutSource))
    case .subquery(let members, let variable, let condition):
      return .subquery(of: members.withoutSource, variable: variable, where: condition)
    case .fetch(let request, let context, let counts):
      return .fetch(request: request.withoutSource, context: context.withoutSource, countsOnly: counts)
    }
  }
}
