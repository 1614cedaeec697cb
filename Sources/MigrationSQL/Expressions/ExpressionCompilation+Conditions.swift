import MappingModels
import ModelDescription

extension ExpressionCompilation {
  private var logic: PredicateLogic { compiler.logic }

  /// Returns a condition, which is 1 or 0, and NULL only in three-valued logic.
  mutating func condition(_ expression: ValueExpression) throws -> ExpressionPiece {
    switch expression {
    case .truth(let isTrue): return ExpressionPiece(sql: isTrue ? "1" : "0", type: .truth, range: 0...1, isSimple: true)
    case .comparison(let comparison): return try self.comparison(comparison, expression)
    case .negation(let part):
      let piece = try condition(part)
      return .truth("(NOT \(piece.sql))", canFail: piece.canFail)
    case .conjunction(let parts): return try combined(parts, isConjunction: true)
    case .disjunction(let parts): return try combined(parts, isConjunction: false)
    default:
      let piece = try piece(expression)
      return .truth(
        logic == .twoValued ? "(COALESCE(\(piece.sql), 0) <> 0)" : "(\(piece.sql) <> 0)", canFail: piece.canFail)
    }
  }

  /// Combines conditions so that a part that can fail runs only if the previous parts do not decide.
  ///
  /// SQLite promises no order of evaluation; `CASE` does.
  private mutating func combined(_ parts: [ValueExpression], isConjunction: Bool) throws -> ExpressionPiece {
    var pieces: [ExpressionPiece] = []
    for part in parts { pieces.append(try condition(part)) }
    let neutral: SQLStatement = isConjunction ? "1" : "0"
    let whole = Self.balanced(pieces.map(\.sql)[...], isConjunction ? " AND " : " OR ", neutral)
    guard pieces.contains(where: \.canFail) else { return .truth(whole) }
    guard logic == .twoValued else { return .truth(inTurn(pieces[...], isConjunction), canFail: true) }
    let tests = pieces.map { piece in
      isConjunction ? "WHEN NOT \(piece.sql) THEN 0" : "WHEN \(piece.sql) THEN 1" as SQLStatement
    }
    return .truth("CASE \(tests.joined(" ")) ELSE \(neutral) END", canFail: true)
  }

  /// The same for parts that may be unknown, so that no part decides alone; each part is written once.
  private mutating func inTurn(_ parts: ArraySlice<ExpressionPiece>, _ isConjunction: Bool) -> SQLStatement {
    let word: SQLStatement = isConjunction ? " AND " : " OR "
    guard parts.count > 1, parts.dropFirst().contains(where: \.canFail) else {
      return Self.balanced(parts.map(\.sql)[...], word, isConjunction ? "1" : "0")
    }
    let half = parts.count / 2
    let (first, rest) = (inTurn(parts.prefix(half), isConjunction), inTurn(parts.dropFirst(half), isConjunction))
    let alias = newAlias()
    let known: SQLStatement = "\(name: alias).known"
    let decided: SQLStatement = isConjunction ? "NOT \(known) THEN 0" : "\(known) THEN 1"
    // The offset keeps SQLite from evaluating it twice.
    return """
      (SELECT CASE WHEN \(decided) ELSE (\(known)\(word)\(rest)) END \
      FROM (SELECT \(first) AS known LIMIT 1 OFFSET 0) AS \(name: alias))
      """
  }

  /// Returns a tree of parentheses with the smallest depth, because SQLite limits the depth of expressions.
  private static func balanced(
    _ parts: ArraySlice<SQLStatement>, _ word: SQLStatement, _ neutral: SQLStatement
  ) -> SQLStatement {
    guard parts.count > 1 else { return parts.first ?? neutral }
    let half = parts.count / 2
    return "(\(balanced(parts.prefix(half), word, neutral))\(word)\(balanced(parts.dropFirst(half), word, neutral)))"
  }

  private mutating func comparison(
    _ comparison: ExpressionComparison, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    guard comparison.quantifier != .direct else {
      let comparison = try typing.meaning(of: comparison)
      let left = checked(try piece(comparison.left), comparison.left)
      return try test(left, comparison, expression)
    }
    if try typing.type(of: comparison.left) == .null { return .truth(comparison.quantifier == .any ? "0" : "1") }
    let members = try members(of: comparison.left, keepingMissing: true)
    let found = try test(members.member, comparison, expression)
    let canFail = members.canFail || found.canFail
    return switch comparison.quantifier {
    case .any, .direct: .truth("EXISTS (SELECT 1\(members.tail(found.sql)))", canFail: canFail)
    case .none: .truth("NOT EXISTS (SELECT 1\(members.tail(found.sql)))", canFail: canFail)
    case .all:
      .truth(
        "NOT EXISTS (SELECT 1\(members.tail(logic == .twoValued ? "NOT \(found.sql)" : "\(found.sql) IS NOT 1")))",
        canFail: canFail)
    }
  }

  /// Returns the comparison of a single value with the right side.
  private mutating func test(
    _ left: ExpressionPiece, _ comparison: ExpressionComparison, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    let collation = StringCollation(
      ignoresCase: comparison.ignoresCase, ignoresDiacritics: comparison.ignoresDiacritics)
    switch comparison.operator {
    case .isIn: return try membership(left, comparison.right, collation, expression)
    case .between:
      guard case .collection(let bounds) = comparison.right, bounds.count == 2 else { return .truth("0") }
      let (low, high) = (try piece(bounds[0]), try piece(bounds[1]))
      let (first, last) = (checked(low, bounds[0]), checked(high, bounds[1]))
      let text = collation.applied(to: left, isOrdered: logic == .twoValued, beside: first.sql, last.sql)
      return .truth(
        logic.comparison("\(text) BETWEEN \(first.sql) AND \(last.sql)"),
        canFail: left.canFail || first.canFail || last.canFail)
    default:
      if comparison.operator == .beginsWith, logic == .threeValued, collation.flags == 0, left.isSimple,
        left.type == .value(.string), case .constant(.string(let prefix)) = comparison.right, !prefix.isEmpty
      {
        return PrefixRange(prefix).condition(left)
      }
      let right = checked(try piece(comparison.right), comparison.right)
      return PieceComparison(left: left, right: right, collation: collation, logic: logic).sql(
        comparison.operator, place: place(expression))
    }
  }

  private mutating func membership(
    _ left: ExpressionPiece, _ right: ValueExpression, _ collation: StringCollation, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    let type = try typing.type(of: right)
    if type == .null { return .truth("0") }
    guard type.isCollection else {
      let text = try piece(right)
      return PieceComparison(left: text, right: left, collation: collation, logic: logic).sql(
        .contains, place: place(expression))
    }
    if case .collection(let parts) = right, case .values = type { return try listing(left, parts, collation) }
    let members = try members(of: right)
    let value = members.member.unmarked
    let text = collation.applied(to: left.unmarked, isOrdered: false)
    return .truth(
      logic.comparison("\(text) IN (SELECT \(value.sql)\(members.tail()))"),
      canFail: left.canFail || members.canFail || value.canFail)
  }

  /// Returns a test that a value is in a list of constants.
  private mutating func listing(
    _ left: ExpressionPiece, _ parts: [ValueExpression], _ collation: StringCollation
  ) throws -> ExpressionPiece {
    var values: [SQLStatement] = []
    var canFail = left.canFail
    for part in parts {
      let value = checked(try piece(part), part).unmarked
      canFail = canFail || value.canFail
      values.append(value.sql)
    }
    let text = collation.applied(to: left.unmarked, isOrdered: false)
    return .truth(logic.comparison("\(text) IN (\(values.joined()))"), canFail: canFail)
  }
}

/// Two values compared as a predicate compares them: the answer is NULL only in three-valued logic.
struct PieceComparison {
  let left: ExpressionPiece
  let right: ExpressionPiece
  let collation: StringCollation
  let logic: PredicateLogic

  /// Returns the comparison by one operator.
  ///
  /// - Parameter place: the arguments for the error of a function that fails.
  func sql(_ comparison: ExpressionComparison.Operator, place: SQLStatement) -> ExpressionPiece {
    let fails = left.canFail || right.canFail
    switch comparison {
    case .equal: return .truth("(\(equality(isEqual: true)))", canFail: fails)
    case .notEqual: return .truth("(\(equality(isEqual: false)))", canFail: fails)
    case .less: return .truth(order("<"), canFail: fails)
    case .lessOrEqual: return .truth(order("<="), canFail: fails)
    case .greater: return .truth(order(">"), canFail: fails)
    case .greaterOrEqual: return .truth(order(">="), canFail: fails)
    case .beginsWith: return .truth(call("modelctl_begins"), canFail: fails)
    case .endsWith: return .truth(call("modelctl_ends"), canFail: fails)
    case .contains: return .truth(call("modelctl_contains"), canFail: fails)
    case .like: return .truth(call("modelctl_like"), canFail: fails)
    case .matches:
      return .truth("modelctl_matches(\(left.sql), \(right.sql), \(.number(flags)), \(place))", canFail: true)
    case .isIn, .between: return .truth("0")
    }
  }

  /// A missing value is detected without reading the files of external data.
  private func equality(isEqual: Bool) -> SQLStatement {
    let isNullTest = left.type == .null || right.type == .null
    let word: SQLStatement =
      logic == .twoValued || isNullTest ? (isEqual ? "IS" : "IS NOT") : (isEqual ? "=" : "<>")
    let (left, right) = isNullTest ? (left, right) : (left.unmarked, right.unmarked)
    return "\(collation.applied(to: left, isOrdered: false, beside: right.sql)) \(word) \(right.sql)"
  }

  private func order(_ word: SQLStatement) -> SQLStatement {
    // A fetch compares the bytes of texts, so that an index serves.
    let left = collation.applied(to: left, isOrdered: logic == .twoValued, beside: right.sql)
    return logic.comparison("\(left) \(word) \(right.sql)")
  }

  private func call(_ function: String) -> SQLStatement {
    "\(name: function)(\(left.sql), \(right.sql), \(.number(flags)))"
  }

  private var flags: Int { collation.flags + logic.flags }
}

/// The range of texts with a common prefix, ordered by bytes, so that SQLite can use an index.
struct PrefixRange {
  let prefix: String
  /// The first text after the range; nil if there is none.
  let end: String?

  /// Finds the range of the texts with a prefix.
  init(_ prefix: String) {
    self.prefix = prefix
    var scalars = Array(prefix.unicodeScalars)
    // UTF-8 orders texts as their scalars do.
    while let last = scalars.popLast() {
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      break
    }
    end = scalars.isEmpty ? nil : scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  /// The condition that a column's text is in the range.
  func condition(_ column: ExpressionPiece) -> ExpressionPiece {
    let begins: SQLStatement = "\(column.sql) >= \(.text(prefix))"
    guard let end else { return .truth("(\(begins))") }
    return .truth("(\(begins) AND \(column.sql) < \(.text(end)))")
  }
}
