public import ModelDescription

/// Checks the expressions of a single entity mapping against the models, and infers their types.
public struct ExpressionTyping: Sendable {
  /// The role of an expression.
  public enum Role: Hashable, Sendable {
    /// A filter of source objects, in which `SELF` and keys without `$source` mean the source object.
    case filter
    /// As the value of an attribute.
    case attribute
    /// As the value of a relationship.
    case relationship
  }

  /// The maximum depth of nested expressions.
  public static let depthLimit = 128

  /// The model of the source.
  public let source: EntityHierarchy
  /// The model of the destination; nil if expressions give only source values.
  public let destination: EntityHierarchy?
  /// The source entity, the entity of `$source`.
  public let entity: String
  /// The role of the expressions.
  public let role: Role
  /// The mapping model, whose entity mappings expressions refer to by name.
  public let mapping: MappingModel
  /// The entities of the variables of surrounding `SUBQUERY`s.
  package var variables: [String: String] = [:]

  /// Creates a check.
  public init(
    source: EntityHierarchy, entity: String, role: Role, destination: EntityHierarchy? = nil,
    mapping: MappingModel = MappingModel(entityMappings: [])
  ) {
    (self.source, self.entity, self.role) = (source, entity, role)
    (self.destination, self.mapping) = (destination, mapping)
  }

  /// Returns the type of an expression.
  ///
  /// - Throws: ``ExpressionTypeError`` for the first part that is not valid.
  public func type(of expression: ValueExpression) throws(ExpressionTypeError) -> ExpressionType {
    try type(of: expression, depth: 0)
  }

  func fail(_ expression: ValueExpression, _ reason: ExpressionTypeError.Reason) -> ExpressionTypeError {
    ExpressionTypeError(expression: expression.shortText, reason: reason)
  }

  func type(of expression: ValueExpression, depth: Int) throws(ExpressionTypeError) -> ExpressionType {
    guard depth < Self.depthLimit else { throw fail(expression, .tooDeep(limit: Self.depthLimit)) }
    let depth = depth + 1
    switch expression {
    case .null: return .null
    case .constant(.string(let text)) where text.utf8.contains(0): throw fail(expression, .textWithNUL)
    case .constant(let value): return .value(value.attributeType)
    case .truth: return .truth
    case .selfObject, .variable: return try subject(expression)
    case .keyPath(let keys, let base): return try resolve(keys, of: base, in: expression, depth).type
    case .function(let name, let arguments): return try function(name, arguments, expression, depth)
    case .invocation(let target, let selector, let arguments):
      return try invocation(target, selector, arguments, expression, depth)
    case .comparison(let comparison): return try self.comparison(comparison, expression, depth)
    case .conjunction(let parts), .disjunction(let parts):
      for part in parts { try checkCondition(part, depth) }
      return .truth
    case .negation(let part):
      try checkCondition(part, depth)
      return .truth
    case .conditional(let condition, let value, let other):
      try checkCondition(condition, depth)
      let (first, second) = (try type(of: value, depth: depth), try type(of: other, depth: depth))
      return try common(first, second, expression)
    case .cast(let value, let name): return try cast(value, to: name, expression, depth)
    case .collection(let parts): return try collection(parts, expression, depth)
    case .subquery(let collection, let variable, let condition):
      return try subquery(of: collection, variable, condition, expression, depth)
    case .fetch: throw fail(expression, .fetch)
    }
  }

  /// The meaning of a key path's keys.
  package func resolve(
    _ keys: [String], of base: ValueExpression, in expression: ValueExpression, _ depth: Int = 0
  ) throws(ExpressionTypeError) -> ResolvedKeyPath {
    if base == .selfObject, role != .filter { throw fail(expression, .bareKey) }
    let start = try type(of: base, depth: depth)
    do {
      return try ResolvedKeyPath(keys, from: start, in: source)
    } catch {
      throw fail(expression, error)
    }
  }

  /// Returns the type of `SELF` or of a variable.
  private func subject(_ expression: ValueExpression) throws(ExpressionTypeError) -> ExpressionType {
    switch expression {
    case .variable(let name) where variables[name] != nil: return .object(entity: variables[name] ?? entity)
    case .variable("source"): return .object(entity: entity)
    case .selfObject:
      guard role == .filter else { throw fail(expression, .bareKey) }
      return .object(entity: entity)
    case .variable(let name) where ["manager", "entityPolicy"].contains(name):
      throw fail(expression, .variableAsValue(name))
    case .variable(let name) where ["destination", "entityMapping", "propertyMapping"].contains(name):
      throw fail(expression, .refusedVariable(name))
    case .variable(let name):
      let known = ["source", "manager", "entityPolicy"] + variables.keys.sorted()
      throw fail(expression, .unknownVariable(name, near: NearNames.nearest(to: name, among: known)))
    default: return .unknown
    }
  }

  private func subquery(
    of collection: ValueExpression, _ variable: String, _ condition: ValueExpression, _ expression: ValueExpression,
    _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    let found = try type(of: collection, depth: depth)
    guard case .objects(let entity, _) = found else {
      throw fail(expression, .argument("SUBQUERY", expected: "a collection of objects", found: found))
    }
    guard !Self.reserved.contains(variable) else { throw fail(expression, .variableTaken(variable)) }
    var inner = self
    inner.variables[variable] = entity
    try inner.checkCondition(condition, depth)
    return .objects(entity: entity, isOrdered: false)
  }

  /// The variables that Core Data gives a meaning in migrations.
  private static let reserved: Set = [
    "source", "manager", "entityPolicy", "destination", "entityMapping", "propertyMapping",
  ]

  /// Returns the type of an expression that must give one value.
  package func scalarType(of expression: ValueExpression) throws(ExpressionTypeError) -> ExpressionType {
    try scalar(expression, 0)
  }

  func scalar(_ expression: ValueExpression, _ depth: Int) throws(ExpressionTypeError) -> ExpressionType {
    let found = try type(of: expression, depth: depth)
    if case .destinationObjects = found { throw fail(expression, .misplacedLookup) }
    guard !found.isCollection else { throw fail(expression, .severalValues(found)) }
    return found
  }

  func checkCondition(_ expression: ValueExpression, _ depth: Int) throws(ExpressionTypeError) {
    let found = try scalar(expression, depth)
    guard found == .truth || found == .unknown else { throw fail(expression, .noCondition(found)) }
  }

  private func collection(
    _ parts: [ValueExpression], _ expression: ValueExpression, _ depth: Int
  ) throws(ExpressionTypeError) -> ExpressionType {
    var members = ExpressionType.null
    for part in parts { members = try common(members, scalar(part, depth), expression) }
    switch members {
    case .value(let type): return .values(type)
    case .truth: return .values(.boolean)
    case .object(let entity): return .objects(entity: entity, isOrdered: true)
    default: return .values(.undefined)
    }
  }

  /// The type that takes values of both.
  package func common(
    _ first: ExpressionType, _ second: ExpressionType, _ expression: ValueExpression
  ) throws(ExpressionTypeError) -> ExpressionType {
    switch (first, second) {
    case _ where first == second: return first
    case (.null, let other), (let other, .null): return other
    case (.unknown, _), (_, .unknown): return .unknown
    case (.object(let one), .object(let other)) where source.rootName(of: one) == source.rootName(of: other):
      return .object(entity: source.rootName(of: one))
    case (.objects(let one, _), .objects(let other, _)) where source.rootName(of: one) == source.rootName(of: other):
      return .objects(entity: source.rootName(of: one), isOrdered: false)
    case _ where first.isNumber && second.isNumber: return Self.number(first, second)
    default: throw fail(expression, .mixed(first, second))
    }
  }

  /// Returns the type of a sum of two numbers: integer if both are, decimal if one of them is, or floating point.
  package static func number(_ first: ExpressionType, _ second: ExpressionType) -> ExpressionType {
    if first == .null { return second == .truth ? .value(.integer64) : second }
    if second == .null { return number(second, first) }
    if first == .unknown || second == .unknown { return .unknown }
    if first.isWholeNumber && second.isWholeNumber { return .value(.integer64) }
    return .value([first, second].contains(.value(.decimal)) ? .decimal : .double)
  }
}

extension AttributeValue {
  /// The attribute type of the value, the widest if several types fit.
  package var attributeType: AttributeType {
    switch self {
    case .integer: .integer64
    case .decimal: .decimal
    case .double: .double
    case .string: .string
    case .boolean: .boolean
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    }
  }
}
