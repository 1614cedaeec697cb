import MappingModels
import ModelDescription
import PersistentStores

/// One expression on its way to SQL.
struct ExpressionCompilation {
  let compiler: ExpressionCompiler
  let typing: ExpressionTyping
  /// The type of attribute the whole expression is for, until a part of it is compiled.
  var wanted: AttributeType?
  private var aliases = 0

  init(_ compiler: ExpressionCompiler, role: ExpressionTyping.Role) {
    self.compiler = compiler
    typing = compiler.typing(role)
  }

  var source: StoreModel { compiler.source }

  /// The source row.
  var row: RowScope { RowScope(alias: compiler.row, entity: compiler.entity) }

  /// A row under an alias that no other row has.
  mutating func newRow(of entity: String) -> RowScope {
    RowScope(alias: newAlias(), entity: entity)
  }

  mutating func newAlias() -> String {
    aliases += 1
    return "\(compiler.row)_\(aliases)"
  }

  /// The table of an entity's rows where it is now.
  func table(of entity: String) throws(ExpressionCompilationError) -> String {
    guard let table = source.table(ofEntity: entity) else { throw .notStored(property: entity) }
    return compiler.table(table.name)
  }

  /// Where a failure on a row happened: its key, its entity and the expression, as the last arguments of a function.
  func place(_ expression: ValueExpression) -> SQLStatement {
    place(of: expression.shortText)
  }

  /// The same for SQL that somebody wrote.
  func place(of text: String) -> SQLStatement {
    "\(row.key), \(.text(compiler.entity)), \(.text(text))"
  }

  /// A part of the expression that is one value.
  mutating func piece(_ expression: ValueExpression) throws -> ExpressionPiece {
    let wanted = wanted
    self.wanted = nil
    switch expression {
    case .null: return .null
    case .constant(let value): return .constant(value)
    case .selfObject, .variable:
      return ExpressionPiece(sql: row.key, type: .object(entity: compiler.entity), isSimple: true)
    case .keyPath(let keys, let base): return try keyPath(keys, of: base, expression)
    case .function(let name, let arguments): return try function(name, arguments, expression)
    case .invocation(_, let selector, let arguments): return try policyCall(selector, arguments, for: wanted)
    case .comparison, .conjunction, .disjunction, .negation, .truth: return try condition(expression)
    case .conditional(let condition, let value, let other): return try conditional(condition, value, other, expression)
    case .cast(let value, let name): return try cast(value, to: name, expression)
    case .collection, .fetch: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
    }
  }

  private mutating func conditional(
    _ condition: ValueExpression, _ value: ValueExpression, _ other: ValueExpression, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    let test = try self.condition(condition)
    var (first, second) = (try piece(value), try piece(other))
    let isMarked = [first, second].allSatisfy { $0.isMarked || $0.type == .null }
    if !isMarked { (first, second) = (first.unmarked, second.unmarked) }
    let type = try typing.common(first.type, second.type, expression)
    if type == .value(.integer64) || type.isWholeNumber {
      (first, second) = (checked(first, value), checked(second, other))
    }
    var piece = ExpressionPiece(
      sql: "CASE WHEN \(test.sql) THEN \(first.sql) ELSE \(second.sql) END", type: type,
      canFail: test.canFail || first.canFail || second.canFail, isMarked: isMarked)
    if let one = first.type == .null ? second.range : first.range,
      let two = second.type == .null ? first.range : second.range
    {
      piece.range = min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    }
    return piece
  }

  /// A whole number that is one: arithmetic that left 64 bits stops the statement.
  func checked(_ piece: ExpressionPiece, _ expression: ValueExpression) -> ExpressionPiece {
    guard piece.canOverflow else { return piece }
    var checked = piece
    checked.sql = "modelctl_whole(\(piece.sql), \(place(expression)))"
    checked.canOverflow = false
    checked.chain = nil
    checked.canFail = true
    return checked
  }
}
