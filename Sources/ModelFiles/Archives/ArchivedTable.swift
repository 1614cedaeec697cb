import Foundation

/// The objects of a keyed archive that is written.
///
/// A store has millions, most of them dictionaries of a few names: the names stand once, a dictionary is its values, and
/// each object is kept as a few bytes.
struct ArchivedTable {
  enum Object {
    case value(PropertyList)
    /// The values of a dictionary, in the order of its names.
    case fields(names: Int, [PropertyList])
  }

  /// The names that dictionaries have, each in the order of its bytes.
  private(set) var names: [[String]] = []
  private var numbers: [[String]: Int] = [:]
  private var packed = PackedLists()
  /// Where each object begins in the bytes, by number.
  private var starts: [Int] = []

  /// Begins with the archive's null.
  init() { _ = append(.string("$null")) }

  /// How many objects there are.
  var count: Int { starts.count }

  /// How many bytes the objects take here, about as many as in the archive.
  var size: Int { packed.count + starts.count * 8 }

  mutating func append(_ object: PropertyList) -> Int {
    starts.append(add(object))
    return starts.count - 1
  }

  /// Puts an object in the place of another.
  mutating func replace(_ number: Int, with object: PropertyList) {
    guard starts.indices.contains(number) else { return }
    starts[number] = add(object)
  }

  /// The object of a number.
  subscript(number: Int) -> Object {
    var reader = packed.reader(at: starts[number])
    guard let names = reader.number().flatMap({ $0 == 0 ? nil : Int($0) - 1 }) else {
      return .value(reader.list() ?? .string("$null"))
    }
    return .fields(names: names, self.names[names].map { _ in reader.list() ?? .uid(0) })
  }

  /// Keeps an object: the number of its names and one and its values, or 0 and what it is.
  private mutating func add(_ object: PropertyList) -> Int {
    guard case .dictionary(let fields) = object else {
      let start = packed.begin()
      packed.append(0 as UInt64)
      packed.append(object)
      return start
    }
    let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let number = number(of: sorted.map(\.key))
    let start = packed.begin()
    packed.append(UInt64(number + 1))
    for field in sorted { packed.append(field.value) }
    return start
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

/// Property lists as bytes, which are kept in pieces, so that a growing table is never copied.
private struct PackedLists {
  private static let pieceSize = 1 << 20

  private var pieces: [[UInt8]] = []
  private var current: [UInt8] = []

  /// How many bytes there are.
  var count: Int { pieces.reduce(current.count) { $0 + $1.count } }

  /// Begins an object, all bytes of which are in one piece.
  ///
  /// - Returns: its place: the piece in the upper half, the byte in the lower one.
  mutating func begin() -> Int {
    if current.count >= Self.pieceSize {
      pieces.append(current)
      current = []
      current.reserveCapacity(Self.pieceSize + 1 << 12)
    }
    return pieces.count << 32 | current.count
  }

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      current.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    current.append(UInt8(rest))
  }

  private mutating func append(_ tag: UInt8, _ number: UInt64) {
    current.append(tag)
    append(number)
  }

  mutating func append(_ list: PropertyList) {
    switch list {
    case .uid(let number): append(0, number)
    case .string(let text):
      append(1, UInt64(text.utf8.count))
      current += text.utf8
    case .integer(let number): append(2, UInt64(bitPattern: number))
    case .unsigned(let number): append(3, number)
    case .real(let number): append(4, number.bitPattern)
    case .single(let number): append(5, UInt64(number.bitPattern))
    case .boolean(let flag): append(6, flag ? 1 : 0)
    case .date(let seconds): append(7, seconds.bitPattern)
    case .data(let data):
      append(8, UInt64(data.count))
      current += data
    case .array(let elements):
      append(9, UInt64(elements.count))
      for element in elements { append(element) }
    case .dictionary(let entries):
      append(10, UInt64(entries.count))
      for (key, value) in entries {
        append(.string(key))
        append(value)
      }
    }
  }

  func reader(at place: Int) -> Reader {
    let piece = place >> 32
    return Reader(bytes: piece < pieces.count ? pieces[piece] : current, position: place & 0xFFFF_FFFF)
  }

  struct Reader {
    let bytes: [UInt8]
    var position: Int

    mutating func number() -> UInt64? {
      var (number, shift): (UInt64, UInt64) = (0, 0)
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      return nil
    }

    private mutating func bytes(_ count: UInt64) -> ArraySlice<UInt8> {
      let start = position
      position = min(bytes.count, start + Int(clamping: count))
      return bytes[start..<position]
    }

    mutating func list() -> PropertyList? {
      guard position < bytes.count else { return nil }
      let tag = bytes[position]
      position += 1
      guard let number = number() else { return nil }
      switch tag {
      case 0: return .uid(number)
      case 1: return .string(String(decoding: bytes(number), as: UTF8.self))
      case 2: return .integer(Int64(bitPattern: number))
      case 3: return .unsigned(number)
      case 4: return .real(Double(bitPattern: number))
      case 5: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
      case 6: return .boolean(number == 1)
      case 7: return .date(Double(bitPattern: number))
      case 8: return .data(Data(bytes(number)))
      case 9: return .array((0..<number).compactMap { _ in list() })
      default:
        var entries: [String: PropertyList] = [:]
        for _ in 0..<number {
          guard let key = list()?.string, let value = list() else { return nil }
          entries[key] = value
        }
        return .dictionary(entries)
      }
    }
  }
}
