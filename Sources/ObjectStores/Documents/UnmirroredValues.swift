import AtomicStores
import Foundation
import ModelDescription
package import StoreRows

/// What a store of another kind holds and a SQLite store has no room for.
///
/// It keeps decimal numbers in fewer digits, and the values of attributes without a type not at all.
package struct UnmirroredValues: Sendable {
  private var numbers: [RecordID: [[String]: Decimal]] = [:]
  /// The attributes that may hold such numbers, by entity; nil where the model is not known.
  private var names: [String: Set<String>]?
  /// The values of attributes without a type, by objects and paths.
  private(set) var untyped: [RecordID: [[String]: RecordValue]] = [:]

  init(_ numbers: [RoundedDecimal]) { add(numbers) }

  init(of document: StoreDocument, _ model: EntityHierarchy) {
    let names = Self.names(model)
    self.init(Self.numbers(of: document, names))
    self.names = names.mapValues { Set($0) }
    untyped = Self.untyped(of: document, model)
  }

  private static func names(_ model: EntityHierarchy) -> [String: [String]] {
    Dictionary(
      model.model.entities.map { entity in
        let attributes = model.allAttributes(of: entity.name).values.map(\.property)
        return (entity.name, attributes.filter(\.holdsDecimal).map(\.name).sorted())
      }
    ) { first, _ in first }
  }

  private static func untyped(
    of document: StoreDocument, _ model: EntityHierarchy
  ) -> [RecordID: [[String]: RecordValue]] {
    let names = model.model.entities.map(\.name)
    let paths = Dictionary(names.map { ($0, model.untypedPaths(of: $0)) }) { first, _ in first }
    guard paths.values.contains(where: { !$0.isEmpty }) else { return [:] }
    var found: [RecordID: [[String]: RecordValue]] = [:]
    for object in document.objects {
      for path in paths[object.id.entity] ?? [] {
        guard let name = path.first, let value = object.values[name]?.element(at: path.dropFirst()), value != .null
        else { continue }
        found[object.id, default: [:]][path] = value
      }
    }
    return found
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

  func all(of object: RecordID) -> [[String]: Decimal] { numbers[object] ?? [:] }

  /// The values of an object's attributes without a type, by their paths.
  func untyped(of object: RecordID) -> [[String]: RecordValue] { untyped[object] ?? [:] }

  /// Forgets the numbers of attributes that a save sets, and the values without a type that it empties.
  ///
  /// Elements of composite ones keep theirs, numbers while they are the nearest: a save sets such an attribute as a whole, and
  /// says nothing of elements without a type.
  mutating func forget(_ writes: RecordWrites) {
    guard !numbers.isEmpty || !untyped.isEmpty else { return }
    for row in writes.insertions { (numbers[row.id], untyped[row.id]) = (nil, nil) }
    for row in writes.updates {
      for name in row.values.keys {
        numbers[row.id]?[[name]] = nil
        untyped[row.id]?[[name]] = nil
      }
    }
  }

  /// Forgets the values of attributes without a type.
  mutating func forget(_ attributes: Set<UntypedAttribute>) {
    for (id, values) in untyped {
      untyped[id] = values.filter { !attributes.contains(UntypedAttribute(entity: id.entity, path: $0.key)) }
    }
  }

  /// Gives the numbers back to the values that are still the nearest ones, and the values without a type to their objects.
  ///
  /// What a migration renamed has other names, and the same key: a new attribute of the object gets the number of which it
  /// has the nearest one.
  func restore(in document: inout StoreDocument) {
    guard !numbers.isEmpty || !untyped.isEmpty else { return }
    var rest = numbers
    for position in document.objects.indices {
      let id = document.objects[position].id
      for path in restore(in: &document.objects[position].values, of: id) { rest[id]?[path] = nil }
    }
    restoreRenamed(in: &document, rest)
  }

  /// Gives the numbers of one object back to its values that are still the nearest ones, and the values without a type.
  ///
  /// - Returns: the paths of the numbers that have all their digits again.
  @discardableResult
  package func restore(in values: inout [String: RecordValue], of object: RecordID) -> [[String]] {
    for (path, value) in untyped(of: object) {
      guard let name = path.first else { continue }
      values[name] = (values[name] ?? .null).replacing(elementAt: path.dropFirst(), by: value)
    }
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

  /// Gives its number back to the column of an attribute, or of an element of one, that is still the nearest one.
  ///
  /// - Parameter path: the attribute's name, and those of the elements within a composite one.
  /// - Returns: the number with all its digits, else what the column holds.
  package func restored(_ cell: CellValue, of object: RecordID, at path: [String]) -> CellValue {
    guard let kept = cell.nearestDecimal, let number = numbers[object]?[path], Self.isNearest(kept, to: number) else {
      return cell
    }
    return .longDecimal(number)
  }

  /// Counts the values of a document that are the nearest ones of the numbers.
  func count(in document: StoreDocument) -> Int {
    document.objects.reduce(0) { count, object in
      var values = object.values
      return count + restore(in: &values, of: object.id).count
    }
  }

  var hasNoNumbers: Bool { numbers.isEmpty }

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
    Double("\(rounded)").map { isNearest($0, to: number) } ?? false
  }

  private static func isNearest(_ rounded: Double, to number: Decimal) -> Bool {
    guard let nearest = Double("\(number)") else { return false }
    return rounded == nearest || rounded == nearest.nextUp || rounded == nearest.nextDown
  }
}

extension EntityHierarchy {
  /// The paths of an entity's stored attributes without a type, and of such elements of composite ones.
  func untypedPaths(of entity: String) -> [[String]] {
    let leaves = allAttributes(of: entity).values.map(\.property).filter { !$0.isTransient }.flatMap(\.leaves)
    return leaves.filter { $0.attribute.type == .undefined }.map(\.path).sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// An attribute of an entity's objects that has no type, or such an element of a composite one.
struct UntypedAttribute: Hashable {
  let entity: String
  /// The name of the attribute, and those of the elements within a composite one.
  let path: [String]

  /// The name by which a loss of its values is allowed.
  var name: String { name(in: entity) }

  func name(in entity: String) -> String { ([entity] + path).joined(separator: ".") }
}
