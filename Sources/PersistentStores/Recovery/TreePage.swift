import Foundation

/// A page of a table's tree: a leaf with rows, or an interior page with child pages.
struct TreePage {
  let isLeaf: Bool
  /// The positions of the cells in the page.
  let cells: [Int]
  /// The number of cells that should be in the page but are outside it.
  let lostCells: Int
  /// The last child of an interior page.
  let lastChild: Int?

  /// Reads the header of a page; nil for a page of a different kind.
  ///
  /// - Parameter start: 100 in the first page of a file, after its header; 0 in other pages.
  init?(_ bytes: UnsafeRawBufferPointer, at start: Int, usableSize: Int) {
    guard bytes.count > start + 12 else { return nil }
    switch bytes[start] {
    case 0x0D: isLeaf = true
    case 0x05: isLeaf = false
    default: return nil
    }
    let head = isLeaf ? 8 : 12
    let count = Int(bytes.bigEndian(start + 3, UInt16.self) ?? 0)
    guard count <= usableSize / 4 else { return nil }
    let limit = min(usableSize, bytes.count)
    let first = start + head + 2 * count
    cells = (0..<count).compactMap { position in
      guard let place = bytes.bigEndian(start + head + 2 * position, UInt16.self).map(Int.init), place >= first,
        place + 4 <= limit
      else { return nil }
      return place
    }
    lostCells = count - cells.count
    // A page without any cell inside it is not a page of a tree.
    guard count == 0 || !cells.isEmpty || !isLeaf else { return nil }
    lastChild = isLeaf ? nil : bytes.bigEndian(start + 8, UInt32.self).map(Int.init)
  }

  /// The children of an interior page.
  func children(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    guard !isLeaf else { return [] }
    return cells.compactMap { bytes.bigEndian($0, UInt32.self).map(Int.init) } + [lastChild].compactMap { $0 }
  }
}

/// A value of a row as stored in its cell.
enum RecoveredValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  /// A text in UTF-8, or bytes that should be text.
  case text([UInt8])
  case blob([UInt8])
  /// A value that is not complete in the file.
  case lost

  var isText: Bool { if case .text = self { true } else { false } }
  var isBlob: Bool { if case .blob = self { true } else { false } }
  /// The bytes of a text; empty for another value.
  var bytes: [UInt8] { if case .text(let bytes) = self { bytes } else { [] } }
  /// True for a whole number or NULL.
  var isKey: Bool {
    switch self {
    case .null, .integer: true
    default: false
    }
  }
}

/// A row as stored in its cell.
struct RecoveredRow {
  let rowid: Int64
  let values: [RecoveredValue]

  /// True for a row of the shape that the rows of the schema have.
  var isOfSchema: Bool {
    guard values.count == 5, case .text(let type) = values[0] else { return false }
    return ["table", "index", "trigger", "view"].contains(String(decoding: type, as: UTF8.self)) && values[1].isText
  }

  func integer(_ position: Int) -> Int64? {
    guard position < values.count, case .integer(let number) = values[position] else { return nil }
    return number
  }
}

extension PageFile {
  /// Reads the row of a cell of a leaf; nil for bytes that are not a row.
  func row(_ page: UnsafeRawBufferPointer, at place: Int) -> RecoveredRow? {
    guard let size = page.variableInteger(place), let rowid = page.variableInteger(size.end),
      size.value > 0, size.value <= UInt64(numbers.count) * UInt64(pageSize), let count = Int(exactly: size.value)
    else { return nil }
    let payload = payload(page, rowid.end, count)
    guard let values = payload.withUnsafeBytes({ values(in: $0, count: count) }) else { return nil }
    return RecoveredRow(rowid: Int64(bitPattern: rowid.value), values: values)
  }

  /// The bytes of a record; the last bytes may be missing.
  private func payload(_ page: UnsafeRawBufferPointer, _ place: Int, _ count: Int) -> [UInt8] {
    let local = Self.localSize(of: count, usableSize: usableSize)
    let end = min(place + local, page.count)
    guard place < end else { return [] }
    var bytes = Array(page[place..<end])
    guard count > local, bytes.count == local else { return bytes }
    var next = Int(page.bigEndian(place + local, UInt32.self) ?? 0)
    let cell = Int(bitPattern: page.baseAddress) &+ place
    var last = 0
    while bytes.count < count {
      let overflow = self.page(next)
      guard next > 1, next != last, overflow.count > 4, overflowOwners[next] ?? cell == cell else { break }
      overflowOwners[next] = cell
      last = next
      let taken = min(count - bytes.count, usableSize - 4, overflow.count - 4)
      bytes += overflow[4..<4 + taken]
      guard taken == min(usableSize - 4, count - bytes.count + taken) else { break }
      next = Int(overflow.bigEndian(0, UInt32.self) ?? 0)
    }
    return bytes
  }

  /// The values of a record; nil if its header does not fit its size.
  private func values(in bytes: UnsafeRawBufferPointer, count: Int) -> [RecoveredValue]? {
    guard let header = bytes.variableInteger(0), header.value >= 1, header.value <= UInt64(count) else { return nil }
    let end = Int(header.value)
    guard end <= bytes.count else { return nil }
    var types: [UInt64] = []
    var place = header.end
    while place < end {
      guard let type = bytes.variableInteger(place), type.end <= end else { return nil }
      types.append(type.value)
      place = type.end
    }
    var sizes: [Int] = []
    var total = end
    for type in types {
      guard let size = Self.size(of: type) else { return nil }
      let (sum, overflows) = total.addingReportingOverflow(size)
      guard !overflows, sum <= count else { return nil }
      total = sum
      sizes.append(size)
    }
    guard total == count else { return nil }
    place = end
    return zip(types, sizes).map { type, size in
      defer { place += size }
      guard place + size <= bytes.count else { return .lost }
      return value(type, UnsafeRawBufferPointer(rebasing: bytes[place..<place + size]))
    }
  }

  private static func size(of type: UInt64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1, 2, 3, 4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 10, 11: nil
    default: Int(exactly: (type - 12) / 2)
    }
  }

  private func value(_ type: UInt64, _ bytes: UnsafeRawBufferPointer) -> RecoveredValue {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6:
      let sign: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
      return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
    case 7: return .real(Double(bitPattern: bytes.bigEndian(0, UInt64.self) ?? 0))
    case let type where type % 2 == 0: return .blob(Array(bytes))
    default:
      guard encoding != 1 else { return .text(Array(bytes)) }
      let text = String(bytes: bytes, encoding: encoding == 2 ? .utf16LittleEndian : .utf16BigEndian)
      return text.map { .text(Array($0.utf8)) } ?? .blob(Array(bytes))
    }
  }
}
