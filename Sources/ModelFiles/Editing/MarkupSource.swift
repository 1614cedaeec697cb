import Foundation

/// A well-formed document with the byte ranges of its elements, so that it can be edited in place.
struct MarkupSource {
  let bytes: [UInt8]
  let root: MarkupNode

  /// Looks through a document that a reader has accepted, which bounds its size and its depth.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8.
  ///   - encoding: the encoding of the bytes, where the declaration does not say it.
  init(_ data: Data, path: String, encoding: XMLEncoding? = nil) throws(ModelFileError) {
    bytes = Array(data)
    let encoding = encoding ?? XMLEncoding(of: data)
    guard encoding == .utf8 else { throw .notUTF8(path: path, encoding: encoding.name) }
    var scanner = MarkupScanner(bytes)
    do {
      root = try scanner.document()
    } catch {
      throw .notEditable(path: path)
    }
  }

  subscript(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}

/// A replacement of some bytes of a text.
struct ByteEdit {
  let range: Range<Int>
  let replacement: [UInt8]

  init(_ range: Range<Int>, _ replacement: some Sequence<UInt8>) {
    self.range = range
    self.replacement = Array(replacement)
  }

  /// The bytes with all edits made, which must not overlap.
  static func apply(_ edits: [ByteEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.replacement.count })
    var position = 0
    // What is inserted goes before what is replaced at the same place.
    let places = edits.indices.sorted { first, second in
      (edits[first].range.lowerBound, edits[first].range.upperBound, first)
        < (edits[second].range.lowerBound, edits[second].range.upperBound, second)
    }
    for edit in places.map({ edits[$0] })
    where edit.range.lowerBound >= position && edit.range.upperBound <= bytes.count {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }
}

/// An element of a document together with the bytes it is written in.
struct MarkupNode {
  struct Attribute {
    let name: String
    let value: String
    /// From the name to the closing quotation mark.
    let range: Range<Int>
    /// The bytes between the quotation marks.
    let valueRange: Range<Int>
  }

  let name: String
  let attributes: [Attribute]
  let children: [MarkupNode]
  /// From `<` to the last `>`.
  let range: Range<Int>
  /// From the first `<` to where attributes end.
  let head: Range<Int>
  /// The bytes between the tags; nil for an element that is closed at once.
  let content: Range<Int>?

  subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

  /// An attribute's value; nil if it is empty.
  func filled(_ attribute: String) -> String? { self[attribute].flatMap { $0.isEmpty ? nil : $0 } }

  /// The canonical name of an entity or property: its identifier, or its name if it has none.
  var canonicalName: String? { filled("renamingIdentifier") ?? filled("elementID") ?? filled("name") }
}

/// Finds the byte ranges of the elements and attributes of a well-formed document.
struct MarkupScanner {
  /// Something a model file has no need of, such as a document type.
  struct Unexpected: Error {}

  /// The most attributes of an element; Xcode writes fewer than thirty.
  private static let attributeLimit = 1000

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(Unexpected) -> MarkupNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      skipSpace()
      if try skipAside() { continue }
      return try element()
    }
  }

  /// An element from its `<`; the reader has bounded the nesting.
  private mutating func element() throws(Unexpected) -> MarkupNode {
    let start = position
    guard current == UInt8(ascii: "<") else { throw Unexpected() }
    position += 1
    let name = try name()
    var attributes: [MarkupNode.Attribute] = []
    var headEnd = position
    while true {
      skipSpace()
      guard let byte = current else { throw Unexpected() }
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
      guard attributes.count < Self.attributeLimit else { throw Unexpected() }
      attributes.append(try attribute())
      headEnd = position
    }
    if current == UInt8(ascii: "/") {
      position += 1
      guard current == UInt8(ascii: ">") else { throw Unexpected() }
      position += 1
      return MarkupNode(
        name: name, attributes: attributes, children: [], range: start..<position, head: start..<headEnd, content: nil)
    }
    position += 1
    let contentStart = position
    let children = try content()
    let content = contentStart..<position
    try skip(to: ">")
    return MarkupNode(
      name: name, attributes: attributes, children: children, range: start..<position, head: start..<headEnd,
      content: content)
  }

  /// The elements up to an end tag, at whose `<` it stops.
  private mutating func content() throws(Unexpected) -> [MarkupNode] {
    var children: [MarkupNode] = []
    while true {
      while let byte = current, byte != UInt8(ascii: "<") { position += 1 }
      if isNext("</") { return children }
      if try skipAside() { continue }
      children.append(try element())
    }
  }

  private mutating func attribute() throws(Unexpected) -> MarkupNode.Attribute {
    let start = position
    let name = try name()
    skipSpace()
    guard current == UInt8(ascii: "=") else { throw Unexpected() }
    position += 1
    skipSpace()
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw Unexpected() }
    position += 1
    let valueStart = position
    while let byte = current, byte != quote { position += 1 }
    guard current == quote else { throw Unexpected() }
    let valueRange = valueStart..<position
    position += 1
    return MarkupNode.Attribute(
      name: name, value: MarkupValue.decoded(bytes[valueRange]), range: start..<position, valueRange: valueRange)
  }

  private mutating func name() throws(Unexpected) -> String {
    let start = position
    while let byte = current, !Self.endsName(byte) { position += 1 }
    guard position > start else { throw Unexpected() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func endsName(_ byte: UInt8) -> Bool { isSpace(byte) || "=/><\"'".utf8.contains(byte) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() { while let byte = current, Self.isSpace(byte) { position += 1 } }

  /// Passes a comment, a processing instruction or a CDATA section; false when none begins here.
  private mutating func skipAside() throws(Unexpected) -> Bool {
    if isNext("<!--") {
      try skip(to: "-->")
    } else if isNext("<?") {
      try skip(to: "?>")
    } else if isNext("<![CDATA[") {
      try skip(to: "]]>")
    } else if isNext("<!") {
      throw Unexpected()
    } else {
      return false
    }
    return true
  }

  private func isNext(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func skip(to end: String) throws(Unexpected) {
    while position < bytes.count, !isNext(end) { position += 1 }
    guard position < bytes.count else { throw Unexpected() }
    position += end.utf8.count
  }
}

/// The value of an attribute as XML readers see it.
enum MarkupValue {
  /// References replaced, white space turned into spaces.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let raw = String(decoding: bytes, as: UTF8.self)
    guard raw.unicodeScalars.contains(where: { $0 == "&" || $0.value < 0x20 }) else { return raw }
    var text = ""
    var rest = Substring(raw).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "&", let end = rest.firstIndex(of: ";"), let meant = Self.scalar(String(rest[..<end])) {
        text.unicodeScalars.append(meant)
        rest = rest[rest.index(after: end)...]
      } else if scalar == "\r", rest.first == "\n" {
        continue
      } else {
        text.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
      }
    }
    return text
  }

  private static func scalar(_ reference: String) -> Unicode.Scalar? {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    if reference.hasPrefix("#x") { return UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) }
    return reference.hasPrefix("#") ? UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init) : nil
  }
}
