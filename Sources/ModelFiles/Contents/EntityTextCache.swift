package import Foundation

/// The entities of versions that are read together by their text, which most versions have in common.
///
/// Of those that begin alike and are of one length the last one is remembered.
package final class EntityTextCache: @unchecked Sendable {
  /// An entity's text, its content, and its replacement for a parser.
  struct Known: Sendable {
    let text: [UInt8]
    let reading: LocatedDescription
    let substitute: [UInt8]
  }

  /// The most bytes of text that are remembered.
  private static let limit = 64 << 20
  private let lock = NSLock()
  private var known: [Int: Known] = [:]
  private var size = 0

  package init() {}

  func known(_ text: ArraySlice<UInt8>) -> Known? {
    let key = Self.key(text)
    guard let found = lock.withLock({ known[key] }), found.text.count == text.count else { return nil }
    let isSame = found.text.withUnsafeBytes { known in
      text.withUnsafeBytes { text in
        guard let known = known.baseAddress, let start = text.baseAddress else { return false }
        return memcmp(known, start, text.count) == 0
      }
    }
    return isSame ? found : nil
  }

  func add(_ text: ArraySlice<UInt8>, _ reading: LocatedDescription) {
    let entry = Known(text: Array(text), reading: reading, substitute: Self.substitute(for: text))
    let key = Self.key(text)
    lock.withLock {
      size += text.count - (known[key]?.text.count ?? 0)
      if size > Self.limit { (known, size) = ([:], text.count) }
      known[key] = entry
    }
  }

  private static func key(_ text: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(text.count)
    text.prefix(100).withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// An empty entity with the same number of lines and the same width of the last line.
  private static func substitute(for text: ArraySlice<UInt8>) -> [UInt8] {
    func padding(_ byte: Unicode.Scalar, _ count: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: byte), count: max(count, 0))
    }
    let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    let width = text[(end ?? text.startIndex)...].count { $0 & 0xC0 != 0x80 }
    guard let end else { return Array("<entity".utf8) + padding(" ", width - 9) + Array("/>".utf8) }
    let lines = text[..<end].count { $0 == UInt8(ascii: "\n") }
    return Array("<entity></entity".utf8) + padding("\n", lines) + padding(" ", width - 1) + Array(">".utf8)
  }
}

extension ContentsReader {
  /// The most bytes of a file whose entities are shared: no limit of the parser is within its reach.
  private static let sharedLimit = 4 << 20

  /// Reads the bytes of a version that is read together with others.
  ///
  /// - Parameter cache: the texts that the files share; nil for none.
  /// - Returns: the file as if it was read alone.
  /// - Throws: ``ModelFileError``, as if it was read alone.
  package static func read(
    _ data: Data, path: String, sharing cache: EntityTextCache?
  ) throws(ModelFileError) -> ModelFile {
    if let cache, data.count <= sharedLimit, let file = try? shared(data, path: path, cache) { return file }
    return try read(data, path: path)
  }

  /// Reads a file by a text that has substitutes for the entities that are known.
  ///
  /// - Returns: nil if the file must be read without the cache.
  private static func shared(
    _ data: Data, path: String, _ cache: EntityTextCache
  ) throws(ModelFileError) -> ModelFile? {
    let bytes = [UInt8](data)
    guard XMLEncoding(of: data) == .utf8, let ranges = EntityRanges.all(in: bytes) else { return nil }
    let known = ranges.map { cache.known(bytes[$0]) }
    var text: [UInt8] = []
    var starts: [Int] = []
    var end = 0
    for (range, known) in zip(ranges, known) {
      text += bytes[end..<range.lowerBound]
      starts.append(text.count)
      text += known?.substitute[...] ?? bytes[range]
      end = range.upperBound
    }
    text += bytes[end...]
    let root = try MarkupReader.read(Data(text), path: path)
    // Each is an element directly below the root, and there is no other; so its text means the same in every file.
    var cursor = LineCursor(text, file: path)
    let places = starts.map { cursor.startTag(before: $0) }
    guard root.children.filter({ $0.name == "entity" }).map(\.location) == places else { return nil }
    var position = 0
    return try file(of: root, path: path) { element throws(ModelFileError) in
      defer { position += 1 }
      if let known = known[position] { return known.reading }
      let reading = try LocatedDescription(element)
      cache.add(bytes[ranges[position]], reading)
      return reading
    }
  }
}

/// Finds the outermost elements called `entity` in a plain text: one of tags and characters, without namespaces.
private enum EntityRanges {
  /// The ranges of the elements, if the text is well-formed; nil for a text that is not plain or too large.
  static func all(in bytes: [UInt8]) -> [Range<Int>]? { bytes.withUnsafeBufferPointer { search($0) } }

  private static func search(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
    var ranges: [Range<Int>] = []
    var (depth, start, count) = (0, 0, 0)
    var position = bytes.starts(with: "<?xml ".utf8) ? bytes.next(">", from: 0) ?? 0 : 0
    while let tag = bytes.next("<", from: position) {
      position = tag + 1
      guard position < bytes.count, bytes[position] != UInt8(ascii: "!"), bytes[position] != UInt8(ascii: "?") else {
        return nil
      }
      let isEnd = bytes[position] == UInt8(ascii: "/")
      count += isEnd ? 0 : 1
      guard isEntity(bytes, at: isEnd ? position + 1 : position) else { continue }
      guard let end = bytes.next(">", from: position), isWhole(bytes[position..<end]) else { return nil }
      if depth == 0 { start = tag }
      if isEnd { depth -= 1 } else if bytes[end - 1] != UInt8(ascii: "/") { depth += 1 }
      guard depth >= 0 else { return nil }
      if depth == 0 { ranges.append(start..<end + 1) }
    }
    // A prefix that is bound around an entity would be part of what its text means.
    let head = String(decoding: bytes[..<(ranges.first?.lowerBound ?? 0)], as: UTF8.self)
    return depth == 0 && count <= MarkupReader.elementLimit && !head.contains("xmlns") ? ranges : nil
  }

  /// True if the name in a tag is `entity`.
  private static func isEntity(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    bytes.count > position + 6 && bytes[position] == UInt8(ascii: "e")
      && bytes[position..<position + 6].elementsEqual("entity".utf8) && " \t\r\n/>".utf8.contains(bytes[position + 6])
  }

  /// True for a tag up to a `>` that is surely not within quotes, and is its own.
  private static func isWhole(_ tag: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    tag.count { $0 == UInt8(ascii: "\"") } % 2 == 0 && !tag.contains { "'<".utf8.contains($0) }
  }
}
