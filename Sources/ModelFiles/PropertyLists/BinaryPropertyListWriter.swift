import Foundation

/// Encodes a property list in the binary form, the same bytes for the same value: keys are sorted, nothing is shared
/// but equal leaves.
struct BinaryPropertyListWriter {
  private var bytes: [UInt8] = Array("bplist00".utf8)
  private var offsets: [Int] = []
  /// The numbers of the leaves by a hash of their bytes: two spellings of a text are not the same, and the hash of
  /// Foundation's `Data` is that of its first bytes.
  private var leaves: [Int: [Int]] = [:]
  private let referenceSize: Int

  static func write(_ list: PropertyList) -> Data {
    var writer = BinaryPropertyListWriter(referenceSize: width(of: UInt64(count(list))))
    let top = writer.append(list)
    let table = writer.bytes.count
    let offsetSize = width(of: UInt64(table))
    for offset in writer.offsets { writer.append(UInt64(offset), size: offsetSize) }
    writer.bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(writer.referenceSize)]
    for number in [writer.offsets.count, top, table] { writer.append(UInt64(number), size: 8) }
    return Data(writer.bytes)
  }

  private init(referenceSize: Int) {
    self.referenceSize = referenceSize
  }

  private static func count(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements): elements.reduce(1) { $0 + count($1) }
    case .dictionary(let entries): entries.values.reduce(1 + entries.count) { $0 + count($1) }
    default: 1
    }
  }

  private static func width(of number: UInt64) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private mutating func append(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements):
      let references = elements.map { append($0) }
      return appendContainer(0xA0, count: elements.count, references)
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { append(.string($0.key)) }
      let values = sorted.map { append($0.value) }
      return appendContainer(0xD0, count: entries.count, keys + values)
    default:
      let start = bytes.count
      appendLeaf(list)
      return number(ofLeafAt: start)
    }
  }

  /// The number of the leaf that was appended last, whose bytes go where an equal one is there already.
  private mutating func number(ofLeafAt start: Int) -> Int {
    let (hash, same) = sameLeaf(as: start)
    if let same {
      bytes.removeLast(bytes.count - start)
      return same
    }
    offsets.append(start)
    leaves[hash, default: []].append(offsets.count - 1)
    return offsets.count - 1
  }

  /// The hash of the last leaf, and the number of an earlier one with the same bytes.
  private func sameLeaf(as start: Int) -> (hash: Int, number: Int?) {
    let leaf = bytes[start...]
    var hasher = Hasher()
    leaf.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    return (hash, leaves[hash]?.first { bytes[offsets[$0]..<start].starts(with: leaf) })
  }

  private mutating func appendContainer(_ marker: UInt8, count: Int, _ references: [Int]) -> Int {
    offsets.append(bytes.count)
    appendMarker(marker, count: count)
    for reference in references { append(UInt64(reference), size: referenceSize) }
    return offsets.count - 1
  }

  private mutating func appendLeaf(_ list: PropertyList) {
    switch list {
    case .string(let text): appendText(text)
    case .integer(let number): appendInteger(number)
    case .unsigned(let number):
      bytes.append(0x14)
      append(0, size: 8)
      append(number, size: 8)
    case .real(let number):
      bytes.append(0x23)
      append(number.bitPattern, size: 8)
    case .single(let number):
      bytes.append(0x22)
      append(UInt64(number.bitPattern), size: 4)
    case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .date(let seconds):
      bytes.append(0x33)
      append(seconds.bitPattern, size: 8)
    case .data(let data):
      appendMarker(0x40, count: data.count)
      bytes += data
    case .uid(let number):
      let size = Self.width(of: number)
      bytes.append(0x80 | UInt8(size - 1))
      append(number, size: size)
    case .array, .dictionary: break
    }
  }

  private mutating func appendText(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x50, count: text.utf8.count)
      bytes += text.utf8
    } else {
      appendMarker(0x60, count: text.utf16.count)
      for unit in text.utf16 { append(UInt64(unit), size: 2) }
    }
  }

  private mutating func appendInteger(_ number: Int64) {
    let size = number < 0 ? 8 : Self.width(of: UInt64(number))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: number), size: size)
  }

  private mutating func appendMarker(_ marker: UInt8, count: Int) {
    if count < 0x0F {
      bytes.append(marker | UInt8(count))
    } else {
      bytes.append(marker | 0x0F)
      appendInteger(Int64(count))
    }
  }

  private mutating func append(_ number: UInt64, size: Int) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
