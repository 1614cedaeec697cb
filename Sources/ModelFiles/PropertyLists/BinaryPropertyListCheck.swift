/// Checks every object of a binary property list once before decoding: its position, its kind and its content.
package struct BinaryPropertyListCheck {
  static let depthLimit = 128
  /// The maximum number of objects in an expanded list; shared objects are counted each time.
  package static let objectLimit = 1_000_000
  private static let open: Int32 = -1

  private let table: BinaryPropertyListTable
  private let limit: Int
  /// How many objects each one expands to, itself included; 0 before it is known.
  private var counts: [Int32]
  /// How many levels each one has.
  private var heights: [UInt8]

  static func check(_ table: BinaryPropertyListTable, objectLimit: Int) throws(PropertyListError) {
    var check = BinaryPropertyListCheck(table, objectLimit: objectLimit)
    try check.object(table.top, depth: 0)
  }

  private init(_ table: BinaryPropertyListTable, objectLimit: Int) {
    self.table = table
    limit = min(objectLimit, Int(Int32.max))
    counts = Array(repeating: 0, count: table.objectCount)
    heights = Array(repeating: 0, count: table.objectCount)
  }

  private mutating func object(_ index: Int, depth: Int) throws(PropertyListError) {
    guard counts[index] != Self.open else { throw .cycle }
    guard depth + Int(max(heights[index], 1)) <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    guard counts[index] == 0 else { return }
    let offset = table.offset(of: index)
    guard offset >= 8, offset < UInt64(table.offsetTable) else { throw .truncated(offset: offset) }
    let kind = table.bytes[Int(offset)] & 0xF0
    guard kind == 0xA0 || kind == 0xD0 else {
      try leaf(at: Int(offset))
      (counts[index], heights[index]) = (1, 1)
      return
    }
    counts[index] = Self.open
    let (count, height) = try container(at: Int(offset), isDictionary: kind == 0xD0, depth: depth)
    (counts[index], heights[index]) = (Int32(count), UInt8(height))
  }

  private mutating func container(
    at offset: Int, isDictionary: Bool, depth: Int
  ) throws(PropertyListError) -> (count: Int, height: Int) {
    let (start, count) = try extent(at: offset)
    guard count <= min(limit, table.bytes.count), count <= table.bytes.count / table.referenceSize else {
      throw .truncated(offset: UInt64(offset))
    }
    let references = isDictionary ? count * 2 : count
    try require(start, references * table.referenceSize)
    var (total, height) = (1, 1)
    for position in 0..<references {
      let reference = table.reference(at: position, from: start)
      guard reference < UInt64(table.objectCount) else { throw .truncated(offset: reference) }
      let index = Int(reference)
      if counts[index] <= 0 || depth + 1 + Int(heights[index]) > Self.depthLimit {
        try object(index, depth: depth + 1)
      }
      (total, height) = (total + Int(counts[index]), max(height, Int(heights[index]) + 1))
      guard total <= limit else { throw .tooManyObjects(limit: limit) }
      if isDictionary, position < count {
        let kind = table.kind(of: index)
        guard kind == 0x50 || kind == 0x60 else { throw .keyIsNoString }
      }
    }
    return (total, height)
  }

  private func leaf(at offset: Int) throws(PropertyListError) {
    let (marker, low) = (table.bytes[offset], Int(table.bytes[offset] & 0x0F))
    switch marker & 0xF0 {
    case 0x00 where marker == 0x08 || marker == 0x09: return
    case 0x10 where low < 4: try require(offset + 1, 1 << low)
    case 0x10 where low == 4: try wideInteger(at: offset + 1)
    case 0x20 where low == 2: try require(offset + 1, 4)
    case 0x20 where low == 3, 0x30 where low == 3: try require(offset + 1, 8)
    case 0x40:
      let (start, count) = try extent(at: offset)
      try require(start, count)
    case 0x50:
      let (start, count) = try extent(at: offset)
      try require(start, count)
      guard table.bytes[start..<start + count].allSatisfy({ $0 < 0x80 }) else { throw .invalidText }
    case 0x60: try wideText(at: offset)
    case 0x80 where low < 8: try require(offset + 1, low + 1)
    default: throw .unknownMarker(marker, offset: UInt64(offset))
    }
  }

  private func wideInteger(at offset: Int) throws(PropertyListError) {
    try require(offset, 16)
    let (high, low) = (table.number(at: offset, size: 8), table.number(at: offset + 8, size: 8))
    if high == 0, low > UInt64(Int64.max) { return }
    guard high == (Int64(bitPattern: low) < 0 ? .max : 0) else { throw .unknownMarker(0x14, offset: UInt64(offset)) }
  }

  /// Checks text in UTF-16, which must not contain half of a surrogate pair.
  private func wideText(at offset: Int) throws(PropertyListError) {
    let (start, count) = try extent(at: offset)
    guard count <= table.bytes.count / 2 else { throw .truncated(offset: UInt64(offset)) }
    try require(start, count * 2)
    var isPairOpen = false
    for position in 0..<count {
      let unit = UInt16(truncatingIfNeeded: table.number(at: start + position * 2, size: 2))
      guard UTF16.isTrailSurrogate(unit) == isPairOpen else { throw .invalidText }
      isPairOpen = UTF16.isLeadSurrogate(unit)
    }
    guard !isPairOpen else { throw .invalidText }
  }

  private func extent(at offset: Int) throws(PropertyListError) -> (start: Int, count: Int) {
    let bytes = table.bytes
    if bytes[offset] & 0x0F == 0x0F {
      guard offset + 1 < bytes.count, bytes[offset + 1] & 0xF0 == 0x10, bytes[offset + 1] & 0x0F <= 3 else {
        throw .truncated(offset: UInt64(offset))
      }
      let size = 1 << Int(bytes[offset + 1] & 0x0F)
      try require(offset + 2, size)
      guard table.number(at: offset + 2, size: size) <= UInt64(bytes.count) else {
        throw .truncated(offset: UInt64(offset))
      }
    }
    return table.extent(at: offset)
  }

  /// Checks that the bytes of an object are before the table of offsets.
  private func require(_ start: Int, _ count: Int) throws(PropertyListError) {
    guard start >= 0, count >= 0, start <= table.offsetTable, count <= table.offsetTable - start else {
      throw .truncated(offset: UInt64(clamping: start))
    }
  }
}
