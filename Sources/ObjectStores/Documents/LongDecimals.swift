import AtomicStores
import Foundation
import ModelDescription
package import StoreRows

/// The decimal numbers of a store of another kind that a SQLite store keeps in fewer digits.
package struct LongDecimals: Sendable {
  /// The numbers of objects, by their paths.
  private var numbers: [RecordID: [[String]: Decimal]] = [:]
  /// The attributes that may hold such numbers, by entity; nil where the model is not known.
  private var names: [String: Set<String>]?

  /// Takes numbers.
  init(_ numbers: [RoundedDecimal]) { add(numbers) }

  /// Takes the numbers of objects of a model.
  init(of document: StoreDocument, _ model: EntityHierarchy) {
    let names = Self.names(model)
    self.init(Self.numbers(of: document, names))
    self.names = names.mapValues { Set($0) }
  }

  private static func names(_ model: EntityHierarchy) -> [String: [String]] {
    Dictionary(
      model.model.entities.map { entity in
        let attributes = model.allAttributes(of: entity.name).values.map(\.property)
        return (entity.name, attributes.filter(\.holdsDecimal).map(\.name).sorted())
      }
    ) { first, _ in first }
  }

  /// Finds the numbers among the objects of a model.
  static func numbers(of document: StoreDocument, _ model: EntityHierarchy) -> [RoundedDecimal] {
    numbers(of: document, names(model))
  }

  private static func numbers(of document: StoreDocument, _ names: [String: [String]]) -> [RoundedDecimal] {
    document.objects.flatMap { object in
      RoundedDecimal.all(in: object.values, of: object.id, attributes: names[object.id.entity] ?? [])
    }
  }

  /// Takes numbers, each in place of the one that the same attribute of the object had.
  mutating func add(_ new: [RoundedDecimal]) {
    for number in new { numbers[number.object, default: [:]][number.path] = number.number }
  }

  /// The numbers of an object, by their paths.
  func all(of object: RecordID) -> [[String]: Decimal] { numbers[object] ?? [:] }

  /// Forgets the numbers of attributes that a save sets.
  ///
  /// Elements of composite ones keep theirs while they are the nearest: a save sets such an attribute as a whole.
  ///
  /// - Parameter writes: the rows that the save writes.
  mutating func forget(_ writes: RecordWrites) {
    guard !numbers.isEmpty else { return }
    for row in writes.insertions { numbers[row.id] = nil }
    for row in writes.updates {
      for name in row.values.keys { numbers[row.id]?[[name]] = nil }
    }
  }

  /// Gives the numbers back to the values that are still the nearest ones.
  ///
  /// What a migration renamed has other names, and the same key: a new attribute of the object gets the number of which it
  /// has the nearest one.
  func restore(in document: inout StoreDocument) {
    guard !numbers.isEmpty else { return }
    var rest = numbers
    for position in document.objects.indices {
      let id = document.objects[position].id
      for path in restore(in: &document.objects[position].values, of: id) { rest[id]?[path] = nil }
    }
    restoreRenamed(in: &document, rest)
  }

  /// Gives the numbers of one object back to its values that are still the nearest ones.
  ///
  /// - Parameters:
  ///   - values: the values by name.
  ///   - object: whose they are.
  /// - Returns: the paths of the numbers that have all their digits again.
  @discardableResult
  package func restore(in values: inout [String: RecordValue], of object: RecordID) -> [[String]] {
    guard let long = numbers[object] else { return [] }
    var restored: [[String]] = []
    for (path, number) in long {
      guard let name = path.first, let value = values[name],
        case .attribute(.decimal(let kept)) = value.element(at: path.dropFirst()), Self.isNearest(kept, to: number)
      else { continue }
      values[name] = value.replacing(elementAt: path.dropFirst(), by: .attribute(.decimal(number)))
      restored.append(path)
    }
    return restored
  }

  /// Counts the values of a document that are the nearest ones of the numbers.
  func count(in document: StoreDocument) -> Int {
    document.objects.reduce(0) { count, object in
      var values = object.values
      return count + restore(in: &values, of: object.id).count
    }
  }

  /// True without any number.
  var isEmpty: Bool { numbers.isEmpty }

  private func restoreRenamed(in document: inout StoreDocument, _ rest: [RecordID: [[String]: Decimal]]) {
    guard let names else { return }
    let byKey = rest.reduce(into: [Int64: Set<Decimal>]()) { $0[$1.key.key, default: []].formUnion($1.value.values) }
    guard byKey.values.contains(where: { !$0.isEmpty }) else { return }
    for position in document.objects.indices {
      let id = document.objects[position].id
      guard let candidates = byKey[id.key] else { continue }
      for (name, value) in document.objects[position].values where names[id.entity]?.contains(name) != true {
        document.objects[position].values[name] = Self.restored(value, from: candidates)
      }
    }
  }

  private static func restored(_ value: RecordValue, from candidates: Set<Decimal>) -> RecordValue {
    switch value {
    case .attribute(.decimal(let kept)):
      let found = candidates.filter { isNearest(kept, to: $0) }
      guard found.count == 1, let number = found.first else { return value }
      return .attribute(.decimal(number))
    case .composite(let elements): return .composite(elements.mapValues { restored($0, from: candidates) })
    default: return value
    }
  }

  /// True where a number is what a SQLite store makes of another, whose last bit it may round another way.
  private static func isNearest(_ rounded: Decimal, to number: Decimal) -> Bool {
    guard let one = Double("\(rounded)"), let other = Double("\(number)") else { return false }
    return one == other || one == other.nextUp || one == other.nextDown
  }
}
