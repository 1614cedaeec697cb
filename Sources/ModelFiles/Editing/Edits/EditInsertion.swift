/// Puts new elements into a text, where Xcode would and with the indentation of what is around them.
struct EditInsertion {
  private let source: MarkupSource
  private let style: ContentsStyle

  init(_ source: MarkupSource, _ style: ContentsStyle) { (self.source, self.style) = (source, style) }

  /// What is inserted: the elements by where their parents begin.
  func edits(of inserted: [Int: [ContentsElement]]) -> [ByteEdit] {
    guard !inserted.isEmpty else { return [] }
    var edits: [ByteEdit] = []
    var nodes = [source.root]
    while let node = nodes.popLast() {
      if let elements = inserted[node.range.lowerBound] { edits += self.edits(inserting: elements, in: node) }
      nodes += node.children
    }
    return edits
  }

  private func edits(inserting elements: [ContentsElement], in node: MarkupNode) -> [ByteEdit] {
    let lead = Array(source.lead(of: node))
    let inner = lead.isEmpty ? [] : lead + Array(style.indentation.utf8)
    let childLead = node.children.first.map { Array(source.lead(of: $0)) } ?? inner
    var texts: [Int: [UInt8]] = [:]
    for element in elements { texts[gap(for: element, in: node), default: []] += text(of: element, after: childLead) }
    guard let content = node.content else {
      let end = (childLead.isEmpty ? [] : lead) + Array("</\(node.name)>".utf8)
      return [ByteEdit(node.head.upperBound..<node.range.upperBound, Array(">".utf8) + (texts[0] ?? []) + end)]
    }
    return texts.map { gap, text in
      let offset = gap > 0 ? source.lineEnd(after: node.children[gap - 1]) : content.lowerBound
      return ByteEdit(offset..<offset, text)
    }
  }

  /// An element with its lead, indented as deep; one line where elements follow each other on a line.
  private func text(of element: ContentsElement, after lead: [UInt8]) -> [UInt8] {
    var style = style
    if lead.isEmpty {
      (style.lineEnd, style.indentation) = ("", "")
    } else {
      style.lineEnd = String(decoding: lead, as: UTF8.self)
    }
    return lead + ContentsWriter(style).bytes(of: element, depth: 0)
  }

  /// After how many children an element goes.
  ///
  /// Among its own kind it goes by its name, without regard to case, when the others do; else behind them.
  private func gap(for element: ContentsElement, in parent: MarkupNode) -> Int {
    let children = parent.children
    let kin = children.indices.filter { children[$0].name == element.name }
    guard let first = kin.first, let last = kin.last else {
      let rank = EditorOrder.rank(ofChild: element.name, in: parent.name)
      let before = children.lastIndex {
        EditorOrder.knows(child: $0.name, in: parent.name) && EditorOrder.rank(ofChild: $0.name, in: parent.name) < rank
      }
      return before.map { $0 + 1 } ?? 0
    }
    let names = kin.map { (children[$0]["name"] ?? "").lowercased() }
    guard names == names.sorted(), let name = element["name"]?.lowercased() else { return last + 1 }
    return names.lastIndex { $0 <= name }.map { kin[$0] + 1 } ?? first
  }
}
