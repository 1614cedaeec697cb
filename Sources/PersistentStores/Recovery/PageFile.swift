import Foundation

/// The pages of an SQLite file that SQLite may refuse, including those in its write-ahead log.
///
/// Source: “Database File Format” of SQLite, parts 1 and 4.
final class PageFile {
  /// How many bytes a page has.
  let pageSize: Int
  /// The number of bytes per page that contain cells.
  let usableSize: Int
  /// The numbers of the existing pages; a log may have pages far after the end of a truncated file.
  let numbers: [Int]
  /// The encoding of texts: 1 for UTF-8, 2 and 3 for UTF-16.
  let encoding: UInt32
  /// True if the first 100 bytes are those of an SQLite file.
  let hasHeader: Bool
  /// The frames of the write-ahead log, and how many of them can be read; nil without a log.
  let log: (frames: Int, readable: Int)?

  /// The cells that overflow pages belong to, so that no page is read for two cells.
  var overflowOwners: [Int: Int] = [:]

  private let file: NSData
  private let logFile: NSData
  /// The positions of pages in the log.
  private let overlay: [Int: Int]

  /// Reads a file that no other process writes to.
  ///
  /// - Returns: nil if no page size fits the file.
  init?(path: String) {
    guard let file = try? NSData(contentsOfFile: path, options: .alwaysMapped) else { return nil }
    self.file = file
    logFile = (try? NSData(contentsOfFile: path + "-wal", options: .alwaysMapped)) ?? NSData()
    let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.length)
    let header = DatabaseHeader(Array(bytes.prefix(100)))
    hasHeader = header != nil
    let log = LogPages(UnsafeRawBufferPointer(start: logFile.bytes, count: logFile.length))
    guard let size = header?.pageSize ?? log?.pageSize ?? Self.guessedSize(of: bytes) else { return nil }
    pageSize = size
    let isUsed = log?.pageSize == size
    let pages = isUsed ? log?.pages ?? [:] : [:]
    overlay = pages
    self.log = log.map { ($0.frames, isUsed ? $0.readable : 0) }
    let reserved = header == nil ? 0 : Int(bytes[20])
    let usable = size - reserved >= 480 ? size - reserved : size
    // The number of bytes that another program reserves in each page may be damaged.
    let isRight = usable == size || Self.leaves(in: bytes, size, usable) >= Self.leaves(in: bytes, size, size)
    usableSize = isRight ? usable : size
    let found = (file.length + size - 1) / size
    numbers = Array(1..<found + 1) + pages.keys.filter { $0 > found }.sorted()
    let code = header == nil ? 1 : bytes.bigEndian(56, UInt32.self) ?? 1
    encoding = (1...3).contains(code) ? code : 1
  }

  /// The bytes of a page; fewer bytes if the file ends within the page, and no bytes if the page does not exist.
  func page(_ number: Int) -> UnsafeRawBufferPointer {
    guard number >= 1, number <= numbers.last ?? 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if let place = overlay[number] {
      return UnsafeRawBufferPointer(start: logFile.bytes + place, count: pageSize)
    }
    let start = (number - 1) * pageSize
    guard start < file.length else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: file.bytes + start, count: min(pageSize, file.length - start))
  }

  /// The unused pages: those of the freelist, and those that the pointer map marks as free.
  func freePages() -> Set<Int> {
    guard hasHeader else { return [] }
    let first = page(1)
    var free: Set<Int> = []
    var next = Int(first.bigEndian(32, UInt32.self) ?? 0)
    while next > 1, next <= numbers.last ?? 0, free.insert(next).inserted {
      let trunk = page(next)
      let count = min(Int(trunk.bigEndian(4, UInt32.self) ?? 0), usableSize / 4 - 2)
      for position in 0..<max(0, count) {
        let leaf = Int(trunk.bigEndian(8 + 4 * position, UInt32.self) ?? 0)
        if leaf > 1, leaf <= numbers.last ?? 0 { free.insert(leaf) }
      }
      next = Int(trunk.bigEndian(0, UInt32.self) ?? 0)
    }
    guard hasPointerMap else { return free }
    for number in numbers where mapEntry(ofPage: number)?.kind == 2 { free.insert(number) }
    return free
  }

  /// The parent of a page in the tree of a table or an index, by the pointer map; nil for a root or without a map.
  func parent(ofPage number: Int) -> Int? {
    guard let entry = mapEntry(ofPage: number), entry.kind == 5, entry.page > 1 else { return nil }
    return entry.page
  }

  /// True for a file with a pointer map.
  private var hasPointerMap: Bool { hasHeader && page(1).bigEndian(52, UInt32.self) ?? 0 > 0 }

  /// The kind of a page and its parent, from the pointer map.
  private func mapEntry(ofPage number: Int) -> (kind: UInt8, page: Int)? {
    guard number > 2, hasPointerMap else { return nil }
    let span = usableSize / 5 + 1
    let map = (number - 2) / span * span + 2
    let (entries, place) = (page(map), 5 * (number - map - 1))
    guard number != map, place < entries.count, let above = entries.bigEndian(place + 1, UInt32.self) else {
      return nil
    }
    return (entries[place], Int(above))
  }

  /// The page size of a file with a damaged header: the size at which most leaves have a row that ends at the page's
  /// end, because the first row of a page is put there.
  private static func guessedSize(of bytes: UnsafeRawBufferPointer) -> Int? {
    var best: (size: Int, count: Int)?
    for size in [4096, 1024, 2048, 8192, 16384, 32768, 65536, 512] {
      let count = leaves(in: bytes, size, size)
      if count > best?.count ?? 0 { best = (size, count) }
    }
    return best?.size
  }

  /// The number of leaves with a row that ends at the end of a page's usable part.
  private static func leaves(in bytes: UnsafeRawBufferPointer, _ size: Int, _ usableSize: Int) -> Int {
    let pages = min(bytes.count / size, 10_000)
    guard pages >= 2 else { return 0 }
    return (1..<pages).count { page in
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[page * size..<(page + 1) * size])
      guard let leaf = TreePage(bytes, at: 0, usableSize: usableSize), leaf.isLeaf else { return false }
      return leaf.cells.contains { end(ofCell: $0, in: bytes, usableSize: usableSize) == usableSize }
    }
  }

  /// The end of a row in a leaf; nil for bytes that are not a row.
  private static func end(ofCell place: Int, in bytes: UnsafeRawBufferPointer, usableSize: Int) -> Int? {
    guard let size = bytes.variableInteger(place), let rowid = bytes.variableInteger(size.end), size.value > 0,
      size.value < 1 << 31
    else { return nil }
    let local = localSize(of: Int(size.value), usableSize: usableSize)
    return rowid.end + local + (local < Int(size.value) ? 4 : 0)
  }

  /// The number of bytes of a record that are in its leaf.
  static func localSize(of count: Int, usableSize: Int) -> Int {
    guard count > usableSize - 35 else { return count }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rest = least + (count - least) % (usableSize - 4)
    return rest <= usableSize - 35 ? rest : least
  }
}

/// The committed pages of a write-ahead log.
private struct LogPages {
  let pageSize: Int
  /// The start of each page.
  private(set) var pages: [Int: Int] = [:]
  private(set) var frames = 0
  private(set) var readable = 0

  /// Reads a log up to the first incomplete frame; nil for a file that is not a log.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 32, let magic = bytes.bigEndian(0, UInt32.self), magic & ~1 == 0x377F_0682,
      let size = bytes.bigEndian(8, UInt32.self).map(Int.init), size >= 512, size <= 65536, size & (size - 1) == 0
    else { return nil }
    pageSize = size
    let isBigEndian = magic & 1 == 1
    var sum = Checksum()
    sum.add(UnsafeRawBufferPointer(rebasing: bytes[0..<24]), isBigEndian)
    frames = (bytes.count - 32) / (size + 24)
    guard sum.first == bytes.bigEndian(24, UInt32.self), sum.second == bytes.bigEndian(28, UInt32.self) else { return }
    var pending: [Int: Int] = [:]
    for frame in 0..<frames {
      let start = 32 + frame * (size + 24)
      guard bytes[start + 8..<start + 16].elementsEqual(bytes[16..<24]) else { return }
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 8]), isBigEndian)
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[start + 24..<start + 24 + size]), isBigEndian)
      guard sum.first == bytes.bigEndian(start + 16, UInt32.self),
        sum.second == bytes.bigEndian(start + 20, UInt32.self),
        let number = bytes.bigEndian(start, UInt32.self).map(Int.init), number > 0, number < 1 << 31
      else { return }
      pending[number] = start + 24
      // The last frame of a transaction has the size of the database.
      guard bytes.bigEndian(start + 4, UInt32.self) ?? 0 > 0 else { continue }
      pages.merge(pending) { _, new in new }
      pending = [:]
      readable = frame + 1
    }
  }

  private struct Checksum {
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer, _ isBigEndian: Bool) {
      for place in stride(from: 0, to: bytes.count - 7, by: 8) {
        let one = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let two = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        first = first &+ (isBigEndian ? one.bigEndian : one.littleEndian) &+ second
        second = second &+ (isBigEndian ? two.bigEndian : two.littleEndian) &+ first
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The number at a position; nil after the end.
  func bigEndian<Number: FixedWidthInteger>(_ place: Int, _ type: Number.Type) -> Number? {
    guard place >= 0, place + MemoryLayout<Number>.size <= count else { return nil }
    return Number(bigEndian: loadUnaligned(fromByteOffset: place, as: type))
  }

  /// A number of one to nine bytes, and the position after it; nil if it is truncated.
  func variableInteger(_ place: Int) -> (value: UInt64, end: Int)? {
    var value: UInt64 = 0
    for offset in 0..<9 {
      guard place >= 0, place + offset < count else { return nil }
      let byte = self[place + offset]
      if offset == 8 { return (value << 8 | UInt64(byte), place + 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (value, place + offset + 1) }
    }
    return nil
  }
}
