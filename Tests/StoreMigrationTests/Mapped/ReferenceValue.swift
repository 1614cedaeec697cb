import Foundation
import GRDB
import ModelDescription

/// A value of an expression in the reference evaluator.
enum ReferenceValue: Equatable {
  case null
  case integer(Int64)
  /// Floating point, and exact numbers, which a store keeps as floating point.
  case real(Double)
  case text(String)
  case date(Double)
  case uuid(Data)
  case data(Data)
  case truth(Bool)
  case object(ReferenceObject)
  /// A collection of unique members.
  case set([ReferenceValue])
  /// A collection as it was put together.
  case list([ReferenceValue])

  var isNull: Bool { self == .null }

  var members: [ReferenceValue]? {
    switch self {
    case .set(let members), .list(let members): members
    default: nil
    }
  }

  /// A number, where truth counts as 1 and 0.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .truth(let isTrue): isTrue ? 1 : 0
    default: nil
    }
  }

  var whole: Int64? {
    switch self {
    case .integer(let number): number
    case .truth(let isTrue): isTrue ? 1 : 0
    default: nil
    }
  }

  /// The members without repetitions and without missing values.
  static func set(of members: [ReferenceValue]) -> ReferenceValue {
    var kept: [ReferenceValue] = []
    for member in members where !member.isNull && !kept.contains(where: { $0.isIdentical(member) }) {
      kept.append(member)
    }
    return .set(kept)
  }

  /// Equal as a predicate's `==` has it: numbers by value, texts character by character.
  func isIdentical(_ other: ReferenceValue) -> Bool {
    if number != nil, other.number != nil { return numericOrder(other) == .orderedSame }
    if case .text(let one) = self, case .text(let two) = other { return Array(one.utf16) == Array(two.utf16) }
    return self == other
  }
}

extension ReferenceValue {
  /// The order of two numbers by their exact values, as `NSNumber` and SQLite compare them; nil for anything else.
  ///
  /// A large integer and a floating-point number that is near it are not equal, although the integer would round to it.
  func numericOrder(_ other: ReferenceValue) -> ComparisonResult? {
    func ordered<Value: Comparable>(_ one: Value, _ two: Value) -> ComparisonResult {
      one < two ? .orderedAscending : one > two ? .orderedDescending : .orderedSame
    }
    guard let one = number, let two = other.number else { return nil }
    if let first = whole ?? Int64(exactly: one), let second = other.whole ?? Int64(exactly: two) {
      return ordered(first, second)
    }
    if whole != nil, two.magnitude >= 0x1p63 { return two > 0 ? .orderedAscending : .orderedDescending }
    if other.whole != nil, one.magnitude >= 0x1p63 { return one > 0 ? .orderedDescending : .orderedAscending }
    return ordered(one, two)
  }
}

/// An object of the graph.
struct ReferenceObject: Hashable {
  let entity: String
  let key: Int64
}

/// Why an expression has no value for an object.
enum ReferenceFailure: Error, Equatable {
  case divisionByZero
  case overflow
  case noNumber
  case unreadable
  case doesNotFit
  case unsupported(String)
}
