import MappingModels

/// Finds the comments of a mapping file that mark what has to be decided.
enum OpenDecisions {
  /// Looks through well-formed XML.
  static func found(in bytes: [UInt8], path: String) -> [MappingFile.OpenDecision] {
    var found: [MappingFile.OpenDecision] = []
    var cursor = LineCursor(bytes, file: path)
    var position = 0
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[open...]
      if rest.starts(with: comment) {
        let start = open + comment.count
        let end = self.end(of: "-->", in: bytes, from: start)
        let words = String(decoding: bytes[start..<max(start, end - 3)], as: UTF8.self)
          .split(whereSeparator: \.isWhitespace)
        if words.contains(where: { $0 == MappingTemplate.openDecision }) {
          let text = words.filter { $0 != MappingTemplate.openDecision }.joined(separator: " ")
          found.append(.init(text: text, location: cursor.startTag(before: start)))
        }
        position = end
      } else {
        position = rest.starts(with: cdata) ? end(of: "]]>", in: bytes, from: open) : open + 1
      }
    }
    return found
  }

  private static let comment = Array("<!--".utf8)
  private static let cdata = Array("<![CDATA[".utf8)

  /// The position after the next of these characters.
  private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while let first = text.utf8.first, let next = bytes[position...].firstIndex(of: first) {
      if bytes[next...].starts(with: text.utf8) { return next + text.utf8.count }
      position = next + 1
    }
    return bytes.endIndex
  }
}
