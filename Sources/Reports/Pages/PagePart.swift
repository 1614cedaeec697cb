/// A part of a page that is a heading with facts, and the box of the picture that it describes.
struct PagePart {
  /// What it says.
  var outline: Outline
  /// The key of its box, nil where it has none.
  var node: String?
  /// What happened to it.
  var mark: Diagram.Mark?

  init(_ outline: Outline, node: String? = nil, mark: Diagram.Mark? = nil) {
    self.outline = outline
    self.node = node
    self.mark = mark
  }

  /// A heading with the parts below it, nothing where there are none.
  ///
  /// - Parameters:
  ///   - heading: the heading.
  ///   - parts: the parts.
  ///   - anchor: what their anchors begin with.
  ///   - isGrid: whether they stand beside each other where there is room.
  /// - Returns: the markup, ended by a line break.
  static func markup(_ heading: String, _ parts: [PagePart], anchor: String, isGrid: Bool = false) -> String {
    guard !parts.isEmpty else { return "" }
    let sections = parts.enumerated().map { position, part in part.markup(anchor: "\(anchor)-\(position + 1)") }
    let body = sections.joined(separator: "\n")
    return "<h2>\(MarkupText.escaped(heading))</h2>\n\(isGrid ? "<div class=\"grid\">\n\(body)\n</div>" : body)\n"
  }

  /// A list of links to parts with boxes.
  static func contents(_ parts: [PagePart], names: [String], anchor: String, label: String = "Entities") -> String {
    guard !parts.isEmpty else { return "" }
    let links = zip(parts.indices, names).map { position, name in
      "<li><a href=\"#\(anchor)-\(position + 1)\">\(MarkupText.escaped(Diagram.clipped(name)))</a></li>"
    }
    return """
      <nav class="contents-nav" aria-label="\(label)">
      <ul class="contents">
      \(links.joined(separator: "\n"))
      </ul>
      </nav>

      """
  }

  private func markup(anchor: String) -> String {
    let kind = (["part"] + [mark?.rawValue].compactMap { $0 }).joined(separator: " ")
    let box = node.map { " data-node=\"\($0)\"" } ?? ""
    return """
      <section class="\(kind)" id="\(anchor)"\(box)>
      <h3>\(MarkupText.escaped(outline.title))</h3>
      \(Self.list(outline))</section>
      """
  }

  private static func list(_ outline: Outline) -> String {
    let facts = outline.facts.map { "<li>\(MarkupText.escaped($0))</li>\n" }
    let parts = outline.parts.map { part in
      let inner = list(part)
      return "<li>\(MarkupText.escaped(part.title))\(inner.isEmpty ? "" : "\n\(inner)")</li>\n"
    }
    let items = (facts + parts).joined()
    return items.isEmpty ? "" : "<ul>\n\(items)</ul>\n"
  }
}
