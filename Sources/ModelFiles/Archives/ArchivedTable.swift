/// The objects of a keyed archive that is written.
///
/// A store has millions, most of them dictionaries of a few names: the names stand once, and a dictionary is its values.
struct ArchivedTable {
  enum Object {
    case value(PropertyList)
    /// The values of a dictionary, in the order of its names.
    case fields(names: Int, [PropertyList])
  }

  /// The objects by number; the first is the archive's null.
  private(set) var objects: [Object] = [.value(.string("$null"))]
  /// The names that dictionaries have, each in the order of its bytes.
  private(set) var names: [[String]] = []
  private var numbers: [[String]: Int] = [:]

  /// Appends an object, and gives its number.
  mutating func append(_ object: PropertyList) -> Int {
    objects.append(packed(object))
    return objects.count - 1
  }

  /// Puts an object in the place of another.
  mutating func replace(_ number: Int, with object: PropertyList) {
    guard objects.indices.contains(number) else { return }
    objects[number] = packed(object)
  }

  private mutating func packed(_ object: PropertyList) -> Object {
    guard case .dictionary(let fields) = object else { return .value(object) }
    let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let names = sorted.map(\.key)
    let number = self.number(of: names)
    return .fields(names: number, sorted.map(\.value))
  }

  /// The number of names that are spelled like these: texts that look the same may have other bytes.
  private mutating func number(of names: [String]) -> Int {
    if let number = numbers[names],
      zip(names, self.names[number]).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
    {
      return number
    }
    self.names.append(names)
    numbers[names] = self.names.count - 1
    return self.names.count - 1
  }
}
