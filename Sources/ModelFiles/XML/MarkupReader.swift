import CLibXML2
package import Foundation

/// Reads XML text into a tree, through libxml2: nothing is loaded from elsewhere and no entity is expanded.
package enum MarkupReader {
  /// The deepest nesting of elements that is read.
  static let depthLimit = 100
  /// The most elements that are read.
  static let elementLimit = 1_000_000

  /// The library wants to be set up once, before threads use it.
  private static let isReady: Void = xmlInitParser()

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - data: the text in UTF-8, or in UTF-16 with a byte order mark.
  ///   - path: the path that locations name.
  /// - Returns: the root element.
  /// - Throws: ``ModelFileError`` with line and column where there is one.
  package static func read(_ data: Data, path: String) throws(ModelFileError) -> MarkupElement {
    guard !data.isEmpty else { throw .empty(path: path) }
    guard data.count <= FileBytes.limit else {
      throw .tooLarge(path: path, what: "its size in bytes", limit: FileBytes.limit)
    }
    guard !data.starts(with: Data("bplist".utf8)) else { throw .propertyListInsteadOfXML(path: path) }
    _ = isReady
    let bytes = try utf8(data, path: path)
    let session = MarkupSession(bytes, path: path)
    session.run(bytes)
    if let failure = session.failure {
      if case .syntax = failure, let marker = session.cursor.conflictMarker {
        throw .conflictMarkers(location: marker)
      }
      throw failure
    }
    guard let root = session.root else {
      throw .syntax(location: SourceLocation(file: path, line: 1, column: 1), message: "there is no element")
    }
    return root
  }

  private static func utf8(_ data: Data, path: String) throws(ModelFileError) -> [UInt8] {
    let isUTF16 = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
    guard let text = String(data: data, encoding: isUTF16 ? .utf16 : .utf8) else {
      throw .syntax(location: SourceLocation(file: path, line: 1, column: 1), message: "the text is not UTF-8")
    }
    let body = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    guard !body.isEmpty else { throw .empty(path: path) }
    return Array(body.utf8)
  }
}

/// One run of the parser: the elements that are open and the first failure.
private final class MarkupSession {
  let path: String
  var cursor: LineCursor
  var root: MarkupElement?
  var failure: ModelFileError?
  private var open: [MarkupElement] = []
  private var count = 0

  init(_ bytes: [UInt8], path: String) {
    self.path = path
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
      modelctl_xml_parse(&events, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count))
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
    } else if count > MarkupReader.elementLimit {
      failure = .tooLarge(path: path, what: "the number of its elements", limit: MarkupReader.elementLimit)
    }
    var values: [MarkupElement.Attribute] = []
    if let attributes {
      values.reserveCapacity(attributeCount)
      // Five pointers an attribute: local name, prefix, namespace, start and end of the value.
      for position in 0..<max(attributeCount, 0) {
        guard let name = attributes[position * 5], let start = attributes[position * 5 + 3],
          let end = attributes[position * 5 + 4]
        else { continue }
        values.append(.init(name: String(cString: name), value: Self.text(start, count: end - start)))
      }
    }
    open.append(
      MarkupElement(
        name: String(cString: name), attributes: values, location: cursor.startTag(before: offset)))
  }

  private func end() {
    guard failure == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  private func characters(_ text: UnsafePointer<CChar>?, count: Int) {
    guard failure == nil, let text, !open.isEmpty else { return }
    open[open.count - 1].text += Self.text(text, count: count)
  }

  private func fail(line: Int, column: Int, message: UnsafePointer<CChar>?) {
    guard failure == nil else { return }
    let words = message.map { String(cString: $0) } ?? "unknown error"
    failure = .syntax(
      location: SourceLocation(file: path, line: max(line, 1), column: max(column, 1)),
      message: words.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static func text(_ start: UnsafePointer<CChar>, count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: max(count, 0)), as: UTF8.self)
  }
}
