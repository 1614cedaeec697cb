import AtomicStores
import Foundation
import ModelDescription
import StoreRows

/// The decimal numbers of a document that a SQLite store keeps as the nearest number of 53 bits, as Core Data's do.
struct LongDecimals {
  /// A number of fewer digits comes back from a SQLite store as it was.
  private static let safe = Decimal(1_000_000_000_000_000)

  /// The values that hold such numbers.
  private var values: [RecordID: [String: RecordValue]] = [:]

  /// Finds the numbers among the objects of a model.
  init(of document: StoreDocument, _ model: EntityHierarchy) {
    var names: [String: [String]] = [:]
    for entity in model.model.entities {
      let attributes = model.allAttributes(of: entity.name).values.map(\.property)
      names[entity.name] = attributes.filter { $0.leaves.contains { $0.attribute.type == .decimal } }.map(\.name)
    }
    for object in document.objects {
      for name in names[object.id.entity] ?? [] {
        guard let value = object.values[name], Self.isLong(value) else { continue }
        values[object.id, default: [:]][name] = value
      }
    }
  }

  /// Gives the numbers back to the values that are still the nearest ones.
  func restore(in document: inout StoreDocument) {
    guard !values.isEmpty else { return }
    for position in document.objects.indices {
      for (name, value) in values[document.objects[position].id] ?? [:] {
        guard let rounded = document.objects[position].values[name] else { continue }
        document.objects[position].values[name] = Self.restored(rounded, from: value)
      }
    }
  }

  private static func isLong(_ value: RecordValue) -> Bool {
    switch value {
    case .attribute(.decimal(let number)): number.isFinite && number.significand.magnitude >= safe
    case .composite(let elements): elements.values.contains(where: isLong)
    default: false
    }
  }

  private static func restored(_ rounded: RecordValue, from value: RecordValue) -> RecordValue {
    switch (rounded, value) {
    case (.attribute(.decimal(let new)), .attribute(.decimal(let old))): isNearest(new, to: old) ? value : rounded
    case (.composite(let elements), .composite(let others)):
      .composite(
        Dictionary(
          uniqueKeysWithValues: elements.map { name, element in
            (name, others[name].map { restored(element, from: $0) } ?? element)
          }))
    default: rounded
    }
  }

  /// True where a number is what a SQLite store makes of another, whose last bit it may round another way.
  private static func isNearest(_ rounded: Decimal, to number: Decimal) -> Bool {
    guard let one = Double("\(rounded)"), let other = Double("\(number)") else { return false }
    return one == other || one == other.nextUp || one == other.nextDown
  }
}
