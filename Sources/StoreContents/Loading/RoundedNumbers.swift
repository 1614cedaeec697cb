public import Foundation
public import ModelFiles
import StoreRows

/// The numbers of a Decimal attribute of which a store keeps fewer digits than a text has.
public struct RoundedNumbers: Hashable, Sendable {
  /// The entity of the objects.
  public let entity: String
  /// The name of the attribute, followed by names of elements for a composite attribute.
  public let path: [String]
  /// The number of numbers.
  public internal(set) var count: Int
  /// The first of them.
  public let first: Decimal
  /// The location of its object.
  public let location: SourceLocation
}

/// Counts numbers of which a store keeps fewer digits.
struct RoundedCounts {
  private struct Attribute: Hashable {
    let entity: String
    let path: [String]
  }

  private var counts: [Attribute: RoundedNumbers] = [:]

  var all: [RoundedNumbers] {
    counts.values.sorted { first, second in
      first.entity == second.entity
        ? first.path.lexicographicallyPrecedes(second.path) : first.entity < second.entity
    }
  }

  mutating func add(_ number: RoundedDecimal, at location: SourceLocation) {
    let attribute = Attribute(entity: number.object.entity, path: number.path)
    counts[
      attribute,
      default: RoundedNumbers(
        entity: attribute.entity, path: attribute.path, count: 0, first: number.number, location: location)
    ].count += 1
  }
}
