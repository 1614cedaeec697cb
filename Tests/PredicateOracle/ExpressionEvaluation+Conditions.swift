import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

extension ExpressionEvaluation {
  /// A condition: true, false, or nil for what is not known.
  func condition(_ expression: ValueExpression) throws -> EvaluatedCondition {
    switch expression {
    case .truth(let isTrue): return { _ in isTrue }
    case .comparison(let comparison): return try self.comparison(comparison, expression)
    case .negation(let part):
      let condition = try condition(part)
      return { scope in try condition(scope).map { !$0 } }
    case .conjunction(let parts): return try combined(parts, decidedBy: false)
    case .disjunction(let parts): return try combined(parts, decidedBy: true)
    default:
      let piece = try piece(expression)
      return { scope in try piece.value(scope).operand.map { $0.double != 0 } }
    }
  }

  /// Parts of which one decides the result; later parts are not evaluated.
  private func combined(_ parts: [ValueExpression], decidedBy deciding: Bool) throws -> EvaluatedCondition {
    let conditions = try parts.map { try condition($0) }
    return { scope in
      var isKnown = true
      for condition in conditions {
        guard let answer = try condition(scope) else {
          isKnown = false
          continue
        }
        if answer == deciding { return deciding }
      }
      return isKnown ? !deciding : nil
    }
  }

  private func comparison(
    _ comparison: ExpressionComparison, _ expression: ValueExpression
  ) throws -> EvaluatedCondition {
    let quantifier = comparison.quantifier
    guard quantifier != .direct else {
      let comparison = try typing.meaning(of: comparison)
      return try test(checked(piece(comparison.left), comparison.left), comparison, expression)
    }
    if try typing.type(of: comparison.left) == .null { return { _ in quantifier != .any } }
    let members = try members(of: comparison.left, keepingMissing: true)
    let test = try test(.member(members.type), comparison, expression)
    return { scope in
      let items = try members.found(scope) ?? []
      switch quantifier {
      case .any, .direct: return try items.contains { try test(scope.looking(at: $0)) == true }
      case .none: return try !items.contains { try test(scope.looking(at: $0)) == true }
      case .all: return try items.allSatisfy { try test(scope.looking(at: $0)) == true }
      }
    }
  }

  /// One value compared with the right side.
  private func test(
    _ left: EvaluatedPiece, _ comparison: ExpressionComparison, _ expression: ValueExpression
  ) throws -> EvaluatedCondition {
    let collation = StringCollation(
      ignoresCase: comparison.ignoresCase, ignoresDiacritics: comparison.ignoresDiacritics)
    switch comparison.operator {
    case .isIn: return try membership(left, comparison.right, collation, expression)
    case .between:
      guard case .collection(let bounds) = comparison.right, bounds.count == 2 else { return { _ in false } }
      let low = ValueComparison(left, checked(try piece(bounds[0]), bounds[0]), collation)
      let high = ValueComparison(left, checked(try piece(bounds[1]), bounds[1]), collation)
      let isAbove = low.order { $0 != .orderedAscending }
      let isBelow = high.order { $0 != .orderedDescending }
      return { scope in
        let (above, below) = (try isAbove(scope), try isBelow(scope))
        if above == false || below == false { return false }
        return above == nil || below == nil ? nil : true
      }
    default:
      let right = checked(try piece(comparison.right), comparison.right)
      return try self.compared(left, right, collation, comparison.operator, expression)
    }
  }

  private func compared(
    _ left: EvaluatedPiece, _ right: EvaluatedPiece, _ collation: StringCollation,
    _ how: ExpressionComparison.Operator, _ expression: ValueExpression
  ) throws -> EvaluatedCondition {
    let isNullTest = left.type == .null || right.type == .null
    let sides = ValueComparison(left, right, collation)
    switch how {
    case .equal, .notEqual:
      let isEqual = isNullTest ? sides.identity : ValueComparison(unmarked(left), unmarked(right), collation).equality
      return how == .equal ? isEqual : { scope in try isEqual(scope).map { !$0 } }
    case .less: return sides.order { $0 == .orderedAscending }
    case .lessOrEqual: return sides.order { $0 != .orderedDescending }
    case .greater: return sides.order { $0 == .orderedDescending }
    case .greaterOrEqual: return sides.order { $0 != .orderedAscending }
    case .beginsWith: return sides.function("modelctl_begins")
    case .endsWith: return sides.function("modelctl_ends")
    case .contains: return sides.function("modelctl_contains")
    case .like: return sides.function("modelctl_like")
    case .matches:
      let place = place(expression)
      return { scope in
        try matching.value([left.value(scope), right.value(scope), sides.flags] + place(scope)).truth
      }
    case .isIn, .between: return { _ in false }
    }
  }

  private func membership(
    _ left: EvaluatedPiece, _ right: ValueExpression, _ collation: StringCollation, _ expression: ValueExpression
  ) throws -> EvaluatedCondition {
    let type = try typing.type(of: right)
    if type == .null { return { _ in false } }
    guard type.isCollection else { return try compared(piece(right), left, collation, .contains, expression) }
    let value = unmarked(left)
    var items: (EvaluationScope) throws -> [DatabaseValue]
    if case .collection(let parts) = right, case .values = type {
      let pieces = try parts.map { unmarked(checked(try piece($0), $0)) }
      items = { scope in try pieces.map { try $0.value(scope) } }
    } else {
      let members = try members(of: right)
      items = { scope in try members.found(scope) ?? [] }
    }
    let comparison = ValueComparison(value, .member(value.type), collation)
    return { scope in
      let (found, members) = (try value.value(scope), try items(scope))
      guard !members.isEmpty else { return false }
      guard !found.isNull else { return nil }
      if members.contains(where: { comparison.equals(found, $0) == true }) { return true }
      return members.contains(where: \.isNull) ? nil : false
    }
  }
}

/// Two values compared as a predicate compares them in a store: the counterpart of ``PieceComparison``.
struct ValueComparison {
  private let left: EvaluatedPiece
  private let right: EvaluatedPiece
  private let collation: StringCollation

  init(_ left: EvaluatedPiece, _ right: EvaluatedPiece, _ collation: StringCollation) {
    (self.left, self.right, self.collation) = (left, right, collation)
  }

  /// The options, with the one that leaves unknown what has no text.
  var flags: DatabaseValue { (collation.flags + PredicateLogic.unknownFlag).databaseValue }

  /// True if two values are the same, and one of them may be `nil` itself.
  var identity: EvaluatedCondition {
    { scope in
      let (one, two) = (try left.value(scope), try right.value(scope))
      return one.isNull || two.isNull ? one.isNull && two.isNull : one.order(two) == .orderedSame
    }
  }

  var equality: EvaluatedCondition {
    { scope in try equals(left.value(scope), right.value(scope)) }
  }

  /// True if two values are equal; nil if one is missing.
  func equals(_ one: DatabaseValue, _ two: DatabaseValue) -> Bool? { compare(one, two).map { $0 == .orderedSame } }

  /// True if the order of the values is accepted.
  func order(_ isAccepted: @escaping (ComparisonResult) -> Bool) -> EvaluatedCondition {
    { scope in try compare(left.value(scope), right.value(scope)).map(isAccepted) }
  }

  private func compare(_ one: DatabaseValue, _ two: DatabaseValue) -> ComparisonResult? {
    if collation.flags != 0, let first = one.text, let second = two.text { return collation.compare(first, second) }
    return one.order(two)
  }

  /// The result of a function of two texts.
  func function(_ name: String) -> EvaluatedCondition {
    { scope in try ExpressionFunctions.call(name, [left.value(scope), right.value(scope), flags]).truth }
  }
}

extension DatabaseValue {
  /// The answer that a function gives as a number; nil where it gives none.
  fileprivate var truth: Bool? { Int64.fromDatabaseValue(self).map { $0 != 0 } }
}
