import Foundation

/// Encodes a property list in the binary form, the same bytes for the same value: keys are sorted, nothing is shared
/// but equal leaves.
struct BinaryPropertyListWriter {
  private var bytes: [UInt8] = Array("bplist00".utf8)
  private var offsets: [Int] = []
  private var leaves = BinaryPropertyListLeaves()
  /// The numbers of references inside an archive and one, by what they refer to; 0 where there is none yet.
  private var references: [UInt32] = []
  private let referenceSize: Int

  static func write(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter(referenceSize: width(of: UInt64(count(list))))
    let top = writer.append(list)
    return writer.end(top: top)
  }

  /// Encodes a keyed archive, as the property list that it is.
  static func write(_ table: ArchivedTable, roots: [String: PropertyList]) -> [UInt8] {
    // The list, its four names, the name of the archiver, the array of objects, and the version.
    let total = (0..<table.count).reduce(8 + count(.dictionary(roots))) { $0 + count(table[$1]) }
    var writer = BinaryPropertyListWriter(referenceSize: width(of: UInt64(total)))
    // Room that is not used takes no memory, and what grows step by step is there twice at each step.
    writer.bytes.reserveCapacity(3 * table.size)
    let names = ["$archiver", "$objects", "$top", "$version"].map { writer.append(.string($0)) }
    let archiver = writer.append(.string("NSKeyedArchiver"))
    let objects = writer.append(table)
    let values = [archiver, objects, writer.append(.dictionary(roots)), writer.append(.integer(100_000))]
    let top = writer.appendContainer(0xD0, count: names.count, names + values)
    return writer.end(top: top)
  }

  private mutating func end(top: Int) -> [UInt8] {
    let table = bytes.count
    let offsetSize = Self.width(of: UInt64(table))
    bytes.reserveCapacity(table + offsets.count * offsetSize + 32)
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [offsets.count, top, table] { append(UInt64(number), size: 8) }
    return bytes
  }

  private init(referenceSize: Int) { self.referenceSize = referenceSize }

  private static func count(_ list: PropertyList) -> Int {
    switch list {
    case .array(let elements): elements.reduce(1) { $0 + count($1) }
    case .dictionary(let entries): entries.values.reduce(1 + entries.count) { $0 + count($1) }
    default: 1
    }
  }

  private static func count(_ object: ArchivedTable.Object) -> Int {
    switch object {
    case .value(let list): count(list)
    case .fields(_, let values): values.reduce(1 + values.count) { $0 + count($1) }
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
    // Those far beyond what is there are found as other leaves are: a hostile list must not ask for the memory.
    case .uid(let number) where number <= 2 * UInt64(offsets.count) + 64: return append(reference: Int(number))
    default: return append(leaf: list)
    }
  }

  private mutating func append(leaf: PropertyList) -> Int {
    let start = bytes.count
    appendLeaf(leaf)
    return number(ofLeafAt: start)
  }

  /// Most leaves of an archive are references, which are known by their numbers.
  private mutating func append(reference: Int) -> Int {
    if reference >= references.count {
      references += repeatElement(0, count: max(reference + 1 - references.count, references.count))
    }
    if references[reference] > 0 { return Int(references[reference]) - 1 }
    let start = bytes.count
    appendLeaf(.uid(UInt64(reference)))
    // It is no leaf that others could be equal to, as all are found here from now on.
    let number = number(ofLeafAt: start, isKept: false)
    references[reference] = UInt32(clamping: number + 1)
    return number
  }

  private mutating func append(_ table: ArchivedTable) -> Int {
    var names = [[Int]?](repeating: nil, count: table.names.count)
    let objects = (0..<table.count).map { object -> Int in
      switch table[object] {
      case .value(let list): return append(list)
      case .fields(let number, let fields):
        let known = names[number] ?? table.names[number].map { append(.string($0)) }
        names[number] = known
        let values = fields.map { append($0) }
        return appendContainer(0xD0, count: known.count, known + values)
      }
    }
    return appendContainer(0xA0, count: objects.count, objects)
  }

  /// The number of the leaf that was appended last, whose bytes go where an equal one is there already.
  private mutating func number(ofLeafAt start: Int, isKept: Bool = true) -> Int {
    let number = offsets.count
    let found = bytes.withUnsafeBytes { bytes in
      leaves.number(ofLeaf: start..<bytes.count, in: bytes, offsets: offsets, orElse: number, isKept: isKept)
    }
    if found == number { offsets.append(start) } else { bytes.removeLast(bytes.count - start) }
    return found
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

/// The leaves that a binary property list has so far, by their bytes: two spellings of a text are not the same leaf.
///
/// A list may have millions, so that they lie in one array, at the place that their hash gives or the next free one.
struct BinaryPropertyListLeaves {
  /// The upper half of a leaf's hash and, in the lower half, its number and one; 0 where none is.
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var count = 0

  /// Finds a leaf with the same bytes, or adds this one.
  ///
  /// - Parameters:
  ///   - leaf: the range of its bytes.
  ///   - offsets: the offset of each object of the list, by number.
  ///   - number: the number of a new leaf.
  ///   - isKept: false to leave a new leaf out.
  /// - Returns: the number of the equal leaf, or the new one.
  mutating func number(
    ofLeaf leaf: Range<Int>, in bytes: UnsafeRawBufferPointer, offsets: [Int], orElse number: Int, isKept: Bool
  ) -> Int {
    let own = UnsafeRawBufferPointer(rebasing: bytes[leaf])
    var hasher = Hasher()
    hasher.combine(bytes: own)
    let hash = UInt64(UInt(bitPattern: hasher.finalize())) & Self.hashMask
    var slot = place(of: hash)
    while slots[slot] != 0 {
      if slots[slot] & Self.hashMask == hash {
        let other = Int(slots[slot] & ~Self.hashMask) - 1
        // Every leaf says where it ends, so that one is never the beginning of another.
        if bytes[offsets[other]..<leaf.lowerBound].starts(with: own) { return other }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    guard isKept else { return number }
    slots[slot] = hash | UInt64(number + 1)
    count += 1
    if count * 2 > slots.count { grow() }
    return number
  }

  private static let hashMask: UInt64 = 0xFFFF_FFFF_0000_0000

  private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    for entry in old where entry != 0 {
      var slot = place(of: entry & Self.hashMask)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
