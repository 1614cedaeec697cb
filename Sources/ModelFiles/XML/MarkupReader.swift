import CLibXML2
package import Foundation

/// Reads XML text into a tree, through libxml2, without loading other files or expanding entities.
package enum MarkupReader {
  /// The deepest nesting of elements that is read.
  static let depthLimit = 100
  package static let elementLimit = 100_000
  /// The maximum number of attributes of an element, as libxml2 compares each name with all names before it.
  static let attributeLimit = 500
  /// The most bytes of a tag without its values.
  static let tagLimit = 32 << 10

  /// The library wants to be set up once, before threads use it.
  static let isReady: Void = xmlInitParser()

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8, UTF-16, ISO-8859-1 or windows-1252, as ``XMLEncoding`` finds it.
  ///   - byteLimit: the most bytes.
  ///   - elementLimit: the most elements.
  package static func read(
    _ data: Data, path: String, byteLimit: Int = FileBytes.limit, elementLimit: Int = elementLimit
  ) throws(ModelFileError) -> MarkupElement {
    let bytes = try utf8(data, path: path, byteLimit: byteLimit)
    return try read(bytes, path: path, elementLimit: elementLimit)
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8, as ``utf8(_:path:byteLimit:)`` gives it.
  ///   - child: takes an element directly inside of the root, which is left out then; false to keep it.
  package static func read(
    _ bytes: [UInt8], path: String, elementLimit: Int, child: @escaping (MarkupElement) -> Bool = { _ in false }
  ) throws(ModelFileError) -> MarkupElement {
    let session = MarkupSession(bytes, path: path, elementLimit: elementLimit, child: child)
    if let excess = TagExcess(in: bytes) { throw excess.error(session.cursor, path) }
    session.run(bytes)
    if let failure = session.failure {
      if case .syntax = failure, let marker = session.cursor.conflictMarker { throw .conflictMarkers(location: marker) }
      throw failure
    }
    guard let root = session.root else {
      throw .syntax(location: SourceLocation(file: path, line: 1, column: 1), message: "the file has no element")
    }
    return root
  }

  /// The text of a document in UTF-8 without a byte order mark, if it has no more bytes than the limit.
  package static func utf8(_ data: Data, path: String, byteLimit: Int) throws(ModelFileError) -> [UInt8] {
    guard !data.isEmpty else { throw .empty(path: path) }
    guard data.count <= byteLimit else { throw .tooLarge(path: path, what: "its size in bytes", limit: byteLimit) }
    guard !data.starts(with: Data("bplist".utf8)) else { throw .propertyListInsteadOfXML(path: path) }
    _ = isReady
    return try utf8(data, path: path)
  }

  /// The text in UTF-8 without a byte order mark.
  static func utf8(_ data: Data, path: String) throws(ModelFileError) -> [UInt8] {
    let encoding = XMLEncoding(of: data)
    if encoding == .utf8, !data.starts(with: [0xEF, 0xBB, 0xBF]) {
      let bytes = Array(data)
      if !bytes.isEmpty, FileBytes.isUTF8(bytes) { return bytes }
    }
    guard let body = encoding.text(of: data) else {
      let place =
        encoding == .utf8
        ? XMLEncoding.firstInvalid(in: data, file: path) : SourceLocation(file: path, line: 1, column: 1)
      throw .syntax(location: place, message: "the text is not \(encoding.name)")
    }
    guard !body.isEmpty else { throw .empty(path: path) }
    return Array(body.utf8)
  }
}

/// A start tag with more attributes or more bytes than are read, found before the parser gets the text.
private struct TagExcess {
  let position: Int
  let what: String
  /// Nil for declarations, which are not read.
  let limit: Int?

  /// Looks through a text for the first such tag; what is not well-formed is left to the parser.
  init?(in bytes: [UInt8]) {
    let found = bytes.withUnsafeBufferPointer { Self.search($0) }
    guard let found else { return nil }
    self = found
  }

  private init(_ position: Int, _ what: String = "", _ limit: Int? = nil) {
    (self.position, self.what, self.limit) = (position, what, limit)
  }

  private static func search(_ bytes: UnsafeBufferPointer<UInt8>) -> TagExcess? {
    var position = 0
    while let start = bytes.next("<", from: position) {
      let rest = bytes[start...]
      if rest.starts(with: "<!--".utf8) {
        position = end("-->", in: bytes, from: start + 4)
      } else if rest.starts(with: "<![CDATA[".utf8) {
        position = end("]]>", in: bytes, from: start + 9)
      } else if rest.starts(with: "<?".utf8) {
        position = end("?>", in: bytes, from: start + 2)
      } else if rest.starts(with: "<!".utf8) {
        // The declarations inside of a document type have quotes of their own, by which tags could be hidden.
        guard let end = endOfType(in: bytes, from: start + 2) else { return TagExcess(start) }
        position = end
      } else {
        let tag = Tag(bytes, from: start)
        if tag.attributes > MarkupReader.attributeLimit {
          return TagExcess(start, "the number of attributes of an element", MarkupReader.attributeLimit)
        }
        if tag.length > MarkupReader.tagLimit {
          return TagExcess(start, "the size of a tag without its values in bytes", MarkupReader.tagLimit)
        }
        position = tag.end
      }
    }
    return nil
  }

  /// A tag as far as a limit is passed, with the attributes counted by their values.
  private struct Tag {
    var attributes = 0
    var length = 0
    var end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
      end = start + 1
      while end < bytes.count, attributes <= MarkupReader.attributeLimit, length <= MarkupReader.tagLimit {
        let byte = bytes[end]
        end += 1
        if byte == UInt8(ascii: ">") { break }
        length += 1
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
        attributes += 1
        while end < bytes.count, bytes[end] != byte { end += 1 }
        end += 1
      }
    }
  }

  /// The position after the end of a part without tags; the end of the text if the part is not closed.
  private static func end(_ mark: String, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var position = start
    while let found = bytes.next(Unicode.Scalar(mark[0]), from: position) {
      if bytes[found...].starts(with: mark) { return found + mark.count }
      position = found + 1
    }
    return bytes.count
  }

  /// The position after a document type; nil if it has declarations inside.
  private static func endOfType(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      let byte = bytes[position]
      guard byte != UInt8(ascii: "[") else { return nil }
      position += 1
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else { continue }
      while position < bytes.count, bytes[position] != byte { position += 1 }
      position += 1
    }
    return position + 1
  }

  func error(_ cursor: LineCursor, _ path: String) -> ModelFileError {
    var cursor = cursor
    let place = cursor.startTag(before: position)
    guard let limit else {
      return .syntax(
        location: place, message: "the document type has declarations; entity declarations are not accepted")
    }
    return .tooLarge(path: path, what: "\(what) in line \(place.line)", limit: limit)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The position of the next such byte.
  func next(_ byte: Unicode.Scalar, from start: Int) -> Int? {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, Int32(byte.value), count - start)
    else { return nil }
    return UnsafeRawPointer(base).distance(to: found)
  }
}

/// Converts positions in a text's bytes to lines and columns; it moves only forward, so a file needs one pass.
struct LineCursor {
  private let bytes: [UInt8]
  private let file: String
  private var offset = 0
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  /// The location of the nearest `<` before a position inside a start tag.
  mutating func startTag(before position: Int) -> SourceLocation {
    var start = min(max(position, 0), bytes.count - 1)
    while start > offset, bytes[start] != UInt8(ascii: "<") { start -= 1 }
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, offset < start else { return }
      while let newline = memchr(base + offset, 0x0A, start - offset) {
        offset = base.distance(to: newline) + 1
        (line, column) = (line + 1, 1)
      }
      for byte in buffer[offset..<start] where byte & 0xC0 != 0x80 { column += 1 }
      offset = start
    }
    return SourceLocation(file: file, line: line, column: column)
  }

  /// The first line that begins as git's conflict markers do.
  var conflictMarker: SourceLocation? {
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      for marker in ["<<<<<<< ", ">>>>>>> "] where line.starts(with: marker.utf8) {
        return SourceLocation(file: file, line: number + 1, column: 1)
      }
    }
    return nil
  }
}

/// An element of an XML document with its place.
package struct MarkupElement: Hashable, Sendable {
  package struct Attribute: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package var name: String
  /// Its attributes in the file's order.
  package var attributes: [Attribute]
  package var children: [MarkupElement] = []
  package var text = ""
  /// The place of the start tag's `<`.
  package var location: SourceLocation

  package subscript(attribute attribute: String) -> String? {
    attributes.first { $0.name.utf8.count == attribute.utf8.count && $0.name == attribute }?.value
  }

  /// The elements of this name directly inside.
  package func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}

/// One run of the parser: the elements that are open and the first failure.
final class MarkupSession {
  let path: String
  var cursor: LineCursor
  var root: MarkupElement?
  var failure: ModelFileError?
  private var open: [MarkupElement] = []
  /// The text of each open element so far, in UTF-8.
  private var texts: [[UInt8]] = []
  /// The names of the document by where libxml2 keeps them, which is one place a name.
  private var names: [UnsafePointer<CChar>: String] = [:]
  /// The names that were asked for last, each at a position that its place gives.
  private var recentNames = [(place: UnsafePointer<CChar>?, name: String)](repeating: (nil, ""), count: 64)
  private var count = 0
  private let elementLimit: Int
  private let child: (MarkupElement) -> Bool

  init(
    _ bytes: [UInt8], path: String, elementLimit: Int = MarkupReader.elementLimit,
    child: @escaping (MarkupElement) -> Bool = { _ in false }
  ) {
    (self.path, self.elementLimit, self.child) = (path, elementLimit, child)
    cursor = LineCursor(bytes, file: path)
  }

  func run(_ bytes: [UInt8]) {
    var events = ModelctlXMLEvents()
    events.user = Unmanaged.passUnretained(self).toOpaque()
    events.start = { user, offset, name, count, attributes in
      MarkupSession.of(user)?.start(offset: offset, name: name, count: Int(count), attributes: attributes)
    }
    events.end = { user in MarkupSession.of(user)?.end() }
    events.characters = { user, text, length in MarkupSession.of(user)?.characters(text, count: Int(length)) }
    events.failure = { user, line, column, message in
      MarkupSession.of(user)?.fail(line: Int(line), column: Int(column), message: message)
    }
    bytes.withUnsafeBytes { buffer in
      modelctl_xml_parse(&events, buffer.bindMemory(to: CChar.self).baseAddress, buffer.count)
    }
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> MarkupSession? {
    user.map { Unmanaged<MarkupSession>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(
    offset: Int, name: UnsafePointer<CChar>?, count attributeCount: Int,
    attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard failure == nil, let name else { return }
    count += 1
    if open.count >= MarkupReader.depthLimit {
      failure = .tooLarge(path: path, what: "the nesting of its elements", limit: MarkupReader.depthLimit)
    } else if count > elementLimit {
      failure = .tooLarge(path: path, what: "the number of its elements", limit: elementLimit)
    }
    var values: [MarkupElement.Attribute] = []
    if let attributes {
      values.reserveCapacity(attributeCount)
      // Five pointers an attribute: local name, prefix, namespace, start and end of the value.
      for position in 0..<max(attributeCount, 0) {
        guard let name = attributes[position * 5], let start = attributes[position * 5 + 3],
          let end = attributes[position * 5 + 4]
        else { continue }
        values.append(.init(name: text(ofName: name), value: Self.text(start, count: end - start)))
      }
    }
    open.append(MarkupElement(name: text(ofName: name), attributes: values, location: cursor.startTag(before: offset)))
    texts.append([])
  }

  private func end() {
    guard failure == nil, var element = open.popLast(), let text = texts.popLast() else { return }
    if !text.isEmpty { element.text = String(decoding: text, as: UTF8.self) }
    if open.isEmpty {
      root = element
    } else if open.count > 1 || !child(element) {
      open[open.count - 1].children.append(element)
    }
  }

  private func characters(_ text: UnsafePointer<CChar>?, count: Int) {
    guard failure == nil, let text, !open.isEmpty else { return }
    texts[texts.count - 1].append(contentsOf: UnsafeRawBufferPointer(start: text, count: max(count, 0)))
  }

  private func fail(line: Int, column: Int, message: UnsafePointer<CChar>?) {
    guard failure == nil else { return }
    var words = message.map { String(cString: $0) } ?? "unknown error"
    // libxml2 has the same words for too much and too little.
    if let last = open.last, words.hasPrefix("Extra content at the end") {
      words = "the file ends while <\(last.name)> is open"
    }
    failure = .syntax(
      location: SourceLocation(file: path, line: max(line, 1), column: max(column, 1)),
      message: words.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func text(ofName name: UnsafePointer<CChar>) -> String {
    let position = Int(bitPattern: name) >> 3 & 63
    if recentNames[position].place == name { return recentNames[position].name }
    let text = names[name] ?? String(cString: name)
    names[name] = text
    recentNames[position] = (name, text)
    return text
  }

  private static func text(_ start: UnsafePointer<CChar>, count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: max(count, 0)), as: UTF8.self)
  }
}
