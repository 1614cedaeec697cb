import Foundation
import MappingModels
import ModelDescription

extension ReferenceEvaluator {
  func compare(_ comparison: ExpressionComparison, of object: ReferenceObject) throws -> Bool {
    guard comparison.quantifier != .direct else {
      return try compare(value(comparison.left, of: object), comparison, value(comparison.right, of: object))
    }
    let members = try quantified(comparison.left, of: object)
    let right = try value(comparison.right, of: object)
    switch comparison.quantifier {
    case .any, .direct: return try members.contains { try compare($0, comparison, right) }
    case .all: return try members.allSatisfy { try compare($0, comparison, right) }
    case .none: return try !members.contains { try compare($0, comparison, right) }
    }
  }

  /// What a quantifier looks at: what the last keys give for each object, also where that is nothing.
  private func quantified(_ expression: ValueExpression, of object: ReferenceObject) throws -> [ReferenceValue] {
    switch expression {
    case .collection(let parts): return try parts.map { try value($0, of: object) }
    case .keyPath(let keys, let base) where !keys.contains(where: { $0.hasPrefix("@") }):
      let start = try value(base, of: object)
      if start.isNull { return [] }
      return try (start.members ?? [start]).flatMap { try each(keys[...], of: $0) }
    default: return (try value(expression, of: object).members ?? []).filter { !$0.isNull }
    }
  }

  private func each(_ keys: ArraySlice<String>, of value: ReferenceValue) throws -> [ReferenceValue] {
    guard let key = keys.first, case .object(let object) = value,
      let declared = model.allRelationships(of: object.entity)[key]
    else { return [try follow(keys, from: value)] }
    let (found, rest) = (try follow([key], from: value), keys.dropFirst())
    if let members = found.members { return try members.flatMap { try each(rest, of: $0) } }
    let isEmpty = found.isNull && leadsToSeveral(rest, from: declared.property.destinationEntityName)
    return isEmpty ? [] : try each(rest, of: found)
  }

  private func leadsToSeveral(_ keys: ArraySlice<String>, from entity: String?) -> Bool {
    guard let key = keys.first, let entity, let next = model.allRelationships(of: entity)[key]?.property else {
      return false
    }
    return next.isToMany || leadsToSeveral(keys.dropFirst(), from: next.destinationEntityName)
  }

  private func compare(
    _ left: ReferenceValue, _ comparison: ExpressionComparison, _ right: ReferenceValue
  ) throws -> Bool {
    var options: String.CompareOptions = []
    if comparison.ignoresCase { options.insert(.caseInsensitive) }
    if comparison.ignoresDiacritics { options.insert(.diacriticInsensitive) }
    func ordered(_ accepted: ComparisonResult...) -> Bool {
      guard !left.isNull, !right.isNull, let order = order(left, right, options) else { return false }
      return accepted.contains(order)
    }
    switch comparison.operator {
    case .equal: return equal(left, right, options)
    case .notEqual: return !equal(left, right, options)
    case .less: return ordered(.orderedAscending)
    case .lessOrEqual: return ordered(.orderedAscending, .orderedSame)
    case .greater: return ordered(.orderedDescending)
    case .greaterOrEqual: return ordered(.orderedDescending, .orderedSame)
    case .isIn:
      if let members = right.members {
        return !left.isNull && members.contains { !$0.isNull && equal(left, $0, options) }
      }
      return try texts(right, left, .contains, options)
    case .between:
      guard let bounds = right.members, bounds.count == 2, !left.isNull else { return false }
      guard let low = bounds[0].isNull ? nil : order(bounds[0], left, options),
        let high = bounds[1].isNull ? nil : order(left, bounds[1], options)
      else { return false }
      return low != .orderedDescending && high != .orderedDescending
    case .beginsWith, .endsWith, .contains, .like, .matches:
      return try texts(left, right, comparison.operator, options)
    }
  }

  private func equal(_ one: ReferenceValue, _ two: ReferenceValue, _ options: String.CompareOptions) -> Bool {
    if case .text(let first) = one, case .text(let second) = two, !options.isEmpty {
      return first.compare(second, options: options) == .orderedSame
    }
    return one.isIdentical(two)
  }

  private func texts(
    _ one: ReferenceValue, _ two: ReferenceValue, _ how: ExpressionComparison.Operator,
    _ options: String.CompareOptions
  ) throws -> Bool {
    guard case .text(let text) = one, case .text(let pattern) = two else { return false }
    func folded(_ text: String) -> [UInt16] {
      Array((options.isEmpty ? text : text.folding(options: options, locale: nil)).utf16)
    }
    let (units, wanted) = (folded(text), folded(pattern))
    switch how {
    case .beginsWith: return units.count >= wanted.count && Array(units.prefix(wanted.count)) == wanted
    case .endsWith: return units.count >= wanted.count && Array(units.suffix(wanted.count)) == wanted
    case .contains:
      guard units.count >= wanted.count else { return false }
      return (0...(units.count - wanted.count)).contains { Array(units[$0...].prefix(wanted.count)) == wanted }
    case .like:
      let scalars = { (units: [UInt16]) in Array(String(decoding: units, as: UTF16.self).unicodeScalars) }
      return isLike(scalars(units)[...], scalars(wanted)[...])
    default:
      let regular = try NSRegularExpression(
        pattern: "^(?:\(pattern))$", options: options.isEmpty ? [] : .caseInsensitive)
      return regular.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
  }

  private func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case "*":
      return isLike(text, pattern.dropFirst()) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    case "?": return !text.isEmpty && isLike(text.dropFirst(), pattern.dropFirst())
    case "\\" where pattern.count > 1:
      return text.first == pattern.dropFirst().first && isLike(text.dropFirst(), pattern.dropFirst(2))
    default: return text.first == first && isLike(text.dropFirst(), pattern.dropFirst())
    }
  }
}
