import Foundation

/// Reads JSON (RFC 8259) with the location of every key and value; a duplicate key is an error.
package struct JSONReader {
  /// The deepest that lists and objects may lie in each other.
  package static let depthLimit = 32
  /// The maximum number of values in a text.
  package static let valueLimit = 200_000

  private let bytes: [UInt8]
  private let file: String
  private let depthLimit: Int
  private let valueLimit: Int
  private let passed: Set<String>
  /// The key of the outermost object in whose object lists are given away.
  private var listsKey: String?
  private var element: (String, JSONNode) -> Void = { _, _ in }
  private var isInLists = false
  private var offset = 0
  private var mark = (offset: 0, line: 1, column: 1)
  private var count = 0

  /// Reads a file.
  package static func read(fileAt path: String) throws -> JSONNode {
    try read(Array(try FileBytes.read(path)), file: path)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8; a byte order mark in front is passed over.
  ///   - depthLimit: the maximum nesting of lists and objects.
  ///   - valueLimit: the maximum number of values in the text.
  ///   - passed: keys of the outermost object whose values must be well formed and are left out.
  package static func read(
    _ bytes: [UInt8], file: String, depthLimit: Int = Self.depthLimit, valueLimit: Int = Self.valueLimit,
    passing passed: Set<String> = []
  ) throws(JSONFileError) -> JSONNode {
    var reader = JSONReader(
      bytes: bytes, file: file, depthLimit: depthLimit, valueLimit: valueLimit, passing: passed)
    do {
      return try reader.document()
    } catch {
      if let marker = reader.conflictMarker { throw JSONFileError(.conflictMarkers(advice: nil), at: marker) }
      throw error
    }
  }

  /// Reads a text, and gives the elements of some lists away one by one, so that they need not be kept together.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8; a byte order mark in front is passed over.
  ///   - depthLimit: the maximum nesting of lists and objects.
  ///   - valueLimit: the maximum number of values in the text.
  ///   - key: a key of the outermost object; the lists that are members of its object have no elements then.
  ///   - element: takes the key of a list and an element.
  package static func read(
    _ bytes: [UInt8], file: String, depthLimit: Int, valueLimit: Int, listsOf key: String,
    element: @escaping (String, JSONNode) -> Void
  ) throws(JSONFileError) -> JSONNode {
    var reader = JSONReader(bytes: bytes, file: file, depthLimit: depthLimit, valueLimit: valueLimit)
    (reader.listsKey, reader.element) = (key, element)
    return try reader.document()
  }

  /// Reads a value that is a piece of a larger text.
  ///
  /// - Parameters:
  ///   - bytes: the piece in UTF-8.
  ///   - start: the location of its first byte in the text.
  ///   - depthLimit: the maximum nesting of lists and objects.
  ///   - valueLimit: the maximum number of values in the piece.
  package static func read(
    _ bytes: [UInt8], from start: SourceLocation, depthLimit: Int, valueLimit: Int
  ) throws(JSONFileError) -> JSONNode {
    var reader = JSONReader(bytes: bytes, file: start.file, depthLimit: depthLimit, valueLimit: valueLimit)
    reader.mark = (0, start.line, start.column)
    return try reader.document()
  }

  private init(bytes: [UInt8], file: String, depthLimit: Int, valueLimit: Int, passing passed: Set<String> = []) {
    (self.bytes, self.file, self.passed) = (bytes, file, passed)
    (self.depthLimit, self.valueLimit) = (depthLimit, valueLimit)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (offset, mark.offset) = (3, 3) }
  }

  private mutating func document() throws(JSONFileError) -> JSONNode {
    guard FileBytes.isUTF8(bytes) else {
      skipUTF8()
      throw syntax("the text is not UTF-8")
    }
    let node = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw syntax("the text continues after its end") }
    return node
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(JSONFileError) -> JSONNode {
    skipSpace()
    let location = here()
    guard let byte = next else { throw syntax("the text ends where a value is expected") }
    try countValue()
    switch byte {
    case UInt8(ascii: "{"):
      guard depth < depthLimit else { throw JSONFileError(.tooDeep(limit: depthLimit), at: location) }
      return JSONNode(value: .object(try members(depth: depth + 1)), location: location)
    case UInt8(ascii: "["):
      guard depth < depthLimit else { throw JSONFileError(.tooDeep(limit: depthLimit), at: location) }
      return JSONNode(value: .array(try elements(depth: depth + 1)), location: location)
    case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), location: location)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = offset
      let number = try self.number()
      let isExact = number.magnitude < JSONNode.exact
      let literal = isExact ? nil : String(decoding: bytes[start..<offset], as: UTF8.self)
      return JSONNode(value: .number(number), location: location, literal: literal)
    default: return JSONNode(value: try word(), location: location)
    }
  }

  private mutating func countValue() throws(JSONFileError) {
    count += 1
    guard count <= valueLimit else { throw JSONFileError(.tooManyValues(limit: valueLimit), at: here()) }
  }

  private mutating func members(depth: Int) throws(JSONFileError) -> [JSONMember] {
    offset += 1
    var members: [JSONMember] = []
    var keys: Set<String> = []
    if take(UInt8(ascii: "}")) { return [] }
    while true {
      skipSpace()
      let location = here()
      guard next == UInt8(ascii: "\"") else { throw syntax("expected a key in double quotes") }
      let key = try string()
      guard keys.insert(key).inserted else { throw JSONFileError(.duplicateKey(key), at: location) }
      guard take(UInt8(ascii: ":")) else { throw syntax("expected a colon after the key") }
      if depth == 1, passed.contains(key) {
        try pass(depth: depth)
      } else {
        if depth == 1 { isInLists = key == listsKey }
        let value = depth == 2 && isInLists ? try list(named: key) : try value(depth: depth)
        members.append(JSONMember(key: key, keyLocation: location, value: value))
      }
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { throw syntax("expected a comma or a closing brace") }
    }
  }

  private mutating func elements(depth: Int) throws(JSONFileError) -> [JSONNode] {
    offset += 1
    var elements: [JSONNode] = []
    if take(UInt8(ascii: "]")) { return [] }
    while true {
      elements.append(try value(depth: depth))
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw syntax("expected a comma or a closing bracket") }
    }
  }

  /// A list whose elements are given away.
  private mutating func list(named name: String) throws(JSONFileError) -> JSONNode {
    skipSpace()
    guard next == UInt8(ascii: "[") else { return try value(depth: 2) }
    let location = here()
    try countValue()
    offset += 1
    if take(UInt8(ascii: "]")) { return JSONNode(value: .array([]), location: location) }
    while true {
      element(name, try value(depth: 3))
      if take(UInt8(ascii: "]")) { return JSONNode(value: .array([]), location: location) }
      guard take(UInt8(ascii: ",")) else { throw syntax("expected a comma or a closing bracket") }
    }
  }

  /// Passes a value that must be well formed, and of which nothing is made; its keys are not compared.
  private mutating func pass(depth: Int) throws(JSONFileError) {
    skipSpace()
    let isObject = next == UInt8(ascii: "{")
    guard isObject || next == UInt8(ascii: "["), depth < depthLimit else {
      guard next == UInt8(ascii: "\"") else { return _ = try value(depth: depth) }
      try countValue()
      return try string { _ in }
    }
    try countValue()
    offset += 1
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if take(end) { return }
    while true {
      if isObject {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw syntax("expected a key in double quotes") }
        try string { _ in }
        guard take(UInt8(ascii: ":")) else { throw syntax("expected a colon after the key") }
      }
      try pass(depth: depth + 1)
      if take(end) { return }
      guard take(UInt8(ascii: ",")) else {
        throw syntax("expected a comma or a closing \(isObject ? "brace" : "bracket")")
      }
    }
  }

  private mutating func word() throws(JSONFileError) -> JSONNode.Value {
    let words: [(String, JSONNode.Value)] = [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
    for (word, value) in words where bytes[offset...].starts(with: word.utf8) {
      offset += word.utf8.count
      return value
    }
    throw syntax("expected a value")
  }

  private mutating func number() throws(JSONFileError) -> Double {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    let integer = digits()
    var isSound = integer > 0 && (integer == 1 || bytes[offset - integer] != UInt8(ascii: "0"))
    if next == UInt8(ascii: ".") {
      offset += 1
      isSound = digits() > 0 && isSound
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      isSound = digits() > 0 && isSound
    }
    guard isSound, offset - start <= 64, let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)),
      number.isFinite
    else { throw syntax("this is not a number") }
    return number
  }

  private mutating func digits() -> Int {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }

  // MARK: Strings

  private mutating func string() throws(JSONFileError) -> String {
    var text: ArraySlice<UInt8> = []
    try string { if text.isEmpty { text = $0 } else { text += $0 } }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a text and hands on its pieces, escapes replaced.
  private mutating func string(_ take: (ArraySlice<UInt8>) -> Void) throws(JSONFileError) {
    offset += 1
    while true {
      let end =
        bytes[offset...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 } ?? bytes.count
      if end > offset { take(bytes[offset..<end]) }
      offset = end
      switch next {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): take(try escape()[...])
      case nil: throw syntax("a string has no end")
      default: throw syntax("a string contains a control character")
      }
    }
  }

  private static let escapes: [UInt8: Character] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private mutating func escape() throws(JSONFileError) -> [UInt8] {
    offset += 1
    guard let byte = next else { throw syntax("a string has no end") }
    if let character = Self.escapes[byte] {
      offset += 1
      return Array(String(character).utf8)
    }
    guard byte == UInt8(ascii: "u") else { throw syntax("JSON does not have this escape") }
    var code = try codeUnit()
    if (0xD800..<0xDC00).contains(code), next == UInt8(ascii: "\\"),
      bytes.indices.contains(offset + 1), bytes[offset + 1] == UInt8(ascii: "u")
    {
      offset += 1
      let low = try codeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw syntax("half of a surrogate pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw syntax("half of a surrogate pair") }
    return Array(String(Character(scalar)).utf8)
  }

  /// The four digits after `\u`, from its `u`.
  private mutating func codeUnit() throws(JSONFileError) -> UInt32 {
    let digits = bytes.dropFirst(offset + 1).prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw syntax("expected four hexadecimal digits after \\u") }
    offset += 5
    return code
  }

  // MARK: Places

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Passes everything before the first byte that is not UTF-8.
  private mutating func skipUTF8() {
    var decoder = UTF8()
    var rest = bytes[offset...].makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest) { offset += Character(scalar).utf8.count }
  }

  /// Passes space and this byte; nothing when another follows.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func here() -> SourceLocation {
    while mark.offset < offset {
      if bytes[mark.offset] == UInt8(ascii: "\n") {
        (mark.line, mark.column) = (mark.line + 1, 1)
      } else if bytes[mark.offset] & 0xC0 != 0x80 {
        mark.column += 1
      }
      mark.offset += 1
    }
    return SourceLocation(file: file, line: mark.line, column: mark.column)
  }

  private mutating func syntax(_ problem: String) -> JSONFileError { JSONFileError(.syntax(problem), at: here()) }

  /// The first line that begins as git's conflict markers do; no line of JSON can.
  private var conflictMarker: SourceLocation? {
    let markers = ["<<<<<<< ", "||||||| ", ">>>>>>> "].map { Array($0.utf8) }
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where markers.contains(where: { line.starts(with: $0) }) {
      return SourceLocation(file: file, line: number + 1, column: 1)
    }
    return nil
  }
}
