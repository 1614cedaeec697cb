import MappingModels
import ModelDescription
import PersistentStores

extension ExpressionCompilation {
  mutating func function(
    _ name: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    if let collecting = ExpressionTyping.aggregates[name], let argument = arguments.first {
      return try aggregate(collecting, argument, expression)
    }
    if name == "now" { return ExpressionPiece(sql: "\(.real(compiler.now))", type: .value(.date), isSimple: true) }
    var pieces: [ExpressionPiece] = []
    for argument in arguments { pieces.append(try piece(argument)) }
    guard let first = pieces.first, let last = pieces.last else { return .null }
    let type = try typing.type(of: expression)
    if pieces.count == 2 {
      if type == .value(.string) {
        let sql: SQLStatement = "\(first.leading(.text)) || \(last.sql)"
        return ExpressionPiece(
          sql: "(\(sql))", type: type, canFail: first.canFail || last.canFail, chain: (.text, sql))
      }
      return arithmetic(name, first, last, type, arguments, expression)
    }
    let value = checked(first, arguments[0])
    func made(_ sql: SQLStatement, range: ClosedRange<Double>? = nil, fails: Bool = false) -> ExpressionPiece {
      ExpressionPiece(sql: sql, type: type, range: range, canFail: value.canFail || fails)
    }
    switch name {
    case "uppercase:": return made("modelctl_uppercase(\(value.sql))")
    case "lowercase:": return made("modelctl_lowercase(\(value.sql))")
    case "canonical:": return made("modelctl_canonical(\(value.sql))")
    case "length:": return made("modelctl_length(\(value.sql))", range: 0...1e10)
    case "abs:" where value.type == .value(.integer64) && value.range == nil:
      return made("modelctl_absolute(\(value.sql), \(place(expression)))", fails: true)
    case "abs:": return made("abs(\(value.sql))", range: value.range.map(Self.magnitude))
    case "trunc:" where value.type.isWholeNumber, "floor:" where value.type.isWholeNumber,
      "ceiling:" where value.type.isWholeNumber:
      return made(value.sql, range: value.range)
    default:
      let word = name.hasSuffix(":") ? String(name.dropLast()) : name
      return made("modelctl_real(\(.text(word)), \(value.sql), \(place(expression)))", fails: true)
    }
  }

  private mutating func aggregate(
    _ collecting: CollectionOperator, _ argument: ValueExpression, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    let members = try members(of: argument)
    let each = ResolvedKeyPath.itself
    return try aggregated(members, [.aggregate(collecting, of: each)], expression)
  }

  private static func magnitude(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    0...max(abs(range.lowerBound), abs(range.upperBound))
  }

  /// Integers that overflow 64 bits are reported before they become part of a floating-point number.
  private func arithmetic(
    _ name: String, _ left: ExpressionPiece, _ right: ExpressionPiece, _ type: ExpressionType,
    _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> ExpressionPiece {
    switch name {
    case "divide:by:", "modulus:by:":
      let (dividend, divisor) = (checked(left, arguments[0]), checked(right, arguments[1]))
      return division(name == "modulus:by:", dividend, divisor, type, expression)
    case "raise:toPower:":
      let (base, exponent) = (checked(left, arguments[0]), checked(right, arguments[1]))
      return ExpressionPiece(
        sql: "modelctl_power(\(base.sql), \(exponent.sql), \(place(expression)))", type: type, canFail: true)
    default:
      let sign: SQLStatement = name == "add:to:" ? "+" : name == "from:subtract:" ? "-" : "*"
      let kind: ExpressionPiece.Chain = name == "multiply:by:" ? .product : .sum
      var (left, right) = (left, right)
      if type != .value(.integer64) { (left, right) = (checked(left, arguments[0]), checked(right, arguments[1])) }
      let sql: SQLStatement = "\(left.leading(kind)) \(sign) \(right.sql)"
      var piece = ExpressionPiece(
        sql: "(\(sql))", type: type, canFail: left.canFail || right.canFail, chain: (kind, sql))
      guard type == .value(.integer64) else { return piece }
      piece.range = Self.range(name, left.range, right.range)
      piece.canOverflow = left.canOverflow || right.canOverflow || piece.range == nil
      return piece
    }
  }

  /// Returns the range of a result; nil if it may overflow 64 bits.
  private static func range(
    _ name: String, _ left: ClosedRange<Double>?, _ right: ClosedRange<Double>?
  ) -> ClosedRange<Double>? {
    guard let left, let right else { return nil }
    let range: ClosedRange<Double>
    switch name {
    case "add:to:": range = left.lowerBound + right.lowerBound...left.upperBound + right.upperBound
    case "from:subtract:": range = left.lowerBound - right.upperBound...left.upperBound - right.lowerBound
    default:
      let corners = [left.lowerBound, left.upperBound].flatMap { [$0 * right.lowerBound, $0 * right.upperBound] }
      range = (corners.min() ?? 0)...(corners.max() ?? 0)
    }
    let safe = ExpressionPiece.safeRange
    return safe.contains(range.lowerBound) && safe.contains(range.upperBound) ? range : nil
  }

  private static func symmetric(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let most = magnitude(range).upperBound
    return -most...most
  }

  /// Returns the range of a quotient of integers, which is no farther from zero than the dividend.
  private static func quotient(
    _ dividend: ClosedRange<Double>?, _ divisor: ClosedRange<Double>?
  ) -> ClosedRange<Double>? {
    guard let dividend else { return nil }
    guard let divisor, divisor.lowerBound > 0 else { return symmetric(dividend) }
    return min(dividend.lowerBound, 0)...max(dividend.upperBound, 0)
  }

  /// Integers divide without a remainder, as in `NSExpression`; a division by zero stops the statement.
  private func division(
    _ isModulus: Bool, _ dividend: ExpressionPiece, _ divisor: ExpressionPiece, _ type: ExpressionType,
    _ expression: ValueExpression
  ) -> ExpressionPiece {
    let isWhole = type == .value(.integer64)
    let numerator: SQLStatement = isWhole ? dividend.sql : "CAST(\(dividend.sql) AS REAL)"
    let sign: SQLStatement = isModulus ? "%" : "/"
    var piece = ExpressionPiece(
      sql: "(\(numerator) \(sign) \(divisor.sql))", type: type, canFail: dividend.canFail || divisor.canFail)
    if isWhole {
      piece.range = isModulus ? divisor.range.map(Self.symmetric) : Self.quotient(dividend.range, divisor.range)
      piece.canOverflow = !isModulus && piece.range == nil
    }
    if divisor.type == .null || dividend.type == .null { return .null }
    if let range = divisor.range, range.lowerBound > 0 || range.upperBound < 0 { return piece }
    piece.canFail = true
    if divisor.isSimple && dividend.isSimple {
      piece.sql = """
        CASE \(divisor.sql) WHEN 0 THEN modelctl_zero(\(dividend.sql), \(place(expression))) ELSE \(piece.sql) END
        """
    } else {
      let function = isWhole ? (isModulus ? "modelctl_modulus" : "modelctl_quotient") : "modelctl_ratio"
      piece.sql = "\(name: function)(\(dividend.sql), \(divisor.sql), \(place(expression)))"
      piece.canOverflow = false
    }
    return piece
  }

  /// Returns a function of the entity mapping's policy: its SQL replacement, or a call of the policy.
  mutating func policyCall(
    _ selector: String, _ arguments: [ValueExpression], for wanted: AttributeType?
  ) throws -> ExpressionPiece {
    guard let policy = compiler.policy else { throw ExpressionCompilationError.noPolicy(selector: selector) }
    if let replacement = policy.replacement?.functions[selector] {
      var pieces: [SQLStatement] = []
      for argument in arguments { pieces.append(checked(try piece(argument), argument).unmarked.sql) }
      return try snippet(SQLSnippet(replacement), arguments: pieces)
    }
    var kinds: [String] = []
    var values: [SQLStatement] = []
    for argument in arguments {
      let (kind, value) = try policyArgument(argument)
      kinds.append(kind)
      values.append(value)
    }
    let result = SQLValue.text(wanted?.name ?? "")
    let fixed: [SQLStatement] = [
      "\(.text(policy.className))", "\(.text(selector))", "\(result)", "\(.text(kinds.joined(separator: ",")))",
    ]
    return ExpressionPiece(
      sql: "\(name: ExpressionPolicy.functionName)(\((fixed + values).joined()))", type: .unknown, canFail: true)
  }

  private mutating func policyArgument(_ argument: ValueExpression) throws -> (String, SQLStatement) {
    let type = try typing.type(of: argument)
    switch type {
    case .objects, .nested:
      let members = try members(of: argument)
      let query: SQLStatement = "SELECT DISTINCT \(reference(to: members.row)) AS member\(members.tail())"
      return ("Objects", "(SELECT group_concat(member, ',') FROM (\(query)))")
    case .object(let entity):
      if argument == .variable("source") || argument == .selfObject {
        return ("Object", "(\(.text(compiler.entity + ":")) || \(row.key))")
      }
      let piece = try piece(argument)
      let object = newRow(of: entity)
      return (
        "Object",
        """
        (SELECT \(reference(to: object)) FROM \(name: try table(of: entity)) AS \(name: object.alias) \
        WHERE \(object.key) = \(piece.sql))
        """
      )
    case .values, .destinationObjects: throw ExpressionCompilationError.noCollection(expression: argument.shortText)
    case .value(let type): return (type.name, checked(try piece(argument), argument).unmarked.sql)
    case .truth: return (AttributeType.boolean.name, try piece(argument).sql)
    case .null, .unknown: return ("Unknown", try piece(argument).sql)
    }
  }

  /// An object as `Entity:Z_PK`.
  private func reference(to object: RowScope) -> SQLStatement {
    let names = source.hierarchy.family(of: source.hierarchy.rootName(of: object.entity)).compactMap { entity in
      source.number(of: entity.name).map { "WHEN \(.number($0)) THEN \(.text(entity.name + ":"))" as SQLStatement }
    }
    return "CASE \(object.column("Z_ENT")) \(names.joined(" ")) END || \(object.key)"
  }
}
