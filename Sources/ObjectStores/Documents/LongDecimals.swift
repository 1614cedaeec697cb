import AtomicStores
import Foundation
import ModelDescription
import StoreRows

/// The decimal numbers of a store of another kind that a SQLite store keeps in fewer digits.
struct LongDecimals {
  /// The numbers of objects, by their paths.
  private var numbers: [RecordID: [[String]: Decimal]] = [:]

  /// Takes numbers.
  init(_ numbers: [RoundedDecimal] = []) { add(numbers) }

  /// Finds the numbers among the objects of a model.
  static func numbers(of document: StoreDocument, _ model: EntityHierarchy) -> [RoundedDecimal] {
    var names: [String: [String]] = [:]
    for entity in model.model.entities {
      let attributes = model.allAttributes(of: entity.name).values.map(\.property)
      names[entity.name] = attributes.filter(\.holdsDecimal).map(\.name).sorted()
    }
    return document.objects.flatMap { object in
      RoundedDecimal.all(in: object.values, of: object.id, attributes: names[object.id.entity] ?? [])
    }
  }

  /// Takes numbers, each in place of the one that the same attribute of the object had.
  mutating func add(_ new: [RoundedDecimal]) {
    for number in new { numbers[number.object, default: [:]][number.path] = number.number }
  }

  /// Gives the numbers back to the values that are still the nearest ones.
  func restore(in document: inout StoreDocument) {
    guard !numbers.isEmpty else { return }
    for position in document.objects.indices {
      for (path, number) in numbers[document.objects[position].id] ?? [:] {
        guard let name = path.first, let value = document.objects[position].values[name],
          case .attribute(.decimal(let kept)) = value.element(at: path.dropFirst()), Self.isNearest(kept, to: number)
        else { continue }
        document.objects[position].values[name] = value.replacing(
          elementAt: path.dropFirst(), by: .attribute(.decimal(number)))
      }
    }
  }

  /// True where a number is what a SQLite store makes of another, whose last bit it may round another way.
  private static func isNearest(_ rounded: Decimal, to number: Decimal) -> Bool {
    guard let one = Double("\(rounded)"), let other = Double("\(number)") else { return false }
    return one == other || one == other.nextUp || one == other.nextDown
  }
}
