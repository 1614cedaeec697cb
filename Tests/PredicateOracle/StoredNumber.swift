import Foundation
import GRDB
import MigrationSQL

/// Arithmetic and order of stored values, as SQLite has them.
extension DatabaseValue {
  /// A number in arithmetic: a text counts as 0, and so do bytes; nil for no value.
  var operand: StoredNumber? {
    switch storage {
    case .null: nil
    case .int64(let number): .whole(number)
    case .double(let number): .real(number)
    case .string, .blob: .whole(0)
    }
  }

  /// The order of two values: numbers, then texts by their bytes, then bytes; nil where one is missing.
  func order(_ other: DatabaseValue) -> ComparisonResult? {
    switch (storage, other.storage) {
    case (.null, _), (_, .null): nil
    case (.int64(let one), .int64(let two)):
      one < two ? .orderedAscending : one > two ? .orderedDescending : .orderedSame
    case (.double(let one), .double(let two)):
      one < two ? .orderedAscending : one > two ? .orderedDescending : .orderedSame
    case (.int64(let one), .double(let two)): Self.order(one, two)
    case (.double(let one), .int64(let two)): Self.order(two, one).reversed
    case (.string(let one), .string(let two)): Self.order(one.utf8, two.utf8)
    case (.blob(let one), .blob(let two)): Self.order(one, two)
    case (.int64, _), (.double, _), (.string, .blob): .orderedAscending
    default: .orderedDescending
    }
  }

  private static func order(_ whole: Int64, _ real: Double) -> ComparisonResult {
    if real >= 0x1p63 { return .orderedAscending }
    if real < -0x1p63 { return .orderedDescending }
    let floor = real.rounded(.down)
    let rounded = Int64(floor)
    if whole != rounded { return whole < rounded ? .orderedAscending : .orderedDescending }
    return real > floor ? .orderedAscending : .orderedSame
  }

  private static func order(_ one: some Sequence<UInt8>, _ two: some Sequence<UInt8>) -> ComparisonResult {
    if one.elementsEqual(two) { return .orderedSame }
    return one.lexicographicallyPrecedes(two) ? .orderedAscending : .orderedDescending
  }

  /// The key of a value, equal for values that SQLite considers equal.
  var identity: StoredIdentity {
    switch storage {
    case .null: .null
    case .int64(let number): .whole(number)
    case .double(let number): Int64(exactly: number).map { .whole($0) } ?? .real(number)
    case .string(let text): .text(Array(text.utf8))
    case .blob(let data): .bytes(data)
    }
  }
}

extension ComparisonResult {
  fileprivate var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

/// A stored value as a member of a set.
enum StoredIdentity: Hashable {
  case null
  case whole(Int64)
  case real(Double)
  case text([UInt8])
  case bytes(Data)
}

/// A number that a store keeps.
enum StoredNumber {
  case whole(Int64)
  case real(Double)

  /// The number in floating point.
  var double: Double {
    switch self {
    case .whole(let number): Double(number)
    case .real(let number): number
    }
  }

  /// The number as a stored value; a result that is not a number is nil.
  var value: DatabaseValue {
    switch self {
    case .whole(let number): number.databaseValue
    case .real(let number): number.databaseValue.settled
    }
  }

  /// A sum, difference or product: an integer if it fits 64 bits, or floating point.
  func combined(
    with other: StoredNumber, _ whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ real: (Double, Double) -> Double
  ) -> StoredNumber {
    if case .whole(let first) = self, case .whole(let second) = other {
      let (result, overflows) = whole(first, second)
      if !overflows { return .whole(result) }
    }
    return .real(real(double, other.double))
  }
}
