extension CloudKitSchema {
  /// The largest file that is read, in bytes.
  package static let byteLimit = 32 << 20
  /// The number of faults that are listed.
  private static let faultLimit = 20

  /// Reads the text of a schema.
  ///
  /// - Parameters:
  ///   - bytes: the content of a file that ends with `.ckdb`, or of a Markdown file with one code block that begins with
  ///     `DEFINE SCHEMA`.
  ///   - path: the path of the file, for errors; `.md` and `.markdown` are Markdown.
  /// - Returns: what could be read, and every fault; the schema is complete if there is none.
  public static func read(_ bytes: [UInt8], path: String) -> (schema: CloudKitSchema, faults: [CloudKitSchemaError]) {
    guard bytes.count <= byteLimit else {
      let fault = CloudKitSchemaError.Fault.tooLarge(bytes: bytes.count, limit: byteLimit)
      return (CloudKitSchema(), [CloudKitSchemaError(fault: fault, path: path, position: nil)])
    }
    var parser = SchemaParser(bytes, isMarkdown: isMarkdown(path))
    parser.parse()
    let faults = parser.faults.map { CloudKitSchemaError(fault: $0.fault, path: path, position: $0.position) }
    guard faults.count > faultLimit else { return (parser.schema, faults) }
    let more = CloudKitSchemaError(fault: .more(faults.count - faultLimit), path: path, position: nil)
    return (parser.schema, faults.prefix(faultLimit) + [more])
  }

  /// True for a file that can have a schema in a code block.
  package static func isMarkdown(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }
}

/// Reads the language of schemas, and goes on at the next record type after a fault.
private struct SchemaParser {
  private let bytes: [UInt8]
  /// The end of the text: of the file, or of the code block.
  private var end: Int
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var token = Token(.end, at: .init(line: 1, column: 1))
  private(set) var schema = CloudKitSchema()
  private(set) var faults: [(fault: CloudKitSchemaError.Fault, position: CloudKitSchema.Position?)] = []

  private typealias Position = CloudKitSchema.Position

  private struct Token {
    enum Kind: Hashable {
      /// A word or a number without quotation marks.
      case word
      case quoted
      case sign(UInt8)
      case end
    }

    let kind: Kind
    let position: CloudKitSchema.Position
    let text: String

    init(_ kind: Kind, _ text: String = "", at position: CloudKitSchema.Position) {
      (self.kind, self.text, self.position) = (kind, text, position)
    }

    /// True for a word in letters of any case.
    func isWord(_ word: String) -> Bool {
      kind == .word && text.utf8.count == word.utf8.count
        && zip(text.utf8, word.utf8).allSatisfy { $0 & 0xDF == $1 & 0xDF }
    }

    /// The case that the word names.
    func word<Words: CaseIterable & RawRepresentable<String>>(_: Words.Type) -> Words? {
      Words.allCases.first { isWord($0.rawValue) }
    }

    func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }

    /// The position after a word or a sign.
    var end: CloudKitSchema.Position {
      .init(line: position.line, column: position.column + (kind == .word ? text.unicodeScalars.count : 1))
    }

    /// The token as an error names it.
    var shown: String {
      switch kind {
      case .end: "the end of the text"
      case .sign(let byte): "“\(Character(Unicode.Scalar(byte)))”"
      case .word, .quoted: "“\(text.count > 60 ? text.prefix(60) + "…" : text[...])”"
      }
    }
  }

  /// A fault that ends the record type or the statement.
  private struct Stop: Error {}

  init(_ bytes: [UInt8], isMarkdown: Bool) {
    self.bytes = bytes
    end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (offset, lineStart) = (3, 3) }
    if isMarkdown { enterFence() }
  }

  // MARK: Markdown

  /// Restricts the text to the code block that begins with `DEFINE SCHEMA`.
  private mutating func enterFence() {
    var found: (start: Int, line: Int, end: Int)?
    var fence: (start: Int, line: Int, mark: UInt8)?
    var (start, number) = (offset, 1)
    while start < bytes.count {
      let stop = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let text = bytes[start..<stop].drop { $0 == 0x20 }
      if let mark = text.first, [UInt8(ascii: "`"), UInt8(ascii: "~")].contains(mark),
        text.prefix(3).elementsEqual(repeatElement(mark, count: 3)), fence.map({ $0.mark == mark }) ?? true
      {
        if let opened = fence {
          if beginsSchema(opened.start) {
            if found != nil {
              faults.append((.secondFence, Position(line: opened.line, column: 1)))
            } else {
              found = (opened.start, opened.line, start)
            }
          }
          fence = nil
        } else {
          fence = (min(stop + 1, bytes.count), number + 1, mark)
        }
      }
      (start, number) = (stop + 1, number + 1)
    }
    guard let found else {
      faults.append((.noFence, nil))
      end = offset
      return
    }
    (offset, lineStart, line, end) = (found.start, found.start, found.line, found.end)
  }

  private func beginsSchema(_ start: Int) -> Bool {
    let text = bytes[start...].drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return text.prefix(6).map { $0 & 0xDF }.elementsEqual("DEFINE".utf8)
  }

  // MARK: Statements

  mutating func parse() {
    guard faults.isEmpty else { return }
    if let place = invalid() {
      faults.append((.notUTF8, place))
      return
    }
    advance()
    if token.kind == .end, faults.isEmpty {
      faults.append((.empty, nil))
      return
    }
    do {
      try expect("DEFINE", "DEFINE SCHEMA")
      schema.start = token.end
      try expect("SCHEMA", "SCHEMA")
    } catch {
      recover()
    }
    while token.kind != .end {
      do {
        try statement()
      } catch {
        recover()
      }
    }
    schema.endsWithEmptyLine = bytes[..<end].suffix(3).filter { $0 != 0x0D }.suffix(2).elementsEqual([0x0A, 0x0A])
  }

  /// The first byte that is not UTF-8.
  private func invalid() -> Position? {
    guard String(validating: bytes[..<end], as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var iterator = bytes[..<end].makeIterator()
    var (line, column) = (1, 1)
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue("\n"): (line, column) = (line + 1, 1)
      case .scalarValue: column += 1
      case .error, .emptyInput: return Position(line: line, column: column)
      }
    }
  }

  private mutating func statement() throws(Stop) {
    if token.isSign(";") { return advance() }
    if token.isWord("CREATE") {
      advance()
      try expect("ROLE", "ROLE")
      schema.roles.append(try name("the name of a role").text)
    } else if token.isWord("RECORD") {
      advance()
      try expect("TYPE", "TYPE")
      try recordType()
    } else {
      throw fail("RECORD TYPE or CREATE ROLE")
    }
    if token.isSign(";") { return advance() }
    // A missing semicolon before the next statement, or at the end, is no fault.
    guard token.kind == .end || token.isWord("RECORD") || token.isWord("CREATE") else { throw fail("“;”") }
  }

  private mutating func recordType() throws(Stop) {
    let name = try name("the name of a record type")
    var type = CloudKitSchema.RecordType(name.text, position: name.position)
    var known: [String: Position] = [:]
    defer { add(type) }
    type.start = token.end
    try expect("(", "“(”")
    while !token.isSign(")") {
      try entry(of: &type, &known)
      if token.isSign(",") {
        advance()
      } else if !token.isSign(")") {
        throw fail("“,” or “)”")
      }
    }
    type.end = token.end
    advance()
  }

  private mutating func add(_ type: CloudKitSchema.RecordType) {
    if let position = type.position, let first = positions[type.name] {
      faults.append((.duplicate("the record type \(type.name)", first: first), position))
    } else {
      positions[type.name] = type.position
      schema.recordTypes.append(type)
    }
  }

  private var positions: [String: Position] = [:]

  private mutating func entry(
    of type: inout CloudKitSchema.RecordType, _ known: inout [String: Position]
  ) throws(Stop) {
    if token.isWord("GRANT") {
      advance()
      type.grants.append(try grant())
      return
    }
    let name = try name("the name of a field")
    let field = CloudKitSchema.Field(name.text, try dataType(), indexes: try indexes(), position: name.position)
    if let first = known[field.name] {
      faults.append((.duplicate("the field \(type.name).\(field.name)", first: first), name.position))
    } else {
      known[field.name] = name.position
      type.fields.append(field)
    }
  }

  private mutating func grant() throws(Stop) -> CloudKitSchema.Grant {
    var rights: [CloudKitSchema.Grant.Right] = []
    repeat {
      if !rights.isEmpty { advance() }
      guard let right = token.word(CloudKitSchema.Grant.Right.self) else { throw fail("READ, CREATE or WRITE") }
      rights.append(right)
      advance()
    } while token.isSign(",")
    try expect("TO", "TO")
    return .init(rights, to: try name("the name of a role").text)
  }

  private mutating func dataType() throws(Stop) -> CloudKitSchema.DataType {
    guard token.isWord("LIST") else { return try primitive() }
    advance()
    try expect("<", "“<”")
    var type = try primitive()
    type.isList = true
    try expect(">", "“>”")
    return type
  }

  private mutating func primitive() throws(Stop) -> CloudKitSchema.DataType {
    let isEncrypted = token.isWord("ENCRYPTED")
    if isEncrypted { advance() }
    guard let kind = token.word(CloudKitSchema.DataType.Kind.self),
      !isEncrypted || ![.asset, .reference, .number].contains(kind)
    else { throw fail(isEncrypted ? "a data type that can be encrypted" : "a data type") }
    advance()
    var type = CloudKitSchema.DataType(kind, isEncrypted: isEncrypted)
    if kind == .number, token.isWord("PREFERRED") {
      advance()
      try expect("AS", "AS")
      guard let preferred = token.word(CloudKitSchema.DataType.Kind.self), [.int64, .double].contains(preferred)
      else { throw fail("INT64 or DOUBLE") }
      advance()
      type.preferred = preferred
    }
    return type
  }

  private mutating func indexes() throws(Stop) -> [CloudKitSchema.Index] {
    var indexes: [CloudKitSchema.Index] = []
    while token.kind == .word {
      guard let index = token.word(CloudKitSchema.Index.self), !indexes.contains(index) else {
        throw fail("QUERYABLE, SORTABLE, SEARCHABLE, “,” or “)”")
      }
      indexes.append(index)
      advance()
    }
    return indexes
  }

  // MARK: Tokens

  private mutating func name(_ expected: String) throws(Stop) -> Token {
    let name = token
    guard name.kind == .word || name.kind == .quoted && !name.text.isEmpty else { throw fail(expected) }
    advance()
    return name
  }

  private mutating func expect(_ text: String, _ expected: String) throws(Stop) {
    let isFound = text.unicodeScalars.first.map { token.isSign($0) } ?? false
    guard isFound || token.isWord(text) else { throw fail(expected) }
    advance()
  }

  private mutating func fail(_ expected: String) -> Stop {
    // An unclosed comment or a name in another script is a fault already.
    if (token.kind != .end || faults.isEmpty) && faults.last?.position != token.position {
      faults.append((.unexpected(token.shown, expected: expected), token.position))
    }
    return Stop()
  }

  /// Goes on at the next record type.
  private mutating func recover() {
    while token.kind != .end {
      if token.isWord("RECORD") {
        let (saved, place) = (token, (offset, line, lineStart))
        advance()
        if token.isWord("TYPE") {
          (offset, line, lineStart) = place
          token = saved
          return
        }
      } else {
        advance()
      }
    }
  }

  /// A position on the current line, counted on from the last one, as a line can be as long as the file.
  private mutating func position(_ offset: Int) -> Position {
    if counted.line != line || counted.offset > offset { counted = (line, lineStart, 1) }
    counted.column += bytes[counted.offset..<offset].count { $0 & 0xC0 != 0x80 }
    counted.offset = offset
    return Position(line: line, column: counted.column)
  }

  private var counted = (line: 0, offset: 0, column: 1)

  private mutating func advance() {
    skipSpace()
    let start = offset
    let place = position(start)
    guard start < end else {
      token = Token(.end, at: place)
      return
    }
    switch bytes[start] {
    case UInt8(ascii: "\""):
      // A name has no control characters.
      guard let close = bytes[(start + 1)..<end].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 < 0x20 }),
        bytes[close] >= 0x20
      else {
        faults.append((.unclosed("the name in quotation marks"), place))
        offset = end
        token = Token(.end, at: place)
        return
      }
      token = Token(.quoted, String(decoding: bytes[(start + 1)..<close], as: UTF8.self), at: place)
      offset = close + 1
    case let byte where Self.isWord(byte):
      offset = bytes[start..<end].firstIndex { !Self.isWord($0) } ?? end
      token = Token(.word, String(decoding: bytes[start..<offset], as: UTF8.self), at: place)
    case let byte where byte < 0x80:
      offset = start + 1
      token = Token(.sign(byte), at: place)
    default:
      // A name of another script, as one word, so that the error names it.
      offset = bytes[start..<end].firstIndex { $0 < 0x80 && !Self.isWord($0) } ?? end
      token = Token(.quoted, "", at: place)
      faults.append(
        (
          .unexpected(
            "“\(String(decoding: bytes[start..<offset].prefix(120), as: UTF8.self))”", expected: "a name in ASCII"),
          place
        ))
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    CloudKitSchema.isLetter(byte) || CloudKitSchema.isDigit(byte) || byte == 0x5F
  }

  /// Skips white space and comments.
  private mutating func skipSpace() {
    while offset < end {
      switch bytes[offset] {
      case 0x0A:
        offset += 1
        (line, lineStart) = (line + 1, offset)
        if isConflict() { return faultInConflict() }
      case 0x20, 0x09, 0x0D: offset += 1
      case UInt8(ascii: "/") where next == UInt8(ascii: "/"), UInt8(ascii: "-") where next == UInt8(ascii: "-"):
        offset = bytes[offset..<end].firstIndex(of: 0x0A) ?? end
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        let start = position(offset)
        offset += 2
        while offset < end, !(bytes[offset] == UInt8(ascii: "*") && next == UInt8(ascii: "/")) {
          if bytes[offset] == 0x0A { (line, lineStart) = (line + 1, offset + 1) }
          offset += 1
        }
        guard offset < end else {
          faults.append((.unclosed("the comment"), start))
          return
        }
        offset += 2
      default: return
      }
    }
  }

  private var next: UInt8? { offset + 1 < end ? bytes[offset + 1] : nil }

  private func isConflict() -> Bool {
    [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")].contains { mark in
      bytes[offset..<end].prefix(7).elementsEqual(repeatElement(mark, count: 7))
    }
  }

  /// Reports markers of a conflict once, and leaves the rest unread.
  private mutating func faultInConflict() {
    faults.append((.conflict, position(offset)))
    offset = end
  }
}
