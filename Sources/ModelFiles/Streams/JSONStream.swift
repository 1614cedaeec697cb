/// Reads a JSON file with only one value at a time in memory.
///
/// It enters objects and lists, and reads the values inside with ``JSONReader``.
package struct JSONStream {
  /// The maximum number of bytes of a single value.
  package static let valueSize = 1 << 28

  private let bytes: ByteStream
  private let depthLimit: Int

  package init(_ path: String, depthLimit: Int) throws(ModelFileError) {
    bytes = try ByteStream(path)
    self.depthLimit = depthLimit
  }

  /// The byte that the next value begins with, nil at the end of the file.
  package func start() throws -> UInt8? {
    while let byte = try bytes.peek(), Self.isSpace(byte) { bytes.skip() }
    return try bytes.peek()
  }

  /// The location of the next byte.
  package var location: SourceLocation { bytes.location }

  /// Enters an object.
  ///
  /// - Parameter body: called with each key; it must read the key's value, by this or another of these functions.
  package func forEachMember(_ body: (_ key: String, _ location: SourceLocation) throws -> Void) throws {
    try expect("{", "expected an object")
    if try take("}") { return }
    var keys: Set<String> = []
    while true {
      guard try start() == UInt8(ascii: "\"") else { throw syntax("expected a key in double quotes") }
      let location = bytes.location
      let key = try value().string()
      guard keys.insert(key).inserted else { throw JSONFileError(.duplicateKey(key), at: location) }
      try expect(":", "expected a colon after the key")
      try body(key, location)
      if try take("}") { return }
      try expect(",", "expected a comma or a closing brace")
    }
  }

  /// Enters a list.
  ///
  /// - Parameter body: called for each element, which it must read.
  package func forEachElement(_ body: () throws -> Void) throws {
    try expect("[", "expected a list")
    if try take("]") { return }
    while true {
      try body()
      if try take("]") { return }
      try expect(",", "expected a comma or a closing bracket")
    }
  }

  package func value() throws -> JSONNode {
    guard let first = try start() else { throw syntax("the text ends where a value is expected") }
    let location = bytes.location
    var text: [UInt8] = []
    var depth = 0
    var isText = false
    while let byte = try bytes.peek() {
      if isText {
        if byte == UInt8(ascii: "\\") {
          text.append(byte)
          bytes.skip()
          guard let escaped = try bytes.peek() else { break }
          text.append(escaped)
          bytes.skip()
          continue
        }
        if byte == UInt8(ascii: "\"") { isText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          guard depth <= depthLimit else { throw JSONFileError(.tooDeep(limit: depthLimit), at: bytes.location) }
        case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":"):
          if depth == 0 { return try read(text, location) }
          if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
        case _ where depth == 0 && Self.isSpace(byte): return try read(text, location)
        default: break
        }
      }
      text.append(byte)
      bytes.skip()
      guard text.count <= Self.valueSize else {
        throw JSONFileError(.wrongValue("a value has more than \(Self.valueSize) bytes"), at: location)
      }
      if depth == 0, !isText, [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) { break }
    }
    return try read(text, location)
  }

  package func finish() throws { guard try start() == nil else { throw syntax("the text continues after its end") } }

  private func read(_ text: [UInt8], _ location: SourceLocation) throws -> JSONNode {
    try JSONReader.read(text, from: location, depthLimit: depthLimit, valueLimit: .max)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private func take(_ character: Unicode.Scalar) throws -> Bool {
    guard try start() == UInt8(ascii: character) else { return false }
    bytes.skip()
    return true
  }

  private func expect(_ character: Unicode.Scalar, _ words: String) throws {
    guard try take(character) else { throw syntax(words) }
  }

  private func syntax(_ words: String) -> JSONFileError { JSONFileError(.syntax(words), at: bytes.location) }
}
