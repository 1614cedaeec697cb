import CLibXML2
import Foundation

/// One run of the parser: the elements that are open and the first failure.
final class MarkupSession {
  let path: String
  var cursor: LineCursor
  var root: MarkupElement?
  var failure: ModelFileError?
  private var open: [MarkupElement] = []
  /// The text of each open element as far as it is known, in UTF-8; it comes in pieces.
  private var texts: [[UInt8]] = []
  /// The names of the document by where libxml2 keeps them, which is one place a name.
  private var names: [UnsafePointer<CChar>: String] = [:]
  /// The names that were asked for last, each at a position that its place gives.
  private var recentNames = [(place: UnsafePointer<CChar>?, name: String)](repeating: (nil, ""), count: 64)
  private var count = 0
  private let elementLimit: Int

  init(_ bytes: [UInt8], path: String, elementLimit: Int = MarkupReader.elementLimit) {
    self.path = path
    self.elementLimit = elementLimit
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
    open.append(
      MarkupElement(
        name: text(ofName: name), attributes: values, location: cursor.startTag(before: offset)))
    texts.append([])
  }

  private func end() {
    guard failure == nil, var element = open.popLast(), let text = texts.popLast() else { return }
    if !text.isEmpty { element.text = String(decoding: text, as: UTF8.self) }
    if open.isEmpty {
      root = element
    } else {
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
