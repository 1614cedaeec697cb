import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

/// Makes functions of expressions, which give for objects in memory what ``ExpressionCompiler`` makes SQL give for rows.
///
/// Its logic is three-valued: a comparison with a missing value is not known, only one with `nil` itself is. Both call the same
/// functions for texts, patterns and numbers, and both find the meaning of keys in ``ResolvedKeyPath``.
struct ExpressionEvaluation<Objects: ExpressionObjects> {
  let hierarchy: EntityHierarchy
  let entity: String
  let objects: Objects
  let now: Double
  private(set) var typing: ExpressionTyping
  /// Its own memory of patterns.
  let matching = ExpressionFunctions.matching

  /// Begins an evaluation.
  ///
  /// - Parameters:
  ///   - hierarchy: the model of the objects.
  ///   - entity: the entity whose objects are asked.
  ///   - objects: the objects.
  ///   - now: what `now()` gives, in seconds since 2001.
  init(of hierarchy: EntityHierarchy, entity: String, over objects: Objects, now: Double) {
    (self.hierarchy, self.entity, self.objects, self.now) = (hierarchy, entity, objects, now)
    typing = ExpressionTyping(source: hierarchy, entity: entity, role: .filter)
  }

  /// A condition as a function of an object of the entity; nil is not known.
  ///
  /// - Parameter expression: the condition.
  /// - Returns: the function, which throws what would stop a statement of SQL.
  /// - Throws: `ExpressionTypeError` or ``ExpressionCompilationError``.
  func predicate(_ expression: ValueExpression) throws -> (EvaluatedObject) throws -> Bool? {
    try typing.checkCondition(expression)
    let condition = try condition(expression)
    return { try condition(EvaluationScope(object: $0)) }
  }

  /// The evaluation with a variable for an object of an entity.
  func binding(_ variable: String, to entity: String) -> Self {
    var inner = self
    inner.typing.variables[variable] = entity
    return inner
  }

  /// The row and the expression for an error, as the last arguments of a function.
  func place(_ expression: ValueExpression) -> (EvaluationScope) -> [DatabaseValue] {
    let (entity, text) = (entity.databaseValue, expression.shortText.databaseValue)
    return { [$0.object.key.databaseValue, entity, text] }
  }

  /// A part of the expression that is one value.
  func piece(_ expression: ValueExpression) throws -> EvaluatedPiece {
    switch expression {
    case .null: return .null
    case .constant(let value): return .constant(value)
    case .selfObject, .variable:
      let subject = subject(expression)
      return EvaluatedPiece(try typing.type(of: expression)) { subject($0).map { $0.key.databaseValue } ?? .null }
    case .keyPath(let keys, let base): return try keyPath(keys, of: base, expression)
    case .function(let name, let arguments): return try function(name, arguments, expression)
    case .comparison, .conjunction, .disjunction, .negation, .truth:
      let condition = try condition(expression)
      return EvaluatedPiece(.truth) { try condition($0).map { ($0 ? 1 : 0).databaseValue } ?? .null }
    case .conditional(let condition, let value, let other): return try conditional(condition, value, other, expression)
    case .cast(let value, let name): return try cast(value, to: name, expression)
    case .invocation(_, let selector, _): throw ExpressionCompilationError.noPolicy(selector: selector)
    case .collection, .subquery, .fetch:
      throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
  }

  private func conditional(
    _ condition: ValueExpression, _ value: ValueExpression, _ other: ValueExpression, _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    let test = try self.condition(condition)
    var (first, second) = (unmarked(try piece(value)), unmarked(try piece(other)))
    let type = try typing.common(first.type, second.type, expression)
    if type.isWholeNumber { (first, second) = (checked(first, value), checked(second, other)) }
    return EvaluatedPiece(type) { scope in try test(scope) == true ? first.value(scope) : second.value(scope) }
  }

  /// An integer that is checked: arithmetic that overflows 64 bits is an error.
  func checked(_ piece: EvaluatedPiece, _ expression: ValueExpression) -> EvaluatedPiece {
    guard piece.canOverflow else { return piece }
    let place = place(expression)
    return EvaluatedPiece(piece.type) { scope in
      try ExpressionFunctions.call("modelctl_whole", [piece.value(scope)] + place(scope))
    }
  }

  /// Binary data without the mark of external storage.
  func unmarked(_ piece: EvaluatedPiece) -> EvaluatedPiece {
    guard piece.isMarked else { return piece }
    return EvaluatedPiece(piece.type) { scope in
      let place = [scope.object.key.databaseValue, entity.databaseValue, piece.text.databaseValue]
      return try objects.data(piece.value(scope), at: place)
    }
  }
}
