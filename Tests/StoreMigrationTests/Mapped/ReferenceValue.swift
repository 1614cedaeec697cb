import Foundation
import GRDB
import ModelDescription

/// What an expression gives in the reference evaluator.
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
  /// A collection in which nothing comes twice.
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

  /// The members without what comes again and without missing ones.
  static func set(of members: [ReferenceValue]) -> ReferenceValue {
    var kept: [ReferenceValue] = []
    for member in members where !member.isNull && !kept.contains(where: { $0.isIdentical(member) }) {
      kept.append(member)
    }
    return .set(kept)
  }

  /// Equal as a predicate's `==` has it: numbers by value, texts character by character.
  func isIdentical(_ other: ReferenceValue) -> Bool {
    if let one = whole, let two = other.whole { return one == two }
    if let one = number, let two = other.number { return one == two }
    if case .text(let one) = self, case .text(let two) = other { return Array(one.utf16) == Array(two.utf16) }
    return self == other
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
