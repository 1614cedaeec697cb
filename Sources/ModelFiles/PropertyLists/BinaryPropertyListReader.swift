import Foundation

/// Decodes binary property lists (`bplist00`) within bounds: nothing a hostile file says is believed.
struct BinaryPropertyListReader {
  static let depthLimit = 128
  /// The most objects that a list may expand to, shared ones counted each time.
  static let objectLimit = 1_000_000

  private struct Decoded {
    var list: PropertyList
    var count: Int
    var height: Int
  }

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let offsetTable: Int
  private let objectCount: Int
  private var known: [Int: Decoded] = [:]
  private var open: Set<Int> = []

  static func read(_ data: Data) throws(PropertyListError) -> PropertyList {
    let bytes = Array(data)
    guard bytes.count >= 40, bytes.starts(with: "bplist0".utf8) else { throw .notAPropertyList }
    var reader = try BinaryPropertyListReader(bytes)
    let top = bigEndian(bytes[(bytes.count - 16)..<(bytes.count - 8)])
    return try reader.object(top, depth: 0).list
  }

  private init(_ bytes: [UInt8]) throws(PropertyListError) {
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = Self.bigEndian(bytes[(trailer + 8)..<(trailer + 16)])
    let table = Self.bigEndian(bytes[(trailer + 24)...])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= UInt64(trailer),
      table >= 8, table <= UInt64(trailer),
      count * UInt64(offsetSize) <= UInt64(trailer) - table
    else { throw .truncated(offset: UInt64(trailer)) }
    objectCount = Int(count)
    offsetTable = Int(table)
  }

  private mutating func object(_ reference: UInt64, depth: Int) throws(PropertyListError) -> Decoded {
    guard reference < UInt64(objectCount) else { throw .truncated(offset: reference) }
    let index = Int(reference)
    if let decoded = known[index] {
      guard depth + decoded.height <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
      return decoded
    }
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    guard open.insert(index).inserted else { throw .cycle }
    let entry = offsetTable + index * offsetSize
    let offset = Self.bigEndian(bytes[entry..<entry + offsetSize])
    guard offset >= 8, offset < UInt64(offsetTable) else { throw .truncated(offset: offset) }
    let decoded = try decode(at: Int(offset), depth: depth)
    open.remove(index)
    known[index] = decoded
    return decoded
  }

  private mutating func decode(at offset: Int, depth: Int) throws(PropertyListError) -> Decoded {
    let marker = bytes[offset]
    if marker & 0xF0 == 0xA0 || marker & 0xF0 == 0xD0 { return try container(at: offset, depth: depth) }
    return Decoded(list: try leaf(at: offset), count: 1, height: 1)
  }

  private func leaf(at offset: Int) throws(PropertyListError) -> PropertyList {
    let (marker, low) = (bytes[offset], Int(bytes[offset] & 0x0F))
    switch marker & 0xF0 {
    case 0x00 where marker == 0x08: return .boolean(false)
    case 0x00 where marker == 0x09: return .boolean(true)
    case 0x10 where low <= 4: return try integer(at: offset + 1, size: 1 << low)
    case 0x20 where low == 2: return .single(Float(bitPattern: UInt32(try number(at: offset + 1, size: 4))))
    case 0x20 where low == 3: return .real(Double(bitPattern: try number(at: offset + 1, size: 8)))
    case 0x30 where low == 3: return .date(Double(bitPattern: try number(at: offset + 1, size: 8)))
    case 0x40:
      let (start, count) = try extent(at: offset)
      return .data(Data(try slice(start, count: count)))
    case 0x50:
      let (start, count) = try extent(at: offset)
      let text = try slice(start, count: count)
      guard text.allSatisfy({ $0 < 0x80 }) else { throw .invalidText }
      return .string(String(decoding: text, as: UTF8.self))
    case 0x60: return .string(try wideText(at: offset))
    case 0x80 where low < 8: return .uid(try number(at: offset + 1, size: low + 1))
    default: throw .unknownMarker(marker, offset: UInt64(offset))
    }
  }

  /// Numbers of 1, 2 and 4 bytes are unsigned, of 8 signed, of 16 what only an unsigned one of 8 can hold.
  private func integer(at offset: Int, size: Int) throws(PropertyListError) -> PropertyList {
    guard size == 16 else { return .integer(Int64(bitPattern: try number(at: offset, size: size))) }
    let (high, low) = (try number(at: offset, size: 8), try number(at: offset + 8, size: 8))
    if high == 0, low > UInt64(Int64.max) { return .unsigned(low) }
    let value = Int64(bitPattern: low)
    guard high == (value < 0 ? .max : 0) else { throw .unknownMarker(0x14, offset: UInt64(offset)) }
    return .integer(value)
  }

  private func wideText(at offset: Int) throws(PropertyListError) -> String {
    let (start, count) = try extent(at: offset)
    guard count <= bytes.count / 2 else { throw .truncated(offset: UInt64(offset)) }
    let text = try slice(start, count: count * 2)
    let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    let string = String(decoding: units, as: UTF16.self)
    guard string.utf16.elementsEqual(units) else { throw .invalidText }
    return string
  }

  private mutating func container(at offset: Int, depth: Int) throws(PropertyListError) -> Decoded {
    let (start, count) = try extent(at: offset)
    let isDictionary = bytes[offset] & 0xF0 == 0xD0
    guard count <= objectLimitLeft, count <= bytes.count / referenceSize else {
      throw .truncated(offset: UInt64(offset))
    }
    _ = try slice(start, count: count * referenceSize * (isDictionary ? 2 : 1))
    var (total, height) = (1, 1)
    var elements: [PropertyList] = []
    elements.reserveCapacity(count)
    for position in 0..<(isDictionary ? count * 2 : count) {
      let reference = try number(at: start + position * referenceSize, size: referenceSize)
      let child = try object(reference, depth: depth + 1)
      elements.append(child.list)
      (total, height) = (total + child.count, max(height, child.height + 1))
      guard total <= Self.objectLimit else { throw .tooManyObjects(limit: Self.objectLimit) }
    }
    guard isDictionary else { return Decoded(list: .array(elements), count: total, height: height) }
    var entries: [String: PropertyList] = [:]
    for position in 0..<count {
      guard let key = elements[position].string else { throw .keyIsNoString }
      entries[key] = elements[count + position]
    }
    return Decoded(list: .dictionary(entries), count: total, height: height)
  }

  private var objectLimitLeft: Int { min(Self.objectLimit, bytes.count) }

  /// Where an object's bytes start and how many units it has: in the marker, or as a number after it.
  private func extent(at offset: Int) throws(PropertyListError) -> (start: Int, count: Int) {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 0x0F else { return (offset + 1, low) }
    guard offset + 1 < bytes.count, bytes[offset + 1] & 0xF0 == 0x10, bytes[offset + 1] & 0x0F <= 3 else {
      throw .truncated(offset: UInt64(offset))
    }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    let count = try number(at: offset + 2, size: size)
    guard count <= UInt64(bytes.count) else { throw .truncated(offset: UInt64(offset)) }
    return (offset + 2 + size, Int(count))
  }

  /// Bytes of an object; objects end where the table of offsets begins.
  private func slice(_ start: Int, count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= offsetTable, count <= offsetTable - start else {
      throw .truncated(offset: UInt64(clamping: start))
    }
    return bytes[start..<start + count]
  }

  private func number(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
    Self.bigEndian(try slice(offset, count: size))
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
