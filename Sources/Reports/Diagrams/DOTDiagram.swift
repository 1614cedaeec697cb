/// A picture in the language of Graphviz, for its program `dot`.
///
/// Every text is an HTML-like label, in which three characters act and all are escaped; names of boxes are keys.
public struct DOTDiagram: Hashable, Sendable {
  /// The graph.
  public let text: String

  /// Renders a picture.
  public init(_ diagram: Diagram) {
    let keys = diagram.keys()
    var lines = [
      "digraph model {",
      "  graph [rankdir=LR, nodesep=0.4, ranksep=1.1, pad=0.3, bgcolor=white, fontname=\"Helvetica\", labelloc=t, "
        + "label=<<B>\(Self.escaped(Diagram.clipped(diagram.title)))</B>>];",
      "  node [shape=box, margin=0, fontname=\"Helvetica\", fontsize=12];",
      "  edge [fontname=\"Helvetica\", fontsize=10];",
    ]
    for node in diagram.nodes { lines.append(Self.line(node, key: keys[node.name] ?? "e0")) }
    for edge in diagram.edges {
      if let source = keys[edge.source], let target = keys[edge.target] {
        lines.append(Self.line(edge, from: source, to: target))
      }
    }
    text = (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func line(_ node: Diagram.Node, key: String) -> String {
    let remarks = node.remarks.map { "<I>\(escaped(Diagram.clipped($0)))</I><BR/>" }.joined()
    let head = "<TR><TD>\(remarks)<B>\(escaped(Diagram.clipped(node.name)))</B></TD></TR>"
    let omission = node.omission.map { "<TR><TD ALIGN=\"LEFT\"><I>\(escaped($0))</I></TD></TR>" }
    let rows = node.rows.map(line) + [omission].compactMap { $0 }
    let body = rows.isEmpty ? "" : "<HR/>" + rows.joined()
    let table = "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"3\">\(head)\(body)</TABLE>"
    return "  \(key) [id=\"node-\(key)\", \(attributes(node.mark, isFilled: true)), label=<\(table)>];"
  }

  /// The row; its change is below the attribute, so that boxes are narrow.
  private static func line(_ row: Diagram.Row) -> String {
    let words = row.words
    let text = escaped("\(words.name): \(words.type)")
    let name = row.mark == .removed ? "<S>\(text)</S>" : row.mark == nil ? text : "<B>\(text)</B>"
    let remark = words.remark.map { "<BR ALIGN=\"LEFT\"/><I>\(escaped($0))</I><BR ALIGN=\"LEFT\"/>" } ?? ""
    return "<TR><TD ALIGN=\"LEFT\">\(name)\(remark)</TD></TR>"
  }

  /// The line, from a parent to its children, or from the to-one end to the to-many end.
  private static func line(_ edge: Diagram.Edge, from source: String, to target: String) -> String {
    let look = attributes(edge.mark, isFilled: false)
    guard edge.kind == .relationship, let targetEnd = edge.targetEnd else {
      let label = edge.mark.map { ", label=<\($0.rawValue)>" } ?? ""
      return "  \(target) -> \(source) [dir=back, arrowtail=onormal, arrowsize=1.4, \(look)\(label)];"
    }
    let lines = (edge.mark.map { [$0.rawValue] } ?? []) + edge.names
    let label = "label=<\(lines.map(escaped).joined(separator: "<BR/>"))>"
    let back = edge.sourceEnd.map(crowsFoot) ?? "none"
    return "  \(source) -> \(target) "
      + "[dir=both, arrowtail=\(back), arrowhead=\(crowsFoot(targetEnd)), \(look), \(label)];"
  }

  /// The signs of crow's foot notation, the sign nearest to the box first.
  private static func crowsFoot(_ end: Diagram.End) -> String {
    switch (end.maximum == 1, end.minimum > 0) {
    case (true, true): "teetee"
    case (true, false): "teeodot"
    case (false, true): "crowtee"
    case (false, false): "crowodot"
    }
  }

  /// Thick is added, dashed is removed, dotted is changed.
  private static func attributes(_ mark: Diagram.Mark?, isFilled: Bool) -> String {
    let line =
      switch mark {
      case .added: "bold"
      case .removed: "dashed"
      case .changed: "dotted"
      case nil: "solid"
      }
    let style = isFilled ? "\"filled,\(line)\", fillcolor=\"\(DiagramPalette.fill(mark))\"" : line
    let width = mark == .added ? ", penwidth=3" : mark == .changed ? ", penwidth=2" : ""
    let kind = mark.map { ", class=\($0.rawValue)" } ?? ""
    return "style=\(style), color=\"\(DiagramPalette.line(mark))\", fontcolor=\"#111111\"\(width)\(kind)"
  }

  /// Text for an HTML-like label.
  private static func escaped(_ text: String) -> String {
    let line = MarkupText.escaped(text)
    return line.isEmpty ? " " : line
  }
}

/// The colours of marked parts; words and line styles have the same meaning.
enum DiagramPalette {
  static func fill(_ mark: Diagram.Mark?) -> String {
    switch mark {
    case .added: "#e3f6e5"
    case .removed: "#fbe6e6"
    case .changed: "#fdf3d7"
    case nil: "#ffffff"
    }
  }

  /// The colour of lines and their labels.
  static func line(_ mark: Diagram.Mark?) -> String {
    switch mark {
    case .added: "#135c26"
    case .removed: "#8f1717"
    case .changed: "#6b4700"
    case nil: "#3d4656"
    }
  }
}
