import Foundation

/// The objects of a binary property list (`bplist00`) where they lie in its bytes; none is decoded before it is asked
/// for.
///
/// Whoever holds a table may ask for every object that hangs on the top one: ``BinaryPropertyListCheck`` has looked at
/// all of them.
struct BinaryPropertyListTable: Sendable {
  /// The least bytes that a list has: its mark and its trailer.
  private static let leastSize = 40

  let bytes: [UInt8]
  let offsetSize: Int
  let referenceSize: Int
  /// The start of the table of offsets, which is the end of the objects.
  let offsetTable: Int
  let objectCount: Int
  /// The reference of the object that all others hang on.
  let top: Int

  /// Takes the bytes of a list and checks all of them; the file may be hostile.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - objectLimit: the most objects that they may expand to.
  init(_ data: Data, objectLimit: Int = BinaryPropertyListCheck.objectLimit) throws(PropertyListError) {
    bytes = Array(data)
    guard bytes.count >= Self.leastSize, bytes.starts(with: "bplist0".utf8) else { throw .notAPropertyList }
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = Self.number(bytes, at: trailer + 8, size: 8)
    let top = Self.number(bytes, at: trailer + 16, size: 8)
    let table = Self.number(bytes, at: trailer + 24, size: 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= UInt64(trailer),
      table >= 8, table <= UInt64(trailer), count * UInt64(offsetSize) <= UInt64(trailer) - table
    else { throw .truncated(offset: UInt64(trailer)) }
    objectCount = Int(count)
    offsetTable = Int(table)
    guard top < count else { throw .truncated(offset: top) }
    self.top = Int(top)
    try BinaryPropertyListCheck.check(self, objectLimit: objectLimit)
  }

  /// A number in the byte order of property lists; 0 if the bytes end before it.
  private static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      guard offset >= 0, size <= buffer.count, offset <= buffer.count - size else { return 0 }
      switch size {
      case 1: return UInt64(buffer[offset])
      case 2: return UInt64(UInt16(bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
      case 4: return UInt64(UInt32(bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      case 8: return UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      default:
        var number: UInt64 = 0
        for place in offset..<offset + size { number = number << 8 | UInt64(buffer[place]) }
        return number
      }
    }
  }

  func number(at offset: Int, size: Int) -> UInt64 { Self.number(bytes, at: offset, size: size) }

  /// The offset of an object.
  func offset(of reference: Int) -> UInt64 { number(at: offsetTable + reference * offsetSize, size: offsetSize) }

  func reference(at position: Int, from start: Int) -> UInt64 {
    number(at: start + position * referenceSize, size: referenceSize)
  }
}

// MARK: - Objects that were checked

extension BinaryPropertyListTable {
  func kind(of reference: Int) -> UInt8 { bytes[start(of: reference)] & 0xF0 }

  /// The references of an array, nil for any other object.
  func elements(of reference: Int) -> [Int]? {
    let offset = start(of: reference)
    guard bytes[offset] & 0xF0 == 0xA0 else { return nil }
    let (start, count) = extent(at: offset)
    return (0..<count).map { Int(self.reference(at: $0, from: start)) }
  }

  /// The references of a dictionary's keys and values, nil for any other object.
  func entries(of reference: Int) -> [(key: Int, value: Int)]? {
    let offset = start(of: reference)
    guard bytes[offset] & 0xF0 == 0xD0 else { return nil }
    let (start, count) = extent(at: offset)
    return (0..<count).map {
      (Int(self.reference(at: $0, from: start)), Int(self.reference(at: count + $0, from: start)))
    }
  }

  /// The value of a dictionary for a key; nil if there is none and for any other object; of equal keys the last
  /// counts.
  func value(of reference: Int, for key: String) -> Int? {
    let offset = start(of: reference)
    guard bytes[offset] & 0xF0 == 0xD0 else { return nil }
    let (start, count) = extent(at: offset)
    for position in stride(from: count - 1, through: 0, by: -1)
    where isText(Int(self.reference(at: position, from: start)), key) {
      return Int(self.reference(at: count + position, from: start))
    }
    return nil
  }

  func isText(_ reference: Int, _ text: String) -> Bool {
    let offset = start(of: reference)
    switch bytes[offset] & 0xF0 {
    case 0x50:
      let (start, count) = extent(at: offset)
      guard count > 0, text.utf8.count == count else { return count == 0 && text.isEmpty }
      var text = text
      return text.withUTF8 { text in
        bytes.withUnsafeBytes { own in
          guard let own = own.baseAddress, let text = text.baseAddress else { return false }
          return memcmp(own + start, text, count) == 0
        }
      }
    case 0x60: return self.text(of: reference) == text
    default: return false
    }
  }

  /// The text of a string, nil for any other object.
  func text(of reference: Int) -> String? {
    let offset = start(of: reference)
    switch bytes[offset] & 0xF0 {
    case 0x50:
      let (start, count) = extent(at: offset)
      return String(decoding: bytes[start..<start + count], as: UTF8.self)
    case 0x60:
      let (start, count) = extent(at: offset)
      return String(
        decoding: (0..<count).map { UInt16(truncatingIfNeeded: number(at: start + $0 * 2, size: 2)) }, as: UTF16.self)
    default: return nil
    }
  }

  /// The number of a reference inside a keyed archive, nil for any other object.
  func uid(of reference: Int) -> UInt64? {
    let offset = start(of: reference)
    guard bytes[offset] & 0xF0 == 0x80 else { return nil }
    return number(at: offset + 1, size: Int(bytes[offset] & 0x0F) + 1)
  }

  /// The value of an object that contains no others, nil for a container.
  func leaf(_ reference: Int) -> PropertyList? {
    let offset = start(of: reference)
    let size = 1 << Int(bytes[offset] & 0x0F)
    switch bytes[offset] & 0xF0 {
    case 0x00: return .boolean(bytes[offset] == 0x09)
    case 0x10: return integer(at: offset + 1, size: size)
    case 0x20 where size == 4: return .single(Float(bitPattern: UInt32(number(at: offset + 1, size: 4))))
    case 0x20: return .real(Double(bitPattern: number(at: offset + 1, size: 8)))
    case 0x30: return .date(Double(bitPattern: number(at: offset + 1, size: 8)))
    case 0x40:
      let (start, count) = extent(at: offset)
      return .data(Data(bytes[start..<start + count]))
    case 0x50, 0x60: return text(of: reference).map { .string($0) }
    case 0x80: return uid(of: reference).map { .uid($0) }
    default: return nil
    }
  }

  /// Where an object's bytes start and how many units it has: in its first byte, or as a number after it.
  func extent(at offset: Int) -> (start: Int, count: Int) {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (offset + 1, low) }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    return (offset + 2 + size, Int(number(at: offset + 2, size: size)))
  }

  private func start(of reference: Int) -> Int { Int(offset(of: reference)) }

  /// Numbers of 1, 2 and 4 bytes are unsigned, of 8 signed, of 16 what only an unsigned one of 8 can hold.
  private func integer(at offset: Int, size: Int) -> PropertyList {
    guard size == 16 else { return .integer(Int64(bitPattern: number(at: offset, size: size))) }
    let low = number(at: offset + 8, size: 8)
    return number(at: offset, size: 8) == 0 && low > UInt64(Int64.max)
      ? .unsigned(low) : .integer(Int64(bitPattern: low))
  }
}

/// Decodes complete binary property lists (`bplist00`).
struct BinaryPropertyListReader {
  private let table: BinaryPropertyListTable
  private var known: [Int: PropertyList] = [:]

  static func read(_ data: Data) throws(PropertyListError) -> PropertyList {
    let table = try BinaryPropertyListTable(data)
    return read(table.top, of: table)
  }

  static func read(_ reference: Int, of table: BinaryPropertyListTable) -> PropertyList {
    var reader = BinaryPropertyListReader(table: table)
    return reader.object(reference)
  }

  private init(table: BinaryPropertyListTable) { self.table = table }

  private mutating func object(_ reference: Int) -> PropertyList {
    if let decoded = known[reference] { return decoded }
    let decoded = table.leaf(reference) ?? container(reference)
    known[reference] = decoded
    return decoded
  }

  private mutating func container(_ reference: Int) -> PropertyList {
    if let elements = table.elements(of: reference) { return .array(elements.map { object($0) }) }
    var entries: [String: PropertyList] = [:]
    for (key, value) in table.entries(of: reference) ?? [] {
      if let key = table.text(of: key) { entries[key] = object(value) }
    }
    return .dictionary(entries)
  }
}
