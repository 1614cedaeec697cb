import MappingModels

/// Two values compared as a predicate compares them: the answer is never NULL.
struct PieceComparison {
  let left: ExpressionPiece
  let right: ExpressionPiece
  let collation: StringCollation

  /// The comparison by one operator.
  ///
  /// - Parameters:
  ///   - comparison: the operator.
  ///   - place: the arguments that tell a failing function where it is.
  /// - Returns: a truth value.
  func sql(_ comparison: ExpressionComparison.Operator, place: SQLStatement) -> ExpressionPiece {
    let fails = left.canFail || right.canFail
    switch comparison {
    case .equal: return .truth("(\(equality("IS")))", canFail: fails)
    case .notEqual: return .truth("(\(equality("IS NOT")))", canFail: fails)
    case .less: return .truth(order("<"), canFail: fails)
    case .lessOrEqual: return .truth(order("<="), canFail: fails)
    case .greater: return .truth(order(">"), canFail: fails)
    case .greaterOrEqual: return .truth(order(">="), canFail: fails)
    case .beginsWith: return .truth(call("modelctl_begins"), canFail: fails)
    case .endsWith: return .truth(call("modelctl_ends"), canFail: fails)
    case .contains: return .truth(call("modelctl_contains"), canFail: fails)
    case .like: return .truth(call("modelctl_like"), canFail: fails)
    case .matches:
      return .truth(
        "modelctl_matches(\(left.sql), \(right.sql), \(.number(collation.flags)), \(place))", canFail: true)
    case .isIn, .between: return .truth("0")
    }
  }

  /// Whether a value is missing is told without reading the files of external data.
  private func equality(_ word: SQLStatement) -> SQLStatement {
    let isNullTest = left.type == .null || right.type == .null
    let (left, right) = isNullTest ? (left, right) : (left.unmarked, right.unmarked)
    return "\(collation.applied(to: left, isOrdered: false)) \(word) \(right.sql)"
  }

  private func order(_ word: SQLStatement) -> SQLStatement {
    "COALESCE(\(collation.applied(to: left, isOrdered: true)) \(word) \(right.sql), 0)"
  }

  private func call(_ function: String) -> SQLStatement {
    "\(name: function)(\(left.sql), \(right.sql), \(.number(collation.flags)))"
  }
}
