/// Takes elements out of a text with the lines they stand on; what is empty without them goes as well.
struct EditRemoval {
  /// Elements that are nothing when they are empty.
  private static let containers: Set<String> = [
    "fetchIndex", "compoundIndexes", "compoundIndex", "uniquenessConstraints", "uniquenessConstraint",
  ]

  private let source: MarkupSource
  private let removed: Set<Int>
  private(set) var edits: [ByteEdit] = []

  /// - Parameters:
  ///   - source: the text.
  ///   - removed: where the elements to remove begin.
  init(_ source: MarkupSource, _ removed: Set<Int>) {
    (self.source, self.removed) = (source, removed)
    guard !removed.isEmpty else { return }
    for child in source.root.children where isGone(child) { edits.append(edit(of: child)) }
  }

  /// True for what is to be taken away whole; edits inside of anything else are made.
  private mutating func isGone(_ node: MarkupNode) -> Bool {
    if removed.contains(node.range.lowerBound) { return true }
    var gone: [ByteEdit] = []
    var count = 0
    for child in node.children where isGone(child) {
      gone.append(edit(of: child))
      count += 1
    }
    guard count > 0 else { return false }
    guard count == node.children.count, !hasText(node) else {
      edits += gone
      return false
    }
    if Self.containers.contains(node.name) { return true }
    edits.append(ByteEdit(node.head.upperBound..<node.range.upperBound, "/>".utf8))
    return false
  }

  /// True when something else than elements and white space stands in an element, such as a comment.
  private func hasText(_ node: MarkupNode) -> Bool {
    guard let content = node.content else { return false }
    var position = content.lowerBound
    for child in node.children {
      if source[position..<child.range.lowerBound].contains(where: { !MergeAside.isSpace($0) }) { return true }
      position = child.range.upperBound
    }
    return source[position..<content.upperBound].contains { !MergeAside.isSpace($0) }
  }

  private func edit(of node: MarkupNode) -> ByteEdit {
    ByteEdit(source.lineStart(of: node)..<node.range.upperBound, [])
  }
}

extension MarkupSource {
  /// Where the line of an element begins, its end of line before it included, when nothing stands before it on the line;
  /// else where the element begins.
  func lineStart(of node: MarkupNode) -> Int {
    var start = node.range.lowerBound
    while start > 0, bytes[start - 1] == 32 || bytes[start - 1] == 9 { start -= 1 }
    guard start > 0, bytes[start - 1] == UInt8(ascii: "\n") else { return node.range.lowerBound }
    start -= 1
    return start > 0 && bytes[start - 1] == UInt8(ascii: "\r") ? start - 1 : start
  }

  /// What stands between an element and the element before it on its line, its end of line included; empty when nothing
  /// but an end of line does.
  func lead(of node: MarkupNode) -> ArraySlice<UInt8> { bytes[lineStart(of: node)..<node.range.lowerBound] }

  /// The end of an element, behind the comments that stand on the rest of its line.
  func lineEnd(after node: MarkupNode) -> Int {
    var position = node.range.upperBound
    while position < bytes.count {
      if bytes[position...].starts(with: "<!--".utf8) {
        while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
        position += 3
      } else if bytes[position] == 32 || bytes[position] == 9 {
        position += 1
      } else if bytes[position] == UInt8(ascii: "\n") || bytes[position] == UInt8(ascii: "\r") {
        return position
      } else {
        break
      }
    }
    return node.range.upperBound
  }
}
