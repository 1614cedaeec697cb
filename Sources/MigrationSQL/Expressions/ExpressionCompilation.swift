import MappingModels
import ModelDescription
import PersistentStores

/// The compilation of one expression to SQL.
struct ExpressionCompilation {
  let compiler: ExpressionCompiler
  private(set) var typing: ExpressionTyping
  /// The rows of the variables of surrounding `SUBQUERY`s.
  private var variables: [String: RowScope] = [:]
  /// The attribute type of the complete expression, until a part of it is compiled.
  var wanted: AttributeType?
  private var aliases = 0

  init(_ compiler: ExpressionCompiler, role: ExpressionTyping.Role) {
    self.compiler = compiler
    typing = compiler.typing(role)
  }

  var source: StoreModel { compiler.source }

  var row: RowScope { RowScope(alias: compiler.row, entity: compiler.entity) }

  /// Returns the row of `SELF` or of a variable.
  func row(of subject: ValueExpression) -> RowScope {
    if case .variable(let name) = subject, let row = variables[name] { return row }
    return row
  }

  /// Compiles a condition with a variable for a row.
  mutating func condition(
    _ expression: ValueExpression, where variable: String, is row: RowScope
  ) throws -> ExpressionPiece {
    let (variables, typing) = (self.variables, self.typing)
    defer { (self.variables, self.typing) = (variables, typing) }
    self.variables[variable] = row
    self.typing.variables[variable] = row.entity
    return try condition(expression)
  }

  /// A row under an alias that no other row has.
  mutating func newRow(of entity: String) -> RowScope { RowScope(alias: newAlias(), entity: entity) }

  mutating func newAlias() -> String {
    aliases += 1
    return "\(compiler.row)_\(aliases)"
  }

  /// Returns the current table of an entity's rows.
  func table(of entity: String) throws(ExpressionCompilationError) -> String {
    guard let table = source.table(ofEntity: entity) else { throw .notStored(property: entity) }
    return compiler.table(table.name)
  }

  /// Returns the arguments of a function that can fail: the row's key, its entity and the expression.
  func place(_ expression: ValueExpression) -> SQLStatement { place(of: expression.shortText) }

  /// The same for SQL of a mapping.
  func place(of text: String) -> SQLStatement { "\(row.key), \(.text(compiler.entity)), \(.text(text))" }

  mutating func piece(_ expression: ValueExpression) throws -> ExpressionPiece {
    let wanted = wanted
    self.wanted = nil
    switch expression {
    case .null: return .null
    case .constant(let value): return .constant(value)
    case .selfObject, .variable:
      let row = row(of: expression)
      return ExpressionPiece(sql: row.key, type: .object(entity: row.entity), isSimple: true)
    case .keyPath(let keys, let base): return try keyPath(keys, of: base, expression)
    case .function(let name, let arguments): return try function(name, arguments, expression)
    case .invocation(_, let selector, let arguments): return try policyCall(selector, arguments, for: wanted)
    case .comparison, .conjunction, .disjunction, .negation, .truth: return try condition(expression)
    case .conditional(let condition, let value, let other): return try conditional(condition, value, other, expression)
    case .cast(let value, let name): return try cast(value, to: name, expression)
    case .collection, .subquery, .fetch: throw ExpressionCompilationError.noCollection(expression: expression.shortText)
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
      canFail: test.canFail || first.canFail || second.canFail, isMarked: isMarked,
      place: first.place ?? second.place)
    if let one = first.type == .null ? second.range : first.range,
      let two = second.type == .null ? first.range : second.range
    {
      piece.range = min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    }
    return piece
  }

  /// Returns an integer that is checked: arithmetic that overflows 64 bits stops the statement.
  func checked(_ piece: ExpressionPiece, _ expression: ValueExpression) -> ExpressionPiece {
    guard piece.canOverflow else { return piece }
    var checked = piece
    checked.sql = "modelctl_whole(\(piece.sql), \(place(expression)))"
    checked.canOverflow = false
    checked.chain = nil
    checked.canFail = true
    return checked
  }

  /// `CAST(value, "type")`.
  mutating func cast(
    _ value: ValueExpression, to name: String, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    if let object = expression.objectReference {
      return ExpressionPiece(sql: "\(.integer(object.key))", type: .object(entity: object.entity), isSimple: true)
    }
    guard let cast = ExpressionCast(rawValue: name) else { return .null }
    if case .constant(.string(let text)) = value {
      var piece = ExpressionPiece.constant(try CastText.value(of: text, as: cast))
      piece.type = .value(cast.type)
      return piece
    }
    var piece = checked(try piece(value), value).unmarked
    if piece.type == .null { return .null }
    let found = piece.type
    piece.type = .value(cast.type)
    piece.chain = nil
    switch (found, cast) {
    case (.value(let type), _) where type == cast.type: return piece
    case (.value(.uri), .string), (.value(.uuid), .data): return piece
    case (_, .number) where found.isNumber && found != .unknown,
      (_, .decimal) where found.isNumber && found != .unknown:
      if found.isWholeNumber, cast == .number { piece.type = .value(.integer64) }
      return piece
    case (.value(.date), .number), (.value(.date), .decimal), (.truth, .date):
      piece.sql = "CAST(\(piece.sql) AS REAL)"
      piece.isSimple = false
      return piece
    case (.value(let type), .date) where type.isNumeric:
      piece.sql = "CAST(\(piece.sql) AS REAL)"
      piece.isSimple = false
      return piece
    default:
      let kind = if case .value(let type) = found { type.name } else if found == .truth { "Boolean" } else { "" }
      return ExpressionPiece(
        sql: "modelctl_cast(\(piece.sql), \(.text(name)), \(.text(kind)), \(place(expression)))",
        type: .value(cast.type), canFail: true)
    }
  }

  /// Returns a value in the form that the column of a destination attribute stores.
  func stored(
    _ piece: ExpressionPiece, for attribute: AttributeDescription, _ expression: ValueExpression
  ) -> SQLStatement {
    if piece.type == .null { return "NULL" }
    if piece.type == .unknown { return stored(unknown: piece, for: attribute, place(expression)) }
    if piece.isMarked || attribute.allowsExternalBinaryDataStorage {
      if piece.isMarked && attribute.allowsExternalBinaryDataStorage { return piece.sql }
      let value = piece.unmarked.sql
      return attribute.allowsExternalBinaryDataStorage ? "CAST(\(.blob([1])) || \(value) AS BLOB)" : value
    }
    guard piece.type.isNumber else { return piece.sql }
    let value = checked(piece, expression)
    switch attribute.type {
    case .integer16, .integer32, .integer64: return whole(value, for: attribute.type, expression)
    case .boolean: return value.type == .truth || value.type == .value(.boolean) ? value.sql : "(\(value.sql) <> 0)"
    case .double, .float, .date:
      let isReal = [.value(.double), .value(.float)].contains(value.type)
      return isReal ? value.sql : "CAST(\(value.sql) AS REAL)"
    default: return value.sql
    }
  }

  /// Returns a value whose type is known only when the statement runs.
  ///
  /// A value that the attribute cannot have stops the statement. A fraction for an integer attribute also stops it if
  /// the SQL is for the attribute itself.
  func stored(
    unknown piece: ExpressionPiece, for attribute: AttributeDescription, _ place: SQLStatement, isWritten: Bool = false
  ) -> SQLStatement {
    let function: SQLStatement = isWritten ? "modelctl_written" : "modelctl_stored"
    let value: SQLStatement = "\(function)(\(piece.sql), \(.text(attribute.type.name)), \(place))"
    return attribute.allowsExternalBinaryDataStorage ? "CAST(\(.blob([1])) || \(value) AS BLOB)" : value
  }

  /// Returns a number without its fraction, which must fit the attribute.
  private func whole(
    _ value: ExpressionPiece, for type: AttributeType, _ expression: ValueExpression
  ) -> SQLStatement {
    guard let bounds = type.bounds else { return value.sql }
    if value.type.isWholeNumber {
      if bounds == .min ... .max { return value.sql }
      if let range = value.range, Double(bounds.lowerBound) <= range.lowerBound,
        range.upperBound <= Double(bounds.upperBound)
      {
        return value.sql
      }
    }
    let least: SQLStatement = "\(.integer(bounds.lowerBound))"
    let greatest: SQLStatement = "\(.integer(bounds.upperBound))"
    let function: (SQLStatement) -> SQLStatement = {
      "modelctl_integer(\($0), \(least), \(greatest), \(place(expression)))"
    }
    let whole: (SQLStatement) -> SQLStatement = { number in
      """
      CASE WHEN typeof(\(number)) = 'integer' AND \(number) BETWEEN \(least) AND \(greatest) THEN \(number) \
      ELSE \(function(number)) END
      """
    }
    guard !value.isSimple else { return whole(value.sql) }
    // The function is slow, and called for a value out of bounds only; the offset keeps SQLite from computing it twice.
    return "(SELECT \(whole("number")) FROM (SELECT \(value.sql) AS number LIMIT 1 OFFSET 0))"
  }
}
