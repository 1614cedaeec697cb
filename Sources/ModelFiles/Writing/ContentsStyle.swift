/// The form of a file's text: what is the same for all of its elements.
struct ContentsStyle: Hashable, Sendable {
  /// What the file begins with; empty when it has no declaration.
  var declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
  /// What stands between the declaration and the model, such as the comment of a licence.
  var prologue = ""
  /// What ends a line.
  var lineEnd = "\n"
  /// What a line begins with for each element around it.
  var indentation = "    "
  /// True when the last line is ended, which Xcode leaves out.
  var endsLastLine = false
  /// False where `>` stands for itself, as Xcode 4 wrote it.
  var escapesGreaterThan = true

  /// The style of every Xcode since 2012.
  static let xcode = ContentsStyle()
}

extension ContentsStyle {
  /// Looks at a file.
  init(of source: MarkupSource) {
    let bytes = source.bytes
    lineEnd = LineEnds.first(in: bytes).map { String(decoding: $0, as: UTF8.self) } ?? lineEnd
    let head = bytes[..<source.root.range.lowerBound]
    if head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) {
      let text = String(decoding: head[...end], as: UTF8.self)
      // Whatever a file was in, it is written in UTF-8.
      if text.lowercased().contains("utf-8") || !text.contains("encoding") { declaration = text }
      prologue = Self.trimmed(head[(end + 1)...])
    } else {
      declaration = ""
      prologue = Self.trimmed(head)
    }
    if let child = source.root.children.first, let content = source.root.content {
      let lead = bytes[content.lowerBound..<child.range.lowerBound]
      if let end = lead.lastIndex(of: UInt8(ascii: "\n")) {
        indentation = String(decoding: lead[(end + 1)...], as: UTF8.self)
      }
    }
    endsLastLine = bytes.last == UInt8(ascii: "\n")
    escapesGreaterThan = !Self.hasGreaterThan(source.root, in: source)
  }

  /// A piece without the white space around it.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.firstIndex(where: { !MergeAside.isSpace($0) }),
      let last = bytes.lastIndex(where: { !MergeAside.isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// True when some value has the character itself in it.
  private static func hasGreaterThan(_ node: MarkupNode, in source: MarkupSource) -> Bool {
    node.attributes.contains { source[$0.valueRange].contains(UInt8(ascii: ">")) }
      || node.children.contains { hasGreaterThan($0, in: source) }
  }
}
