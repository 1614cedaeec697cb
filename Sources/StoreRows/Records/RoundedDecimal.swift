public import Foundation
package import ModelDescription

/// A decimal number that an SQLite store keeps with fewer digits: as the nearest number of 53 bits, as Core Data does.
public struct RoundedDecimal: Hashable, Sendable {
  /// The object that is to have it.
  public let object: RecordID
  /// The name of its attribute, and the names of elements in a composite attribute.
  public let path: [String]
  /// The number with all its digits.
  public let number: Decimal

  /// Finds such numbers among the values of an object.
  ///
  /// - Parameter attributes: the attributes that may have decimal values.
  /// - Returns: the numbers in the order of the attributes.
  package static func all(
    in values: [String: RecordValue], of object: RecordID, attributes: [String]
  ) -> [RoundedDecimal] {
    attributes.flatMap { name in
      (values[name]?.roundedDecimals ?? []).map {
        RoundedDecimal(object: object, path: [name] + $0.path, number: $0.number)
      }
    }
  }
}

extension AttributeDescription {
  /// True when its values, or elements of them, are decimal numbers.
  package var holdsDecimal: Bool { leaves.contains { $0.attribute.type == .decimal } }
}

extension RecordValue {
  fileprivate var roundedDecimals: [(path: [String], number: Decimal)] {
    switch self {
    case .attribute(.decimal(let number)): number.isRounded ? [([], number)] : []
    case .composite(let elements):
      elements.sorted { $0.key < $1.key }.flatMap { name, element in
        element.roundedDecimals.map { ([name] + $0.path, $0.number) }
      }
    default: []
    }
  }
}

extension Decimal {
  /// A number with fewer digits is read from an SQLite store unchanged.
  private static let safe = Decimal(1_000_000_000_000_000)

  /// True if the number is neither a whole number of 64 bits nor a double with the same digits.
  var isRounded: Bool {
    guard isFinite, significand.magnitude >= Self.safe else { return false }
    let text = "\(self)"
    guard Int64(text) == nil else { return false }
    guard let nearest = Double(text) else { return true }
    // SQLite makes an integer of a double that is a whole number.
    return (Int64(exactly: nearest).map { Decimal($0) } ?? Decimal(string: nearest.description)) != self
  }
}
