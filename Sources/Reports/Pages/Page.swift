import ModelFiles

/// An HTML page in a single file, which does not load any resources.
///
/// It is also valid XML. It can be read without its script, which only searches the page and controls pictures.
struct Page {
  var title: String
  /// The paragraphs below the heading.
  var summary: [String]
  /// The markup of the content.
  var content: String
  /// Whether the parts can be searched.
  var isSearchable = false

  var text: String {
    let heading = MarkupText.escaped(title)
    let lead = summary.map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n")
    let script = isSearchable ? "<script>\n\(PageScript.text)</script>\n" : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)"/>
      <meta name="color-scheme" content="light dark"/>
      <title>\(heading)</title>
      <style>
      \(PageStyle.text)</style>
      </head>
      <body>
      <a class="skip" href="#text">Skip to the text</a>
      <header>
      <h1>\(heading)</h1>
      \(lead)
      </header>
      <main>
      \(content)
      </main>
      \(script)</body>
      </html>

      """
  }

  /// The content security policy: no resources are loaded, and only inline code runs.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}

/// A part of a page that is a heading with facts, and the box of the picture that it describes.
struct PagePart {
  var outline: Outline
  /// The key of its box; nil if it has none.
  var node: String?
  var mark: Diagram.Mark?

  init(_ outline: Outline, node: String? = nil, mark: Diagram.Mark? = nil) {
    (self.outline, self.node, self.mark) = (outline, node, mark)
  }

  /// A heading with the parts below it; empty if there are none.
  ///
  /// - Parameter isGrid: whether the parts are in columns if there is space.
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

/// Writes text so that XML and HTML take it as it is, between tags and in the values of attributes.
enum MarkupText {
  /// The text on a single line, with control characters escaped.
  static func escaped(_ text: String) -> String {
    XMLText.attribute(PrintableText.line(text)).replacing("'", with: "&#39;")
  }
}

/// The script that searches a page, and enlarges and moves its pictures by mouse, touch and keyboard.
///
/// The page is complete without it. It contains neither `<` nor `&`, so that XML parsers accept the page.
enum PageScript {
  static let text = String(decoding: PackageResources.page_js, as: UTF8.self)
}

/// The style of every page: light and dark, narrow and wide, and for paper.
///
/// The colours of text on its ground have a contrast of 4.5 or more, lines and signs of 3 or more (WCAG 2.2, AA); a test
/// computes both from the variables.
enum PageStyle {
  static let text = String(decoding: PackageResources.page_css, as: UTF8.self)
}
